"""Reports of users of other engines about rays, impulses, platforms and events in unusual places."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable

import esper
import numpy as np
import pytest

import ecs_collide as ec
from tests.support.worlds import DT, dynamic, floor, kinematic, run, static, transform, velocity

pytestmark = pytest.mark.usefixtures("fresh_world")

SOLIDS: dict[str, ec.Shape] = {
    "circle": ec.Circle(1),
    "capsule": ec.Capsule((-0.5, 0), (0.5, 0), 0.7),
    "concave": ec.Polygon([(-1, -1), (1, -1), (1, 1), (0, -0.5), (-1, 1)]),
    "rounded": ec.Polygon([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], radius=0.3),
    "sector": ec.Sector(1.5, 0.7),
    "inward_arcs": ec.ArcPolygon([(-1, -1), (1, -1), (1, 1), (-1, 1)], [-0.3] * 4),
    "cells_around_a_hole": ec.Bitmap([[1, 1, 1], [1, 0, 1], [1, 0, 1]], 0.7),
    "parts": ec.Compound([(ec.Box(1, 2), (-0.5, 0, 0)), (ec.Box(1, 2), (0.5, 0, 0))]),
    "half_plane": ec.HalfPlane(),
}


@pytest.mark.parametrize("shape", SOLIDS.values(), ids=SOLIDS)
def test_rays_that_enter_leave_and_stay_inside_are_the_same_for_all_shapes(shape: ec.Shape) -> None:
    """Godot #38343 and Chipmunk2D #169: a ray from inside hits at once, at its start, or where it leaves."""
    rng = np.random.default_rng(38343)
    physics = ec.install()
    static(shape, (0.3, -0.2), angle=0.37)
    fractions = np.linspace(0, 1, 201)
    starts_inside = 0
    for _ in range(150):
        start, end = rng.uniform(-2, 2, (2, 2))
        found = physics.point_queries(start + fractions[:, None] * (end - start))
        is_inside = np.diff(found.starts) > 0
        near, skipped, left = (
            physics.ray_cast(tuple(start), tuple(end), inside=inside) for inside in ("start", "skip", "exit")
        )
        if is_inside[0]:
            starts_inside += 1
            assert near is not None
            assert (near.fraction, near.point, near.normal) == (0.0, tuple(start), (0.0, 0.0))
            assert skipped is None
            outside = fractions[~is_inside]
            if len(outside):
                assert left is not None
                assert outside[0] - fractions[1] <= left.fraction <= outside[0]
        elif is_inside.any():
            assert near == skipped == left
            assert near is not None
            assert near.fraction <= fractions[is_inside][0]
    assert starts_inside > 10


@pytest.mark.parametrize("far", [0.0, 1e5])
@pytest.mark.parametrize("shape", SOLIDS.values(), ids=SOLIDS)
def test_a_ray_goes_on_from_where_it_was_reflected(shape: ec.Shape, far: float) -> None:
    """Godot #35845: mirrors and lasers start a ray on the surface that the last one hit, wherever rounding puts it."""
    rng = np.random.default_rng(35845)
    physics = ec.install()
    static(shape, (far + 0.3, -0.2 - far), angle=0.37)
    reflected = 0
    for _ in range(200):
        start, end = np.array([far, -far]) + rng.uniform(-3, 3, (2, 2))
        hit = physics.ray_cast(tuple(start), tuple(end))
        if hit is None or hit.fraction == 0.0:
            continue
        way, normal = end - start, np.array(hit.normal)
        on = np.array(hit.point) + 3 * (way - 2 * (way @ normal) * normal)
        second = physics.ray_cast(hit.point, tuple(on))
        assert second is None or second.fraction > 1e-9
        reflected += 1
    assert reflected > 20


