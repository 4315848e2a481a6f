"""Which bodies hang on which: trees of joints, their roots and levels, and the webs that loops make.

Trees end at static and kinematic bodies, and at the world: each joint with one is a leaf. Of dynamic bodies those that
loops run through, or that stand between two loops, are a *web* (in graph theory the 2-core): what is left when bodies
with a single joint to others are taken away, as long as there are any. All other joints make trees: their roots are
the bodies of a web, or where there is none a tree's middle, so that few blocks stand one behind the other.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

NOBODY = -1
MANY = 12
"""A body of a web with more neighbours is a hub."""


class Link(NamedTuple):
    """A joint, by its entity and its row, between the rows of two bodies; one that is not dynamic is in no tree."""

    entity: int
    joint: int
    kind: int
    a: int
    b: int
    keeps_apart: bool = False
    """Whether the two do not collide."""


class Branch(NamedTuple):
    """A link with its place in a tree."""

    entity: int
    joint: int
    kind: int
    child: int
    parent: int
    b_is_child: bool
    in_web: bool
    level: int
    """How many joints there are from the parent to the root; 0 in a web."""
    sibling: int
    """How many joints of its kind hang on the parent before it; 0 in a web."""


class JointTree(NamedTuple):
    """Dynamic bodies that joints hold together, and these joints."""

    branches: np.ndarray
    """Those of a web stand last, in the order of their entities (j, 9) int64, the columns as the fields of `Branch`."""
    bodies: list[int]
    """The roots first."""
    web: list[int]
    """The bodies of its web, so that neighbours stand close to each other: if there are any, they are the roots."""


Neighbours = dict[int, list[tuple[int, Link]]]
"""What each body is linked to, and by what."""


def grow_trees(links: Iterable[Link], dynamic: set[int]) -> list[JointTree]:
    """What some links make, given in the order of their entities; the trees stand in the order of their first links.

    `dynamic` are the bodies that are. A link that has none of them is left out.
    """
    links = list(links)
    neighbours: Neighbours = {}
    for link in links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            if one in dynamic:
                neighbours.setdefault(one, []).append((other, link))
    looped = _looped(neighbours, dynamic)
    in_webs: dict[int, list[Branch]] = {}
    for link in links:
        if link.a in looped and link.b in looped:
            branch = Branch(link.entity, link.joint, link.kind, link.b, link.a, True, True, 0, 0)
            in_webs.setdefault(link.a, []).append(branch)
    found: list[JointTree] = []
    seen: set[int] = set()
    for link in links:
        body = link.a if link.a in dynamic else link.b
        if body in dynamic and body not in seen:
            web = _ordered([one for one in _spread(body, neighbours, dynamic) if one in looped], neighbours, looped)
            branches, bodies = _grow(web or [_middle(body, neighbours, dynamic)], neighbours, dynamic)
            branches.extend(sorted(branch for one in web for branch in in_webs.get(one, ())))
            found.append(JointTree(np.array(branches, np.int64), bodies, web))
            seen.update(bodies)
    return found


def _looped(neighbours: Neighbours, dynamic: set[int]) -> set[int]:
    """The bodies of all webs."""
    count = {body: sum(other in dynamic for other, _ in linked) for body, linked in neighbours.items()}
    waiting = [body for body, others in count.items() if others <= 1]
    looped = set(count).difference(waiting)
    for body in waiting:
        for other, _ in neighbours[body]:
            if other in looped:
                count[other] -= 1
                if count[other] <= 1:
                    looped.discard(other)
                    waiting.append(other)
    return looped


def _ordered(web: list[int], neighbours: Neighbours, looped: set[int]) -> list[int]:
    """The bodies of a web as Cuthill and McKee order them: outwards from its rim, those with few neighbours first.

    Hubs stand last: taken out early, they would join all of their spokes with each other.
    """
    hubs = [body for body in web if len(neighbours[body]) > MANY]
    others = looped.difference(hubs)
    found: dict[int, None] = {}
    for body in web:
        if body in found or body not in others:
            continue
        rim = next(reversed(_spread(body, neighbours, others)))
        found[rim] = None
        waiting = deque([rim])
        while waiting:
            near = {one: None for one, _ in neighbours[waiting.popleft()] if one in others and one not in found}
            nearest = sorted(near, key=lambda one: len(neighbours[one]))
            found.update(dict.fromkeys(nearest))
            waiting.extend(nearest)
    return [*found, *hubs]


def _spread(start: int, neighbours: Neighbours, dynamic: set[int]) -> dict[int, int]:
    """The bodies that can be reached from one, nearest first, and where each was reached from."""
    found, waiting = {start: NOBODY}, deque([start])
    while waiting:
        body = waiting.popleft()
        for other, _ in neighbours.get(body, ()):
            if other in dynamic and other not in found:
                found[other] = body
                waiting.append(other)
    return found


def _middle(body: int, neighbours: Neighbours, dynamic: set[int]) -> int:
    """The middle of the longest way through a tree."""
    end = next(reversed(_spread(body, neighbours, dynamic)))
    before = _spread(end, neighbours, dynamic)
    way = [next(reversed(before))]
    while before[way[-1]] != NOBODY:
        way.append(before[way[-1]])
    return way[len(way) // 2]


def _grow(roots: list[int], neighbours: Neighbours, dynamic: set[int]) -> tuple[list[Branch], list[int]]:
    """The branches of one tree, or of all that hang on a web, but for its own; and the bodies."""
    branches: list[Branch] = []
    levels = dict.fromkeys(roots, 0)
    waiting = deque(roots)
    while waiting:
        parent = waiting.popleft()
        level, siblings = levels[parent], Counter[int]()
        for child, link in neighbours.get(parent, ()):
            if child in levels:
                continue  # where it came from, or another body of the web
            sibling, b_is_child = siblings[link.kind], child == link.b
            branches.append(
                Branch(link.entity, link.joint, link.kind, child, parent, b_is_child, False, level, sibling)
            )
            siblings[link.kind] += 1
            if child in dynamic:
                levels[child] = level + 1
                waiting.append(child)
    return branches, list(levels)
