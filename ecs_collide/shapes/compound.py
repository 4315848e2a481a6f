"""Several shapes that move as one body."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from ecs_collide.shapes import mass
from ecs_collide.shapes.flush import hide_covered_edges
from ecs_collide.shapes.material import Material, check_materials
from ecs_collide.shapes.piece import Piece
from ecs_collide.shapes.shape import Shape
from ecs_collide.validate import finite

PartPose: TypeAlias = tuple[float, float, float]
"""x [m], y [m] and angle [rad], counter-clockwise."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Compound(Shape):
    """The union of several shapes.

    A part is rotated about its own origin by its angle, then moved. Parts may be compounds.

    Where parts overlap, the mass counts twice. The density of a collider counts for each part as for the part alone:
    mass per area [kg/m²] for solids, mass per length [kg/m] for segments and chains. If a part is unbounded, the
    compound is unbounded as well and has infinite area.

    Parts with straight edges and no radius, segments and chains too, have no seams where they meet or overlap. A body
    that slides across other parts may catch on the seam between them.

    Args:
        parts: shapes, or pairs of a shape and its pose (x [m], y [m], angle [rad]).
        materials: material of each part; with None the part keeps its own ones, or that of the collider. Empty if no
            part has one here.

    Raises:
        TypeError: a part is neither a shape nor a pair of a shape and a pose, or a material is no `Material`.
        ValueError: there is no part, or a pose does not have three finite numbers. The number of materials is not that
            of the parts.
    """

    parts: tuple[tuple[Shape, PartPose], ...]
    """Shape and pose of each part."""
    materials: tuple[Material | None, ...] = ()
    """Material of each part; with None the part keeps its own ones. Empty if no part has one here."""

    def __init__(
        self,
        parts: Sequence[Shape | tuple[Shape, Sequence[float]]],
        *,
        materials: Sequence[Material | None] = (),
    ) -> None:
        if isinstance(parts, Shape) or not hasattr(parts, "__iter__"):
            raise TypeError(f"Compound.parts must be a sequence of shapes or (shape, pose) pairs, got {parts!r}")
        placed = tuple(_parse_part(part, f"Compound.parts[{index}]") for index, part in enumerate(parts))
        if not placed:
            raise ValueError("Compound.parts must hold at least one shape")
        checked = check_materials(materials, len(placed), "Compound.materials", "parts")
        self._store(parts=placed, materials=checked)

    def pieces(self) -> tuple[Piece, ...]:
        materials = self.materials or (None,) * len(self.parts)
        is_one = len(self.parts) == 1
        return hide_covered_edges(
            [
                [
                    (piece.turned(angle) if angle else piece)
                    .moved(np.array((x, y)))
                    ._replace(part=piece.part if is_one else number, material=material or piece.material)
                    for piece in shape.pieces()
                ]
                for number, ((shape, (x, y, angle)), material) in enumerate(zip(self.parts, materials, strict=True))
            ]
        )

    def mass_properties(self) -> mass.MassProperties:
        """Return the sums over the parts: area [m²], or length [m] for lines, and second moment."""
        if not self.is_bounded:
            return mass.MassProperties(math.inf, (0.0, 0.0), math.inf)
        return mass.combine(
            mass.translated(mass.rotated(shape.mass_properties(), angle), (x, y)) for shape, (x, y, angle) in self.parts
        )

    @property
    def is_bounded(self) -> bool:
        """True if all parts are bounded."""
        return all(shape.is_bounded for shape, _ in self.parts)


def _parse_part(part: object, name: str) -> tuple[Shape, PartPose]:
    """Return a part with its pose."""
    if isinstance(part, Shape):
        return part, (0.0, 0.0, 0.0)
    if not isinstance(part, Sequence) or len(part) != 2 or not isinstance(part[0], Shape):
        raise TypeError(f"{name} must be a shape or a (shape, pose) pair, got {part!r}")
    shape, pose = part
    if isinstance(pose, str) or not hasattr(pose, "__len__") or not hasattr(pose, "__getitem__"):
        raise TypeError(f"the pose of {name} must be (x, y, angle), got {pose!r}")
    if len(pose) != 3:
        raise ValueError(f"the pose of {name} must be (x, y, angle), got {pose!r}")
    x, y, angle = (finite(value, f"the pose of {name}[{index}]") for index, value in enumerate(pose))
    return shape, (x, y, angle)
