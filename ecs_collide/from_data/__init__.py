"""Shapes from data: geometry of shapely, images, maps of Tiled and SVG files.

Each function takes data and returns a list of `PlacedShape`: shapes with poses, names and properties.

    from ecs_collide.from_data import from_svg

    for thing in from_svg("level.svg", scale=0.02):
        esper.create_entity(*thing.components(friction=0.6))

| function                     | data                                       | extra     |
|------------------------------|--------------------------------------------|-----------|
| `from_shapely`, `to_shapely` | geometry of shapely                        | `shapely` |
| `from_image`                 | the alpha channel of an image, or an array | `images`  |
| `from_svg`                   | the paths of an SVG file                   | `svg`     |
| `from_tiled`, `tiled_points` | a map of Tiled, read by pytmx              | `tiled`   |

Each extra installs the libraries that its functions need: `pip install ecs_collide[svg]`.
"""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.from_data.image_outlines import from_image
    from ecs_collide.from_data.placed import Marker, PlacedShape
    from ecs_collide.from_data.shapely_geometry import from_shapely
    from ecs_collide.from_data.shapely_union import to_shapely
    from ecs_collide.from_data.svg_paths import from_svg
    from ecs_collide.from_data.tiled_map import from_tiled, tiled_points
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.from_data.image_outlines": "from_image",
            "ecs_collide.from_data.placed": "Marker PlacedShape",
            "ecs_collide.from_data.shapely_geometry": "from_shapely",
            "ecs_collide.from_data.shapely_union": "to_shapely",
            "ecs_collide.from_data.svg_paths": "from_svg",
            "ecs_collide.from_data.tiled_map": "from_tiled tiled_points",
        },
    )

__all__ = [
    "Marker",
    "PlacedShape",
    "from_image",
    "from_shapely",
    "from_svg",
    "from_tiled",
    "tiled_points",
    "to_shapely",
]
