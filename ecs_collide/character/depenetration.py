"""The way out of what a character overlaps at the start of a step.

It is put outside of the deepest overlap, then of the deepest that is left, and so on. Between two pieces that push it
to each other that has no end.

What is static comes into nobody. So if it can be put outside of all that is static, something else has come to squeeze
it, such as a lift under a ceiling or a sliding door: there it stays, in that, however deep. Otherwise it was put there.
Then the same is tried from places around it, on one ring after the other, and what ends nearest counts.
"""

from __future__ import annotations

from math import pi

from ecs_collide.character.obstacles import NOBODY, STATIC, gap_to, is_passed, look_around, size_of
from ecs_collide.contours.corner import length
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine

ROUNDS, NEAR_ROUNDS = 16, 4
"""Of putting it outside what it overlaps most, from its place and from each of those around it."""
RINGS, DIRECTIONS = 12, 16
"""Of places around it that it is put outside from."""
DEEP = 0.01
"""An overlap in units of its width and height: with less, it stays rather than jump."""
LOOKS = 4
"""At what is around the place that it was put to, where that is further off than was looked at."""


@subroutine
def deepest_overlap(walker, x, y, only_static):
    """(gap [m], normal) to what a character at (x, y) overlaps most, by more than a tenth of a skin; else zeros."""
    pieces, kinds = walker.scene.pieces, walker.scene.bodies.kind
    deepest, away_x, away_y = -0.1 * walker.skin, 0.0, 0.0
    for number in range(walker.near_count):
        if only_static and kinds[pieces.index[walker.scene.candidates[number], PIECE.BODY]] != STATIC:
            continue
        gap, normal_x, normal_y = gap_to(walker, NOBODY, number, x, y, 0.0, -0.05 * walker.skin)
        if gap < deepest and not is_passed(walker, NOBODY, number, gap, normal_x, normal_y, 0.0):
            deepest, away_x, away_y = gap, normal_x, normal_y
    if away_x == 0.0 and away_y == 0.0:
        return 0.0, 0.0, 0.0
    return deepest, away_x, away_y


@device
def is_in_something(walker, x, y):
    """Whether a character at (x, y) is in something."""
    return deepest_overlap(walker, x, y, False)[0] < 0.0


@subroutine
def put_outside(walker, x, y):
    """Where a character is that was at (x, y), put outside what it overlaps."""
    size = size_of(walker)
    reach = 2.0 * size
    is_deep = deepest_overlap(walker, x, y, False)[0] < -DEEP * size
    for _ in range(LOOKS):
        walker = look_around(walker, x, y, reach, reach)
        is_settled, to_x, to_y = by_least_ways(walker, x, y, ROUNDS, False)
        if not is_settled:
            is_settled, to_x, to_y = by_least_ways(walker, to_x, to_y, ROUNDS, True)
        is_near = max(abs(to_x - x), abs(to_y - y)) <= reach
        if is_deep and not (is_settled and is_near):
            is_free, near_x, near_y = from_near_places(walker, x, y, reach)
            if is_free:
                return near_x, near_y
        x, y = to_x, to_y
        if is_near:
            break
    return x, y


@subroutine
def by_least_ways(walker, x, y, rounds, only_static):
    """(whether it is free there, place) of a character that is put outside of the deepest overlap, again and again."""
    for _ in range(rounds):
        gap, away_x, away_y = deepest_overlap(walker, x, y, only_static)
        if gap == 0.0:
            return True, x, y
        x, y = x - gap * away_x, y - gap * away_y
    return False, x, y


@subroutine
def from_near_places(walker, x, y, longest):
    """(whether there is one, place) where a character is free, the nearest to (x, y) of those found within [m]."""
    is_free, to_x, to_y = False, x, y
    spacing = longest / RINGS
    for number in range(RINGS * DIRECTIONS):
        ring = (1 + number // DIRECTIONS) * spacing
        if ring >= longest and is_free:
            break
        c, s = cos_sin(2.0 * pi * (number % DIRECTIONS) / DIRECTIONS)
        is_there, there_x, there_y = by_least_ways(walker, x + ring * c, y + ring * s, NEAR_ROUNDS, False)
        way = length(there_x - x, there_y - y)
        if is_there and way < longest:
            is_free, longest, to_x, to_y = True, way, there_x, there_y
    return is_free, to_x, to_y
