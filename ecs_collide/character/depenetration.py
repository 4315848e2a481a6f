"""Depenetration: a character that overlaps obstacles at the start of a step is put outside.

It is put outside the deepest overlap, then outside the deepest that is left, and so on. Between two pieces that push it
to each other this does not end.

A static piece never moves into a character. So if the character can be put outside all static pieces, a moving one
squeezes it. Examples are a lift under a ceiling and a sliding door. It then stays in the moving piece, however deep.
Another character gives way instead, by its own next motion. So a door that closes pushes a row of characters.
Otherwise the game put the character inside. Then the same is tried from places around it, ring by ring, and the nearest
free place counts.
"""

from __future__ import annotations

from math import pi

from ecs_collide.character.floors_and_riders import is_character
from ecs_collide.character.obstacles import NOTHING, STATIC, gap_to, is_passable, size_of, with_obstacles_around
from ecs_collide.contours.corner import length
from ecs_collide.data.pieces import PIECE
from ecs_collide.geometry.rotation import cos_sin
from ecs_collide.kernels.kernel import device, subroutine

ROUNDS, NEAR_ROUNDS = 16, 4
"""Rounds of depenetration from its place, and from each place around it."""
RINGS, DIRECTIONS = 12, 16
"""Rings of places around it, and places on each ring."""
DEEP = 0.01
"""Least overlap that moves the character to a place around it, in units of its width plus height."""
ALL, NO_CHARACTERS, STATIC_ONLY = 0, 1, 2
"""Which pieces a character is put outside."""
LOOKS = 4
"""Searches for obstacles around the new place, while it is beyond the last search."""


@subroutine
def deepest_overlap(character, x, y, which):
    """Return (gap [m], normal x and y) of the deepest overlap of a character at (x, y), zeros for none.

    Overlaps up to a tenth of a skin do not count.
    """
    pieces, kinds = character.scene.pieces, character.scene.bodies.kind
    deepest, away_x, away_y = -0.1 * character.skin, 0.0, 0.0
    for number in range(character.near_count):
        other = pieces.index[character.scene.candidates[number], PIECE.BODY]
        if which == STATIC_ONLY and kinds[other] != STATIC:
            continue
        if which == NO_CHARACTERS and is_character(other, character.memory):
            continue
        gap, normal_x, normal_y = gap_to(character, NOTHING, number, x, y, 0.0, -0.05 * character.skin)
        if gap < deepest and not is_passable(character, NOTHING, number, gap, normal_x, normal_y, 0.0):
            deepest, away_x, away_y = gap, normal_x, normal_y
    if away_x == 0.0 and away_y == 0.0:
        return 0.0, 0.0, 0.0
    return deepest, away_x, away_y


@device
def overlaps_anything(character, x, y):
    """Return True if a character at (x, y) overlaps anything."""
    return deepest_overlap(character, x, y, ALL)[0] < 0.0


@subroutine
def depenetrate(character, x, y):
    """Return the position (x, y) of a character after depenetration from (x, y)."""
    size = size_of(character)
    reach = 2.0 * size
    is_deep = deepest_overlap(character, x, y, ALL)[0] < -DEEP * size
    for _ in range(LOOKS):
        character = with_obstacles_around(character, x, y, reach, reach)
        is_settled, to_x, to_y = push_out_repeatedly(character, x, y, ROUNDS, ALL)
        if not is_settled:
            _, to_x, to_y = push_out_repeatedly(character, x, y, 1, ALL)  # put it outside of what moved into it
            is_settled, to_x, to_y = push_out_repeatedly(character, to_x, to_y, ROUNDS, NO_CHARACTERS)
        if not is_settled:
            is_settled, to_x, to_y = push_out_repeatedly(character, to_x, to_y, ROUNDS, STATIC_ONLY)
        is_near = max(abs(to_x - x), abs(to_y - y)) <= reach
        if is_deep and not (is_settled and is_near):
            is_free, near_x, near_y = search_around(character, x, y, reach)
            if is_free:
                return near_x, near_y
        x, y = to_x, to_y
        if is_near:
            break
    return x, y


@subroutine
def push_out_repeatedly(character, x, y, rounds, which):
    """Return (True if it is free, x, y) after putting a character outside the deepest overlap for some rounds."""
    for _ in range(rounds):
        gap, away_x, away_y = deepest_overlap(character, x, y, which)
        if gap == 0.0:
            return True, x, y
        x, y = x - gap * away_x, y - gap * away_y
    return False, x, y


@subroutine
def search_around(character, x, y, longest):
    """Return (True if found, x, y) of the free place nearest to (x, y) within `longest` [m]."""
    is_free, to_x, to_y = False, x, y
    spacing = longest / RINGS
    for number in range(RINGS * DIRECTIONS):
        ring = (1 + number // DIRECTIONS) * spacing
        if ring >= longest and is_free:
            break
        c, s = cos_sin(2.0 * pi * (number % DIRECTIONS) / DIRECTIONS)
        is_there, there_x, there_y = push_out_repeatedly(character, x + ring * c, y + ring * s, NEAR_ROUNDS, ALL)
        way = length(there_x - x, there_y - y)
        if is_there and way < longest:
            is_free, longest, to_x, to_y = True, way, there_x, there_y
    return is_free, to_x, to_y
