"""Which bodies hang on which: trees of joints, their roots and levels, and the webs that loops make.

Trees end at static and kinematic bodies, and at the world: each joint with one is a leaf. Of dynamic bodies those that
loops run through, or that stand between two loops, are a *web* (in graph theory the 2-core): what is left when bodies
with a single joint to others are taken away, as long as there are any. All other joints make trees: their roots are
the bodies of a web, or where there is none a tree's middle, so that few blocks stand one behind the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

NOBODY = -1
MANY = 12
"""A body of a web with more neighbours is a hub."""


class Link(NamedTuple):
    """A joint between the rows of two bodies, of which a static or kinematic one is no part of a tree."""

    joint: int
    kind: int
    a: int
    b: int


class Branch(NamedTuple):
    """A link with its place in a tree."""

    link: Link
    tree: int
    level: int
    """How many joints there are from the parent to the root; 0 in a web."""
    child: int
    parent: int
    in_web: bool


Neighbours = dict[int, list[tuple[int, Link]]]
"""What each body is linked to, and by what."""


class Forest(NamedTuple):
    """What some links make."""

    branches: list[Branch]
    """All links, tree by tree."""
    trees: dict[int, int]
    """The tree, with its web, of each body."""
    web: list[int]
    """The bodies of webs, one web behind the other, so that neighbours stand close to each other."""


def grow_trees(links: Iterable[Link], dynamic: set[int]) -> Forest:
    """What some links make, given in the order of their entities.

    `dynamic` are the bodies that are. A link that has none of them is left out.
    """
    links = list(links)
    neighbours: Neighbours = {}
    for link in links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            if one in dynamic:
                neighbours.setdefault(one, []).append((other, link))
    looped = _looped(neighbours, dynamic)
    forest = Forest([], {}, [])
    count = 0
    for link in links:
        body = link.a if link.a in dynamic else link.b
        if body in dynamic and body not in forest.trees:
            web = _ordered([one for one in _spread(body, neighbours, dynamic) if one in looped], neighbours, looped)
            forest.web.extend(web)
            _grow(web or [_middle(body, neighbours, dynamic)], count, neighbours, dynamic, forest)
            count += 1
    in_web = (link for link in links if link.a in looped and link.b in looped)
    forest.branches.extend(Branch(link, forest.trees[link.a], 0, link.b, link.a, True) for link in in_web)
    return forest


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


def _grow(roots: list[int], tree: int, neighbours: Neighbours, dynamic: set[int], forest: Forest) -> None:
    """Append the branches of one tree, or of all that hang on a web."""
    trees = forest.trees
    trees.update(dict.fromkeys(roots, tree))
    waiting = deque((root, 0) for root in roots)
    while waiting:
        parent, level = waiting.popleft()
        for child, link in neighbours.get(parent, ()):
            if child in trees and child in dynamic:
                continue  # where it came from, or another body of the web
            forest.branches.append(Branch(link, tree, level, child, parent, False))
            if child in dynamic:
                trees[child] = tree
                waiting.append((child, level + 1))