def a_heap() -> list[int]:
    floor(restitution=0.4)
    shapes = (ec.Circle(0.5), ec.Box(0.9, 0.9), ec.Polygon([(-0.5, -0.4), (0.5, -0.4), (0, 0.5)]))
    places = [(1.1 * (k % 5) + 0.01 * k, 0.6 + 0.8 * (k // 5)) for k in range(15)]
    return [dynamic(shapes[k % 3], place, restitution=0.3) for k, place in enumerate(places)]


def sliders_on_tiles() -> list[int]:
    for k in range(20):
        static(ec.Box(1, 1), (k, -0.5))
    return [dynamic(ec.Box(0.8, 0.8), (1, 0.4), (6, 0)), dynamic(ec.Circle(0.4), (2, 1), (4, 0), restitution=0.7)]


def riders_of_a_lift() -> list[int]:
    kinematic(ec.Box(6, 0.2), (0, 0), (0, 2), friction=0.9)
    return [dynamic(ec.Box(1, 1), (0, 0.6)), dynamic(ec.Circle(0.4), (0, 1.6))]


def riders_of_a_belt() -> list[int]:
    static(ec.Box(60, 0.2), surface_speed=3)
    return [dynamic(ec.Box(1, 1), (0, 0.6)), dynamic(ec.Circle(0.4), (3, 0.5))]


def bodies_with_parts() -> list[int]:
    floor()
    bodies = [dynamic(ec.Box(1, 0.3), (0, 0.4 + 0.6 * k)) for k in range(3)]
    for body in bodies:
        esper.create_entity(ec.AttachedTo(body, 0.4, -0.2), ec.Collider(ec.Circle(0.2)))
    return bodies


@pytest.mark.parametrize("create", [a_heap, sliders_on_tiles, riders_of_a_lift, riders_of_a_belt, bodies_with_parts])
def test_the_impulses_of_contacts_explain_every_change_of_velocity(create: Callable[[], list[int]]) -> None:
    """Box2D #956, Avian #788 and pymunk #141: of all substeps, with bounces and friction."""
    physics = ec.install(gravity=(0, -10), continuous=False, sleeping=False)
    bodies = create()
    for _ in range(120):
        before = {body: np.array(velocity(body).linear) for body in bodies}
        run()
        contacts = physics.contacts
        given = {body: np.zeros(2) for body in bodies}
        for k, (a, b) in enumerate(zip(contacts.body_a.tolist(), contacts.body_b.tolist(), strict=True)):
            x, y = contacts.normal[k]
            points = slice(contacts.point_count[k])
            along, across = contacts.normal_impulse[k, points].sum(), contacts.tangent_impulse[k, points].sum()
            impulse = along * np.array([x, y]) + across * np.array([y, -x])
            given[a] = given.get(a, 0.0) - impulse
            given[b] = given.get(b, 0.0) + impulse
        for body in bodies:
            change = np.array(velocity(body).linear) - before[body]
            expected = given[body] / physics.mass_of(body) + np.array([0, -10]) * DT
            np.testing.assert_allclose(change, expected, rtol=0, atol=1e-12)


def ledge() -> None:
    static(ec.Box(4, 1), (-2.5, 0))


def shaft() -> None:
    for x in (-2.5, 2.5):
        static(ec.Box(4, 6), (x, 0))


def shaft_of_tiles() -> None:
    for x in (-2, -1, 1, 2):
        for y in range(-3, 3):
            static(ec.Box(1, 1), (x, y + 0.5))


def shaft_of_cells() -> None:
    static(ec.Bitmap([[1, 1, 0, 1, 1]] * 6, 1.0), (-2.5, -3))


@pytest.mark.parametrize("excess", [0.0, 1e-9, -1e-9])
@pytest.mark.parametrize("create", [ledge, shaft, shaft_of_tiles, shaft_of_cells])
def test_a_body_falls_along_a_wall_that_it_exactly_touches(create: Callable[[], None], excess: float) -> None:
    """Godot #38367: the corner of a box comes down exactly on the corner of a floor, and goes past it."""
    physics = ec.install(gravity=(0, -10))
    create()
    box = dynamic(ec.Box(1 + excess, 1), (0, 5))
    character = kinematic(ec.Box(1 + excess, 1), (0, 5), group=-1)
    esper.component_for_entity(box, ec.Collider).group = -1
    speed = 0.0
    for _ in range(100):
        speed -= 10 * DT
        slide = physics.move_and_slide(character, (0, speed), DT, ignore=[box])
        speed = slide.velocity[1]
        run()
    assert transform(box).y < -8
    assert transform(character).y < -8


def test_a_body_lands_on_a_lift_that_goes_down() -> None:
    """Box2D #130: it takes the speed of the lift, and does not go on falling faster."""
    ec.install(gravity=(0, -10))
    lift_down = kinematic(ec.Box(4, 0.2), (0, 0), (0, -3))
    body = dynamic(ec.Box(1, 1), (0, 1.5))
    run(90)
    for _ in range(60):
        run()
        assert velocity(body).y == pytest.approx(-3, abs=1e-6)
    assert transform(body).y - transform(lift_down).y == pytest.approx(0.6, abs=0.01)


def test_a_kinematic_pipe_that_is_put_back_to_the_start_keeps_pushing() -> None:
    """Box2D #1011: a scrolling obstacle has its speed after each jump, and meets what stands in its new way."""
    ec.install()
    pipe = kinematic(ec.Box(5, 24), (45, 5), (-3, 0))
    bird = dynamic(ec.Circle(0.5), (35, 5))
    run(200)
    assert transform(bird).x < 35
    transform(pipe).x, transform(bird).position, velocity(bird).linear = 50.0, (45.0, 5.0), (0.0, 0.0)
    run(60)
    assert (transform(pipe).x, velocity(pipe).x) == pytest.approx((47, -3))
    assert transform(bird).x <= 44.01


@pytest.mark.parametrize("box_first", [False, True])
def test_normals_point_outwards_all_around_in_either_order_of_creation(box_first: bool) -> None:
    """Avian #721, Box2D #124 and Torque2D #403: a planet attracts balls from all sides."""
    ec.install()
    contacts: list[ec.Contact] = []
    ec.on("collision_start", contacts.append)
    box = static(ec.Box(2, 2)) if box_first else 0
    ways = [(math.cos(0.3 * k), math.sin(0.3 * k)) for k in range(21)]
    balls = [dynamic(ec.Circle(0.5), (3 * x, 3 * y), (-4 * x, -4 * y), group=-1) for x, y in ways]
    box = box or static(ec.Box(2, 2))
    run(60)
    normals = {contact.other(box): np.array(contact.normal) for contact in contacts}
    sign = 1 if box_first else -1
    for ball, way in zip(balls, ways, strict=True):
        assert sign * normals[ball] @ way > 0.6


def test_handlers_of_ends_delete_a_tower_box_by_box() -> None:
    """pymunk #246 and #247: removals in handlers of removals; every start has its one end."""
    ec.install(gravity=(0, -10))
    ground = floor()
    boxes = [dynamic(ec.Box(1, 1), (0, 0.5 + k)) for k in range(6)]
    touches: Counter[tuple[int, int]] = Counter()

    def above(entities: Iterable[int]) -> list[int]:
        return [boxes[k + 1] for k, box in enumerate(boxes[:-1]) if box in entities]

    def on_end(contact: ec.Contact) -> None:
        touches[contact.entity_a, contact.entity_b] -= 1
        for box in above((contact.entity_a, contact.entity_b)):
            if esper.entity_exists(box):
                esper.delete_entity(box)

    ec.on("collision_start", lambda contact: touches.update([(contact.entity_a, contact.entity_b)]))
    ec.on("collision_end", on_end)
    run(5)
    assert sum(touches.values()) == 6
    esper.delete_entity(boxes[0])
    run(8)
    assert [entity for entity in (ground, *boxes) if esper.entity_exists(entity)] == [ground]
    assert set(touches.values()) == {0}


@pytest.mark.parametrize("speed", [50.0, 5000.0])
def test_bodies_in_a_maze_of_thin_walls_stay_in_its_lanes(speed: float) -> None:
    """Godot #6664 and #87477: one cell thick, one cell wide, at any speed, spinning and bouncing."""
    rng = np.random.default_rng(5)
    cells = np.ones((15, 15), bool)
    stack = [(1, 1)]
    cells[1, 1] = False
    while stack:
        row, column = stack[-1]
        ways = [(row + r, column + c, row + r // 2, column + c // 2) for r, c in ((2, 0), (-2, 0), (0, 2), (0, -2))]
        ways = [way for way in ways if 0 < way[0] < 15 and 0 < way[1] < 15 and cells[way[0], way[1]]]
        if not ways:
            stack.pop()
            continue
        to_row, to_column, row_between, column_between = ways[rng.integers(len(ways))]
        cells[to_row, to_column] = cells[row_between, column_between] = False
        stack.append((to_row, to_column))
    physics = ec.install(gravity=(0, -10))
    maze = static(ec.Bitmap(cells, 1.0), restitution=0.9)
    lanes = np.argwhere(~cells) + 0.5
    shapes = (ec.Circle(0.3), ec.Box(0.5, 0.3), ec.Polygon([(-0.3, -0.2), (0.3, -0.2), (0, 0.3)]))
    bodies = []
    for k in range(30):
        (y, x), angle = lanes[rng.integers(len(lanes))], rng.uniform(0, 2 * math.pi)
        way = (speed * math.cos(angle), speed * math.sin(angle))
        spin = rng.uniform(-20, 20)
        bodies.append(dynamic(shapes[k % 3], (x, y), way, angular=spin, restitution=0.9, group=-1))
    run(120)
    for body in bodies:
        x, y = transform(body).position
        assert 0 < x < 15
        assert 0 < y < 15
        assert maze not in physics.point_query((x, y))


def floor_of_tiles() -> None:
    for k in range(40):
        static(ec.Box(1, 1), (k - 3.2, -0.5), friction=0.0)


def floor_of_moving_tiles() -> None:
    for k in range(40):
        kinematic(ec.Box(1, 1), (k - 3.2, -0.5), friction=0.0)


def floor_of_parts() -> None:
    parts = [(ec.Box(1, 1), (k - 3.2, -0.5, 0.0)) for k in range(40)]
    static(ec.Compound(parts), friction=0.0)


@pytest.mark.parametrize("speed", [1.0, 8.0, 20.0])
@pytest.mark.parametrize("shape", [ec.Segment((-0.4, 0), (0.4, 0)), ec.Chain([(-0.4, 0), (0, 0.1), (0.4, 0)])])
@pytest.mark.parametrize("create", [floor_of_tiles, floor_of_moving_tiles, floor_of_parts])
def test_a_rod_slides_over_flush_tiles_without_a_stop(
    create: Callable[[], None], shape: ec.Shape, speed: float
) -> None:
    """Godot #89458: a body catches on the seams of tiles; a rod stood still for two frames at each."""
    ec.install(gravity=(0, -10))
    create()
    rod = dynamic(shape, (0, 0.01), (speed, 0), friction=0.0)
    run(20)
    assert transform(rod).y == pytest.approx(0, abs=1e-3)
    for _ in range(60):
        before = transform(rod).x
        run()
        assert transform(rod).x - before == pytest.approx(speed * DT, rel=1e-6)
