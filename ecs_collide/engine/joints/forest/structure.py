"""Which bodies hang on which: trees of joints, their roots and levels, and the joints that close loops.

Trees end at static and kinematic bodies, and at the world: each joint with one is a leaf. Between dynamic bodies the
joints are taken in the order of their entities, those without a rigid row last, and each that joins two parts belongs
to the tree; the others close loops. A tree's root is its middle, so that few blocks stand one behind the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import NamedTuple

NOBODY = -1


class Link(NamedTuple):
    """A joint between the rows of two bodies, of which a static or kinematic one is no part of a tree."""

    joint: int
    kind: int
    a: int
    b: int
    is_loose: bool
    """Whether it has no rigid row."""


class Branch(NamedTuple):
    """A link with its place in a tree."""

    link: Link
    tree: int
    level: int
    """How many joints there are from the parent to the root; 0 where it closes a loop."""
    child: int
    parent: int
    closes_loop: bool


def grow_trees(links: Iterable[Link], dynamic: set[int]) -> tuple[list[Branch], dict[int, int]]:
    """The branches of the trees that some links make, given in the order of their entities; and each body's tree.

    `dynamic` are the bodies that are. A link that has none of them is left out.
    """
    links = list(links)
    neighbours: dict[int, list[tuple[int, Link]]] = {}
    root = {body: body for link in links for body in (link.a, link.b) if body in dynamic}
    closing = []
    for link in sorted(links, key=lambda link: link.is_loose):
        a, b = link.a, link.b
        if a in dynamic and b in dynamic:
            part_a, part_b = _root(a, root), _root(b, root)
            if part_a == part_b:
                closing.append(link)
                continue
            root[max(part_a, part_b)] = min(part_a, part_b)
        for one, other in ((a, b), (b, a)):
            if one in dynamic:
                neighbours.setdefault(one, []).append((other, link))
    branches: list[Branch] = []
    trees: dict[int, int] = {}
    count = 0
    for link in links:
        body = link.a if link.a in dynamic else link.b
        if body in dynamic and body not in trees:
            _grow(_middle(body, neighbours, dynamic), count, neighbours, dynamic, branches, trees)
            count += 1
    branches += [Branch(link, trees[link.a], 0, link.b, link.a, True) for link in closing]
    return branches, trees


def _root(body: int, root: dict[int, int]) -> int:
    while root[body] != body:
        root[body] = root[root[body]]
        body = root[body]
    return body


def _spread(start: int, neighbours: dict[int, list[tuple[int, Link]]], dynamic: set[int]) -> dict[int, int]:
    """The bodies that can be reached from one, nearest first, and where each was reached from."""
    found, waiting = {start: NOBODY}, deque([start])
    while waiting:
        body = waiting.popleft()
        for other, _ in neighbours.get(body, ()):
            if other in dynamic and other not in found:
                found[other] = body
                waiting.append(other)
    return found


def _middle(body: int, neighbours: dict[int, list[tuple[int, Link]]], dynamic: set[int]) -> int:
    """The middle of the longest way through a tree."""
    end = next(reversed(_spread(body, neighbours, dynamic)))
    before = _spread(end, neighbours, dynamic)
    way = [next(reversed(before))]
    while before[way[-1]] != NOBODY:
        way.append(before[way[-1]])
    return way[len(way) // 2]


def _grow(
    root: int,
    tree: int,
    neighbours: dict[int, list[tuple[int, Link]]],
    dynamic: set[int],
    branches: list[Branch],
    trees: dict[int, int],
) -> None:
    """Append the branches of one tree."""
    trees[root] = tree
    waiting = deque([(root, 0)])
    while waiting:
        parent, level = waiting.popleft()
        for child, link in neighbours.get(parent, ()):
            if child in trees and child in dynamic:
                continue  # where it came from
            branches.append(Branch(link, tree, level, child, parent, False))
            if child in dynamic:
                trees[child] = tree
                waiting.append((child, level + 1))
