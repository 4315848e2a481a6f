"""Structure of the joint graph: trees of joints, their roots and levels, and loops.

Trees end at static and kinematic bodies, and at the world: each joint with one of these is a leaf. Dynamic bodies are
*looped* if loops run through them, or if they stand between two loops. In graph theory they are the 2-core: the bodies
that remain when bodies with a single joint to others are removed again and again. All other joints make trees. Their
roots are the looped bodies, or else the middle of the tree, so that few blocks stand one behind the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

NO_BODY = -1
HUB_NEIGHBOURS = 12
"""A body of a loop with more neighbours is a hub."""


class Link(NamedTuple):
    """A joint between two body rows; NOBODY stands for the world."""

    entity: int
    joint: int
    """Joint row."""
    kind: int
    a: int
    b: int
    prevents_collision: bool = False
    """True if the two bodies do not collide."""


class Branch(NamedTuple):
    """A joint with its place in a tree, see BRANCH in `lane_assignment.py`."""

    entity: int
    joint: int
    kind: int
    child: int
    parent: int
    b_is_child: bool
    in_loop: bool
    level: int
    """Number of joints from the parent to the root; 0 in a loop."""
    sibling: int
    """Number of joints of its kind that hang on the parent before it; 0 in a loop."""


class JointTree(NamedTuple):
    """Dynamic bodies that joints hold together, and these joints."""

    branches: np.ndarray
    """Columns BRANCH; joints of loops stand last, in the order of their entities (j, 9) int64."""
    bodies: np.ndarray
    """Body rows, the roots first (n,) int64."""
    looped: list[int]
    """Bodies of its loops in the order of elimination; if there are any, they are the roots."""
    share: tuple[int, int, int]
    """Numbers of its joints, bodies and roots, see SHARE in `tree_blocks.py`."""


Neighbours = dict[int, list[tuple[int, Link]]]
"""Neighbour and link of each joint of a body."""


def grow_trees(links: Iterable[Link], dynamic: set[int]) -> list[JointTree]:
    """Return the trees that links make, in the order of their first links.

    Args:
        links: in the order of their entities. A link without a dynamic body is left out.
        dynamic: body rows of the dynamic bodies.
    """
    links = list(links)
    neighbours: Neighbours = {}
    for link in links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            if one in dynamic:
                neighbours.setdefault(one, []).append((other, link))
    looped = _find_loop_bodies(neighbours, dynamic)
    between_looped: dict[int, list[Branch]] = {}
    for link in links:
        if link.a in looped and link.b in looped:
            branch = _branch(link, link.a, in_loop=True)
            between_looped.setdefault(link.a, []).append(branch)
    found: list[JointTree] = []
    seen: set[int] = set()
    for link in links:
        body = link.a if link.a in dynamic else link.b
        if body in dynamic and body not in seen:
            loops = _order_loop_bodies(
                [one for one in _search_outwards(body, neighbours, dynamic) if one in looped], neighbours, looped
            )
            branches, bodies = _grow(loops or [_middle(body, neighbours, dynamic)], neighbours, dynamic)
            branches.extend(sorted(branch for one in loops for branch in between_looped.get(one, ())))
            share = (len(branches), len(bodies), len(loops) or 1)
            rows = np.array(bodies, np.int64)
            found.append(JointTree(branches=np.array(branches, np.int64), bodies=rows, looped=loops, share=share))
            seen.update(bodies)
    return found


def _find_loop_bodies(neighbours: Neighbours, dynamic: set[int]) -> set[int]:
    """Return the bodies of all loops."""
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


def _order_loop_bodies(loops: list[int], neighbours: Neighbours, looped: set[int]) -> list[int]:
    """Return the bodies of loops in the order of Cuthill and McKee: outwards from the rim, few neighbours first.

    Hubs come last: if they were eliminated early, their spokes would all be joined with each other.
    """
    hubs = [body for body in loops if len(neighbours[body]) > HUB_NEIGHBOURS]
    others = looped.difference(hubs)
    found: dict[int, None] = {}
    for body in loops:
        if body in found or body not in others:
            continue
        rim = next(reversed(_search_outwards(body, neighbours, others)))
        found[rim] = None
        waiting = deque([rim])
        while waiting:
            near = {one: None for one, _ in neighbours[waiting.popleft()] if one in others and one not in found}
            nearest = sorted(near, key=lambda one: len(neighbours[one]))
            found.update(dict.fromkeys(nearest))
            waiting.extend(nearest)
    return [*found, *hubs]


def _search_outwards(start: int, neighbours: Neighbours, dynamic: set[int]) -> dict[int, int]:
    """Return the bodies that can be reached from one body, nearest first, with the body before each."""
    found, waiting = {start: NO_BODY}, deque([start])
    while waiting:
        body = waiting.popleft()
        for other, _ in neighbours.get(body, ()):
            if other in dynamic and other not in found:
                found[other] = body
                waiting.append(other)
    return found


def _middle(body: int, neighbours: Neighbours, dynamic: set[int]) -> int:
    """Return the middle of the longest path through a tree."""
    end = next(reversed(_search_outwards(body, neighbours, dynamic)))
    before = _search_outwards(end, neighbours, dynamic)
    way = [next(reversed(before))]
    while before[way[-1]] != NO_BODY:
        way.append(before[way[-1]])
    return way[len(way) // 2]


def _grow(roots: list[int], neighbours: Neighbours, dynamic: set[int]) -> tuple[list[Branch], list[int]]:
    """Return the branches of a tree, and its bodies.

    A tree with loops is all that hangs on these; the branches between looped bodies are left out.
    """
    branches: list[Branch] = []
    levels = dict.fromkeys(roots, 0)
    waiting = deque(roots)
    while waiting:
        parent = waiting.popleft()
        level, siblings = levels[parent], dict[int, int]()
        for child, link in neighbours.get(parent, ()):
            if child in levels:
                continue  # it is the parent, or another body of the loops
            sibling = siblings.get(link.kind, 0)
            branches.append(_branch(link, parent, level=level, sibling=sibling))
            siblings[link.kind] = sibling + 1
            if child in dynamic:
                levels[child] = level + 1
                waiting.append(child)
    return branches, list(levels)


def _branch(link: Link, parent: int, *, in_loop: bool = False, level: int = 0, sibling: int = 0) -> Branch:
    """Return the branch of a link whose body nearer to the root is `parent`."""
    b_is_child = link.a == parent
    return Branch(
        entity=link.entity,
        joint=link.joint,
        kind=link.kind,
        child=link.b if b_is_child else link.a,
        parent=parent,
        b_is_child=b_is_child,
        in_loop=in_loop,
        level=level,
        sibling=sibling,
    )
