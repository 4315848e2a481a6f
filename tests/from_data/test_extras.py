"""Libraries of the functions for data: each is needed by its own function alone, and named if it is missing."""

from __future__ import annotations

import pytest

from tests.support.processes import run_script


@pytest.mark.parametrize(
    ("module", "name", "said"),
    [
        ("shapely", "from_shapely", 'shapely is not installed: pip install "ecs_collide[shapely]"'),
        ("shapely", "to_shapely", 'shapely is not installed: pip install "ecs_collide[shapely]"'),
        ("contourpy", "from_image", 'contourpy is not installed: pip install "ecs_collide[images]"'),
        ("svgelements", "from_svg", 'svgelements is not installed: pip install "ecs_collide[svg]"'),
        ("pytmx", "from_tiled", 'pytmx is not installed: pip install "ecs_collide[tiled]"'),
        ("pytmx", "tiled_points", 'pytmx is not installed: pip install "ecs_collide[tiled]"'),
    ],
)
def test_a_missing_library_is_named_with_its_extra(module: str, name: str, said: str) -> None:
    script = (
        f"import sys; sys.modules[{module!r}] = None\n"
        "from ecs_collide import from_data\n"
        "print(from_data.PlacedShape.__name__)\n"
        f"try:\n    from_data.{name}\nexcept ImportError as error:\n    print(error)"
    )
    assert run_script(script).splitlines() == ["PlacedShape", said]


def test_a_map_of_tiled_needs_pytmx_alone() -> None:
    script = (
        "import sys\n"
        "for module in ('shapely', 'contourpy', 'svgelements', 'PIL'): sys.modules[module] = None\n"
        "from pathlib import Path\n"
        "import ecs_collide.demos\n"
        "from ecs_collide.from_data import from_tiled\n"
        "print(len(from_tiled(Path(ecs_collide.demos.__path__[0]) / 'data' / 'cave.tmx', only=['ground'])) > 10)"
    )
    assert run_script(script).splitlines()[-1] == "True"


def test_without_pillow_a_file_names_the_extra() -> None:
    script = (
        "import sys; sys.modules['PIL'] = None\n"
        "from ecs_collide.from_data import from_image\n"
        "print(len(from_image([[1]])))\n"
        "try:\n    from_image('a.png')\nexcept ImportError as error:\n    print(error)"
    )
    assert run_script(script).splitlines() == ["1", 'Pillow is not installed: pip install "ecs_collide[images]"']
