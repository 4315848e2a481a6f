"""What the fuzzer has found, made short, and mended since."""

from __future__ import annotations

import pytest

from tests.fuzz.case import replay
from tests.fuzz.shrink import Operations

CIRCLE = ("shape", ("Circle", 0.5))

EXAMPLES: dict[str, Operations] = {
    "a body that others touch is deleted, and created again": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("create", 2, (("Collider", (CIRCLE,)), ("Transform", (("x", 0.6),)), ("Velocity", ()))),
        ("step", 0.02, 1),
        ("delete now", 2),
        ("create", 3, (("Collider", (CIRCLE,)), ("Transform", (("x", 0.6),)), ("Velocity", ()))),
        ("step", 0.02, 2),
    ),
    "a half-plane becomes kinematic over a static sensor": (
        ("floor", 1, -3.0),
        ("install", ()),
        ("floor", 2, -1.0),
        ("add", 1, ("Collider", (CIRCLE, ("sensor", True)))),
        ("add", 2, ("RigidBody", (("kind", 1),))),
        ("step", 0.0, 1),
    ),
    "a step of next to no time, with a ball squeezed between two half-planes": (
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", (("x", 0.6),)), ("Velocity", ()))),
        (
            "create",
            2,
            (
                ("Collider", (("shape", ("HalfPlane", (0.0, -1.0), -0.5)),)),
                ("Transform", (("x", 1.0), ("y", 0.8), ("angle", 0.5))),
            ),
        ),
        ("floor", 3, 0.26),
        ("install", (("gravity", (3.0, 8.0)),)),
        *(("step", dt, 1) for dt in (0.02, 0.5, 0.02, 0.5, 1e-300, 0.02)),
    ),
    "one half-plane and one static circle, with the exact response": (
        ("install", (("response", "exact"),)),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()))),
        ("floor", 2, -2.5),
        ("step", 5.0, 1),
    ),
    "the impulses of a ball and a ring, with the exact response, are above zero but for rounding": (
        ("spawn", (1,), ("Circle", 0.00481), ((0.0075, -0.01929),), (0.02291, -0.025)),
        (
            "create",
            2,
            (("Collider", (("shape", ("Ring", 0.0475, (0.0, -0.00445))),)), ("Transform", (("x", -0.01732),))),
        ),
        ("install", (("gravity", (0.0, -0.1)), ("response", "exact"))),
        ("step", 0.5, 1),
    ),
    "a ball that the cap of impacts has just stopped parts from what it was to hit": (
        ("install", (("response", "exact"),)),
        (
            "create",
            1,
            (
                ("Collider", (("shape", ("Circle", 0.75)),)),
                ("Transform", (("x", 1.7),)),
                ("Velocity", (("x", -1.7), ("y", -1.75))),
            ),
        ),
        ("step", 0.016666666666666666, 1),
        ("spawn", (2, 3, 4), ("Circle", 0.7), ((-0.6, 0.55), (0.7, -3.0)), (-0.996, -2.5)),
        ("impulse", 1, (-3.0, -1.8), None),
        ("step", 0.02, 5),
        ("floor", 5, -3.94),
        ("hook", 5, ("do", (("step", 0.02, 1),)), 2),
        ("step", 0.0, 1),
        ("step", 0.5, 1),
    ),
    "a body that is still pushed out of a half-plane at the end of a long step is found by a ray": (
        ("install", ()),
        ("create", 1, (("Collider", (("shape", ("HalfPlane", (0.0, -1.0), 0.0)),)), ("Transform", (("y", -2.5),)))),
        (
            "create",
            2,
            (
                ("Collider", (("shape", ("Circle", 0.2, (0.5, 0.0))),)),
                ("RigidBody", ()),
                ("Transform", (("x", -1.0), ("y", 1.0), ("angle", -3.0))),
            ),
        ),
        ("step", 0.5, 1),
        ("step", 5.0, 1),
        ("wake", 2),
        ("step", 5.0, 1),
        ("cast", (-4.0, -3.4), (1.0, 1.0)),
    ),
    "a static box that detects lies in a row of static boxes, and another one begins to move": (
        ("install", ()),
        ("row", (1, 2, 3, 4, 5), ("Box", 1.0, 1.0), (1.5, 2.0), (1.0, 0.0), False),
        ("write", 3, "Collider", "detect", True),
        ("step", 0.5, 1),
        ("add", 3, ("Velocity", ())),
        ("step", 0.0, 1),
    ),
    "a body between bumpers of a restitution of 1e17": (
        (
            "create",
            1,
            (("Collider", (("shape", ("HalfPlane", (-1.0, 0.0), -275.0)),)), ("Transform", (("x", -245.7),))),
        ),
        ("install", ()),
        ("spawn", (2,), ("Chain", ((1.7, -100.0), (50.0, 0.0)), False), ((125.0, 50.0),), None),
        (
            "create",
            3,
            (
                (
                    "Collider",
                    (("shape", ("Polygon", ((31.0, 62.0), (-29.0, -6.0), (1.0, -35.0)))), ("restitution", 0.5)),
                ),
                ("Transform", (("x", 175.0),)),
                ("Velocity", (("angular", -6.0),)),
            ),
        ),
        ("absurd field", 2, "Collider", "restitution", "1e17"),
    ),
    "physics installed anew, and stepped, while the ends of what was taken out are still told": (
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("install", ()),
        (
            "create",
            2,
            (("Collider", (("shape", ("Box", 0.01, 0.01)), ("sensor", True))), ("Transform", ()), ("Velocity", ())),
        ),
        ("floor", 3, 0.0),
        ("step", 0.0, 1),
        ("handler", "sensor_exit", (("step", 0.0, 1), ("install", ())), 2),
        ("uninstall",),
    ),
    "a ball whose centre is put beyond a ring, with the exact response": (
        ("create", 1, (("Collider", (("shape", ("Circle", 1.0)),)), ("Transform", ()), ("Velocity", (("y", -2.0),)))),
        ("install", (("response", "exact"),)),
        ("create", 2, (("Collider", (("shape", ("Ring", 3.0)),)), ("Transform", (("x", 2.0), ("y", 3.0))))),
        ("step", 0.02, 2),
    ),
    "Ctrl-C when an install in a hook is done, before it has returned": (
        ("hook", 1, ("do", (("install", ()),)), 1),
        ("interrupt", 0.0, 762),
        ("install", ()),
    ),
    "all is cleared after a static body was put elsewhere in a world without Broadphase": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("create", 2, (("Force", ()), ("Transform", ()))),
        ("step", 0.02, 1),
        ("remove system", 1),
        ("write", 2, "Transform", "y", -2.4),
        ("step", 0.0, 1),
        ("clear",),
        ("step", 0.0, 1),
        ("create", 3, (("Transform", ()),)),
        ("step", 5.0, 1),
    ),
    "a step within a step that ends with an error of the game's": (
        ("install", ()),
        ("hook", 2, ("do", (("raise",),)), 1),
        ("hook", 1, ("do", (("step", 0.0, 1),)), 1),
        ("step", 0.0, 1),
    ),
    "a rod that pulls with all its might leaves the body at its end a finite mass": (
        ("install", (("gravity", (300.0, 800.0)), ("substeps", 1), ("fixed_dt", 0.02))),
        ("create", 88730, (("Transform", ()),)),
        (
            "create",
            636084,
            (
                ("Collider", (("shape", ("Capsule", (49.0, -50.0), (36.1, -58.4), 37.8)),)),
                ("Transform", ()),
                ("Velocity", (("angular", -3.0),)),
            ),
        ),
        ("force", 636084, (247.6, 100.2), None),
        ("add", 88730, ("Velocity", (("x", 125.0), ("angular", 4.25)))),
        ("step", 0.5, 1),
        ("teleport", 88730, (63.4, -2.7)),
        ("join", 478949, None, "PrismaticJoint", 88730, None, (("upper", 0.5),)),
        ("step", 0.5, 1),
        ("join", 278029, 636084, "WeldJoint", 636084, 88730, (("hertz", 1000000.0), ("reference_angle", -0.0))),
        ("teleport", 636084, (-141.5, -25.0)),
        ("step", 0.5, 5),
        ("create", 794068, (("Transform", (("x", 168.3),)), ("Velocity", (("x", 270.2), ("y", -159.6))))),
        ("hook", 5, ("do", (("step", 0.02, 5),)), 3),
        ("join", 592453, None, "DistanceJoint", 88730, 794068, ()),
        ("step", 0.5, 1),
    ),
    "a step of next to no time gives joints blows that are no forces in the next, longer step": (
        ("install", ()),
        (
            "create",
            1,
            (
                ("Collider", (("shape", ("Polygon", ((0.6, 0.0), (0.2, 0.3), (-0.6, 0.0)))),)),
                ("Transform", (("x", 1.5), ("y", 1.5))),
                ("Velocity", (("x", -3.0), ("y", 2.0))),
            ),
        ),
        ("join", 2, None, "PrismaticJoint", 1, None, ()),
        ("create", 3, (("Transform", (("y", -3.0),)), ("Velocity", (("x", 200.0),)))),
        ("join", 4, None, "WeldJoint", 1, 3, ()),
        ("step", 1e-12, 1),
        ("step", 0.03, 1),
    ),
    "a joint comes in a step that is refused for a body's angle": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("step", 0.02, 1),
        ("write row", 1, "angles", 2e15),
        ("join", 2, None, "WeldJoint", 1, None, ()),
        ("step", 0.02, 1),
    ),
    "a joint whose limits were written out of order is deleted": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("join", 2, None, "RevoluteJoint", 1, None, (("lower", -1.0), ("upper", 1.0))),
        ("step", 0.02, 1),
        ("write joint", 2, "lower", 2.0),
        ("step", 0.02, 1),
        ("delete now", 2),
        ("step", 0.02, 1),
    ),
    "a body comes back to a joint whose limits were written out of order meanwhile": (
        ("install", ()),
        ("create", 1, (("Collider", (CIRCLE,)), ("Transform", ()), ("Velocity", ()))),
        ("join", 2, None, "RevoluteJoint", 1, None, (("lower", -1.0), ("upper", 1.0))),
        ("step", 0.02, 1),
        ("remove", 1, "Velocity"),
        ("step", 0.02, 1),
        ("write joint", 2, "lower", 2.0),
        ("add", 1, ("Velocity", ())),
        ("step", 0.02, 1),
        ("write joint", 2, "upper", 3.0),
        ("step", 0.02, 1),
    ),
    "a ray asks for a static body put elsewhere, when a hook has broken the step and the next frame makes none": (
        ("install", (("fixed_dt", 0.02),)),
        ("row", (1, 2, 3, 4, 5), ("Box", 0.01, 0.01), (0.0, 0.0), (0.01, 0.0), False),
        ("step", 0.02, 1),
        ("hook", 1, ("do", (("raise",),)), 1),
        ("write", 5, "Transform", "x", 0.0),
        ("step", 0.5, 1),
        ("step", 0.0, 1),
        ("cast", (0.0, -0.0), (-0.0, 0.0)),
    ),
    "a character on a static map into whose row a velocity was written": (
        ("install", ()),
        (
            "map",
            1,
            (b"\x01\x01\x01\x01\x01\x01", b"\x01\x00\x01\x00\x01\x01", b"\x01\x01\x01\x01\x01\x01"),
            0.5,
            (1.0, 0.0),
        ),
        ("force", 1, (-2.0, 1.0), None),
        ("write row", 1, "angular_velocities", -1.0),
        ("map", 2, (*(b"\x01\x01\x01",) * 3, *(b"\x00\x01\x01",) * 2, *(b"\x01\x01\x01",) * 2), 1.0, (1.3, 0.0)),
        ("add", 1, ("Transform", (("x", -0.25), ("y", -1.0)))),
        ("walk", 1, (0.0, 0.0), 0.0, ()),
        ("walk", 2, (2.0, -1.0), 0.02, ()),
    ),
    "a loop through a body of two milligrams that hangs on a hundred kilometres of rod": (
        (
            "create",
            1,
            (
                ("Collider", (("shape", ("Polygon", ((0.0, 0.0), (0.0, 0.00218156), (0.00172417, 0.01)), 0.0)),)),
                ("Force", (("y", -0.04), ("torque", -0.04))),
                ("Transform", (("y", -0.0175),)),
                ("Velocity", (("x", 2.0), ("y", -0.02), ("angular", 7.2))),
            ),
        ),
        ("create", 2, (("Transform", (("x", 0.02),)), ("Velocity", ()))),
        ("write", 2, "Velocity", "y", 0.00605),
        ("create", 3, (("Transform", (("angle", 2.0),)), ("Velocity", (("x", 2.0),)))),
        ("join", 4, None, "WeldJoint", 3, 2, (("reference_angle", 1.0),)),
        ("hook", 1, ("do", (("install", ()),)), 1),
        ("step", 0.0, 1),
        ("step", 5.0, 1),
        ("join", 5, None, "DistanceJoint", 1, None, ()),
        ("join", 6, 1, "DistanceJoint", 1, 9, ()),
        ("join", 7, None, "WeldJoint", 3, 1, (("hertz", 1000000.0), ("point", (0.0, -0.01721)))),
        ("step", 1 / 30, 40),
        ("join", 8, None, "RevoluteJoint", 2, 1, ()),
        ("step", 0.03, 1),
    ),
    "a body that can only turn is met where that turns it by next to nothing": (
        ("install", ()),
        (
            "create",
            52438,
            (
                ("Collider", (("shape", ("Box", 0.3, 1.3, (-0.2, -0.5), 3.0)),)),
                ("Transform", (("x", -1.0), ("y", -0.7), ("angle", 1.4))),
                ("Velocity", (("y", -2.2), ("angular", -5.0))),
            ),
        ),
        (
            "create",
            631348,
            (
                ("Collider", (("shape", ("Compound", (("Circle", 1.0), (0.0, 0.2, -2.8)))),)),
                ("RigidBody", (("lock_y", True),)),
                ("Transform", (("x", -1.0), ("y", -2.7))),
            ),
        ),
        ("step", 0.04, 1),
        ("spawn", (191950,), ("HalfPlane", (0.0, 1.0), -3.0), ((-2.0, 2.0),), None),
        ("step", 1e-12, 1),
        ("step", 0.5, 1),
        ("step", 5.0, 1),
        (
            "create",
            316445,
            (("Collider", (("shape", ("HalfPlane", (0.0, 1.0), -1.0)),)), ("Transform", (("x", -3.0),))),
        ),
        ("step", 0.5, 1),
        ("step", 5.0, 1),
    ),
    "a joint bore more than any number may be, and is looked at again": (
        ("install", (("length_unit", 0.01),)),
        (
            "create",
            285680,
            (
                (
                    "Collider",
                    (("shape", ("Compound", (("Circle", 0.00122, (-0.0025, -0.0)), (-0.0025, 0.00053, -2.0)))),),
                ),
                ("Force", (("x", -0.03), ("y", -0.04), ("torque", -0.005))),
                ("Transform", ()),
                ("Velocity", (("angular", -0.8),)),
            ),
        ),
        ("step", 0.016666666666666666, 1),
        ("gravity", (0.0, -0.1)),
        ("join", 191067, None, "WeldJoint", 285680, None, (("reference_angle", 0.0),)),
        ("step", 5.0, 40),
        ("mend joint", 191067),
        ("step", 0.0, 1),
    ),
    "a body is put elsewhere before a step that is refused, and a ray looks for it": (
        ("install", (("gravity", (3.0, 8.0)),)),
        ("create", 1662, (("Collider", (("shape", ("Circle", 0.2)),)), ("RigidBody", ()), ("Transform", ()))),
        ("step", 5.0, 1),
        ("place", 388994, (-2.0, 0.0, 15.0), ("Collider", (("shape", ("Box", 1.0, 1.0)),)), True),
        ("teleport", 1662, (1.0, 2.0)),
        ("step", 0.0, 1),
        ("mend",),
        ("cast", (-6.0, -3.0), (1.0, 2.2)),
    ),
    "a copy of what stands for a bound component is given to another entity": (
        ("install", (("transform", "Spot"),)),
        (
            "place",
            825485,
            (-2.5, -3.0, 165.0),
            ("Collider", (("shape", ("HalfPlane", (0.0, 1.0), -1.0)),)),
            True,
        ),
        ("step", 0.0, 1),
        ("create", 380761, (("Transform", ()),)),
        ("copy", 380761, 825485, "Transform", False),
        ("step", 0.5, 1),
    ),
    "a character on a body without a Velocity, which falls on in the step in which it is met where it will be": (
        ("row", (1, 2, 3), ("Segment", (-0.5, 0.0), (0.5, 0.0)), (-2.0, 0.5), (1.0, 0.0), False),
        (
            "create",
            4,
            (("Collider", (("shape", ("Circle", 1.0)),)), ("RigidBody", (("kind", 1),)), ("Transform", (("y", 1.0),))),
        ),
        ("install", (("gravity", (3.0, 8.0)),)),
        ("add", 2, ("RigidBody", ())),
        ("step", 0.01, 2),
        ("walk", 1, (300.0, 2.0), 0.02, ()),
    ),
    "what stands for a bound component is taken off, outlives the physics, and is put on an entity with a Transform": (
        ("install", (("transform", "Spot"),)),
        ("place", 1, (3.0, 2.0, -32.0), ("Collider", (CIRCLE,)), False),
        ("step", 0.0, 1),
        ("remove", 1, "Transform"),
        ("uninstall",),
        ("create", 2, (("Collider", (CIRCLE,)), ("Transform", ()))),
        ("install", ()),
        ("delete now", 1),
        ("reuse", 2, 0),
        ("step", 0.02, 1),
    ),
    "a ray starts where two cells of a bitmap meet on a flat side of it, and leaves it": (
        (
            "map",
            807151,
            (b"\x01\x01\x01\x01\x01\x01", b"\x00\x01\x01\x01\x01\x01", b"\x01\x01\x01\x01\x01\x00"),
            0.5,
            (0.75, -1.75),
        ),
        ("install", ()),
        ("cast", (3.75, -1.25), (5.5, -3.0)),
    ),
}


@pytest.mark.parametrize("situation", EXAMPLES)
def test_what_was_found_once_stays_mended(situation: str) -> None:
    assert replay(EXAMPLES[situation]).faults == ()


def test_ctrl_c_while_components_of_the_games_own_are_taken_up() -> None:
    collider = "Collider", (CIRCLE,)
    for lines in range(20, 200, 4):
        case: Operations = (
            ("place", 1, (1.0, -2.0, 107.0), collider, True),
            ("place", 2, (-3.0, -2.0, 80.0), collider, True),
            ("install", (("transform", "Spot"),)),
            ("place", 3, (2.0, -3.0, -113.0), collider, True),
            ("interrupt", 0.0, lines),
            ("step", 0.0, 1),
        )
        assert replay(case).faults == (), lines
