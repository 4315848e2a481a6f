"""A corner that came in over one link of a straight line may end below the next link, which its piece does not reach.

The link that the piece crosses gives the point then, however slanted the piece is and however deep the corner.
"""

from __future__ import annotations

import esper
import pytest

import ecs_collide as ec
from tests.support.floors import FLOORS
from tests.support.worlds import dynamic, game

LINES = ["flat chain", "segments"]
"""With a joint every half metre."""
ARROWHEAD = ec.Polygon([(0.0, 0.5), (-0.4, -0.4), (0.0, -0.15), (0.4, -0.4)])
WEDGE = [(0.0, 0.0), (-0.8, 0.4), (-0.8, 0.1)]
"""The sharp corner points to the right and down; all that is above is on the left of it."""


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("depth", [0.002, 0.01, 0.04])
@pytest.mark.parametrize("past", [0.02, 1.0, 1.98])
def test_the_corner_of_a_wedge(line: str, side: float, depth: float, past: float) -> None:
    """The corner is past the joint at 0; the wedge comes to the surface twice its depth before the corner."""
    wedge = ec.Polygon([(side * x, y) for x, y in WEDGE])
    with game(gravity=(0.0, 0.0)) as play:
        FLOORS[line].make()
        body = dynamic(wedge, (side * past * depth, -depth))
        play.step()
        points = [
            (*contact.normal, separation)
            for contact in play.physics.contacts_of(body)
            for separation in contact.separations
        ]
        assert min(points, key=lambda point: point[2]) == pytest.approx((0.0, 1.0, -depth), abs=1e-9)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize(
    ("position", "velocity", "angle", "angular"),
    [
        (
            (-0.2330603435086358, 2.40620366135417),
            (1.3409912866894658, -1.2922937178394722),
            -1.4790905668911272,
            -0.40765,
        ),
        (
            (-0.02424465041603341, 1.2110230585868598),
            (-2.2491680933699, -39.71397371781643),
            -1.55948224264361,
            3.957098,
        ),
    ],
)
def test_an_arrowhead_whose_nose_comes_in_beside_a_joint_stays_above(
    line: str, position: tuple[float, float], velocity: tuple[float, float], angle: float, angular: float
) -> None:
    """Its two triangles share the nose; neither of them reaches the link below which the nose is."""
    with game(gravity=(0.0, -9.81)) as play:
        FLOORS[line].make()
        body = dynamic(ARROWHEAD, position, velocity, angle=angle, angular=angular)
        play.step(150)
        assert esper.component_for_entity(body, ec.Transform).y > 0.1
