import numpy as np
import pytest

from ecs_collide.shapes.piece import PieceKind, edge_normals


def test_kinds_index_tables() -> None:
    assert [kind.name for kind in sorted(PieceKind)] == [
        "CIRCLE",
        "CAPSULE",
        "POLYGON",
        "OUTLINE",
        "HALF_PLANE",
        "RING",
    ]
    assert list(PieceKind) == [0, 1, 2, 3, 4, 5]


def test_edge_normals_point_right() -> None:
    normals = edge_normals(np.array([(0.0, 0.0), (4.0, 0.0), (4.0, 3.0)]))
    np.testing.assert_allclose(normals, [(0, -1), (1, 0), (-0.6, 0.8)], rtol=1e-15)


@pytest.mark.parametrize("size", [1e-300, 1e300])
def test_edge_normals_of_any_size(size: float) -> None:
    normals = edge_normals(np.array([(0.0, 0.0), (3.0 * size, 4.0 * size)]))
    np.testing.assert_allclose(normals, [(0.8, -0.6), (-0.8, 0.6)], rtol=1e-15)
