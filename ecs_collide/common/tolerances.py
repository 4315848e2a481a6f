"""The engine's tolerances, in units of `length_unit` and seconds, and the step's constants.

A game in pixels passes `length_unit=100` (pixels in a metre), one that counts frames `time_unit=60` (frames in a
second). Every length, speed and frequency below scales with them, so that the same scene behaves the same in all units.
"""

from typing import NamedTuple, Self

from ecs_collide.data.field_docs import document_fields

LINEAR_SLOP = 0.005
"""Slop: a contact without an impulse ends once its gap exceeds this [length units]."""

SPECULATIVE_DISTANCE = 4.0 * LINEAR_SLOP
"""Gap under which a pair already gets a contact point [length units]."""

BOX_MARGIN = 0.1
"""Largest distance that a piece moves before its fat box is renewed [length units]."""

BOX_LEAD = 0.1
"""Time over which the velocity moves the front of a fat box ahead [s]."""

BOX_MARGIN_FRACTION = 0.5
"""Greatest margin as a fraction of the piece's larger half extent; the lesser of both margins counts."""

RECYCLE_DISTANCE = LINEAR_SLOP
"""Relative motion up to which a pair keeps its manifold [length units]."""

RECYCLE_ONE_POINT = 0.02
"""Fraction of `RECYCLE_DISTANCE` up to which a manifold of one point is kept.

With .04 card houses stand, with .1 they fall.
"""

TOUCH_TOLERANCE = 0.1 * LINEAR_SLOP
"""Gap up to which a pair without an impulse counts as touching [length units]."""

RESTITUTION_THRESHOLD = 0.25
"""Approach speed under which nothing bounces, unless `install` got another limit [length units/s]."""

BUMPER_SPEED = 1_000.0
"""Speed up to which a restitution above 1 drives a pair apart; faster pairs are not slowed [length units/s]."""

SLEEP_SPEED = 0.05
"""A body none of whose points is faster is at rest, unless `install` got another limit [length units/s]."""

SLEEP_TIME = 0.5
"""Time at rest after which an island falls asleep [s]."""

SHORTEST_SUBSTEP = 1e-100
"""Length of a substep [s] below which a step moves nothing, as in a pause: the solver divides by its square."""

ISLAND_INTERVAL = 0.1
"""Time between two searches for islands, while any body is at rest for long enough [s]."""

NO_END = 1.7976931348623157e308
"""Coordinate at which unbounded boxes end; an empty box is at infinity and does not overlap them."""

LARGEST_SPIN = 1e6
"""Limit of the spin of all bodies, which only a torque that acts without end can reach [rad/s]."""

PUSH_OUT_SPEED = 3.0
"""Fastest removal of overlap [length units/s]."""

TOUCHING_DEPTH = 1e-9 * PUSH_OUT_SPEED
"""Overlap that counts as a gap [length units]. Rounding must not choose between rigid and soft contacts."""

FASTEST_TURN = 12.0
"""Fastest rotation by which a joint is put right [rad/s]; for lengths it is `PUSH_OUT_SPEED`."""

CLOSING_RATE = 4.0
"""Rate at which the rows of touched trees close their gaps before bodies move [1/s]."""

CONTACT_HERTZ = 34.0
"""Stiffness of soft contacts [1/s]; never more than a quarter of the substep rate."""

CONTACT_DAMPING_RATIO = 10.0
"""Damping ratio of soft contacts; far above 1, so that they creep back instead of bouncing."""

REPEATED_PASSES = 16
"""Number of extra solves of heavily loaded contacts in each pass: with 4 a heavy box still rebounds by .24."""

PARTING_SPEED = 0.05
"""Speed under which two parting bodies move as one [length units/s]. A platform that a game turns by steps
moves along the chords of its arcs, which differ by the square of the angle."""

IMPACT_SPEED = 0.25
"""Closing speed above which bodies are stopped as an impact and not as a load [length units/s]."""

IMPACT_BEGINS = 4.0
"""Factor on `IMPACT_SPEED` above which the approach of two movable bodies begins an impact.

Slower approaches are left to the solver.
"""

IMPACT_PASSES = 8
"""Greatest number of passes over impacts in a substep.

With four, a box of three times the mass rebounds from three others with .24 of its speed. With two, 60 elastic balls
keep .83 of their energy in 60 s.
"""

IMPACT_REACH = 3
"""Greatest number of contacts through which an impact travels in its substep."""


@document_fields
class Tolerances(NamedTuple):
    """The lengths, speeds and frequencies above in the game's units, by the world's `length_unit` and `time_unit`."""

    slop: float
    """Length that counts as little [length units]."""
    speculative: float
    """Gap below which a pair already gets a contact point [length units]."""
    box_margin: float
    """Largest distance that a piece may move before its fat box is renewed [length units]."""
    box_lead: float
    """Time over which the velocity moves the front of a fat box ahead [time units]."""
    recycle: float
    """Relative motion up to which a pair keeps its manifold [length units]."""
    touch: float
    """Gap up to which a pair without an impulse counts as touching [length units]."""
    bounce_speed: float
    """Approach speed below which nothing bounces, unless `install` gets one [length units per time unit]."""
    bumper_speed: float
    """Speed up to which a restitution above 1 drives a pair apart [length units per time unit]."""
    impact_speed: float
    """Speed of approach above which a contact is an impact [length units per time unit]."""
    push_out_speed: float
    """Fastest removal of overlap [length units per time unit]."""
    touching_depth: float
    """Overlap that counts as a gap [length units]."""
    fastest_turn: float
    """Fastest rotation by which a joint is put right [rad per time unit]."""
    closing_rate: float
    """Rate at which the rows of touched joint trees close their gaps [1 / time unit]."""
    sleep_speed: float
    """Speed below which a body is at rest, unless `install` gets one [length units per time unit]."""
    parting_speed: float
    """Speed below which two parting bodies move as one [length units per time unit]."""
    contact_hertz: float
    """Stiffness of soft contacts [1 / time unit]."""

    @classmethod
    def for_units(cls, length_unit: float, time_unit: float = 1.0) -> Self:
        """Return the tolerances in the units of a game."""
        speed_unit = length_unit / time_unit
        return cls(
            slop=LINEAR_SLOP * length_unit,
            speculative=SPECULATIVE_DISTANCE * length_unit,
            box_margin=BOX_MARGIN * length_unit,
            box_lead=BOX_LEAD * time_unit,
            recycle=RECYCLE_DISTANCE * length_unit,
            touch=TOUCH_TOLERANCE * length_unit,
            bounce_speed=RESTITUTION_THRESHOLD * speed_unit,
            bumper_speed=BUMPER_SPEED * speed_unit,
            impact_speed=IMPACT_SPEED * speed_unit,
            push_out_speed=PUSH_OUT_SPEED * speed_unit,
            touching_depth=TOUCHING_DEPTH * length_unit,
            fastest_turn=FASTEST_TURN / time_unit,
            closing_rate=CLOSING_RATE / time_unit,
            sleep_speed=SLEEP_SPEED * speed_unit,
            parting_speed=PARTING_SPEED * speed_unit,
            contact_hertz=CONTACT_HERTZ / time_unit,
        )
