"""Drawing of worlds as the engine sees them: in a window, as a picture, and in a notebook.

`scene()` describes the current esper world in numpy arrays. Backends draw such a description:

    draw.pygame(screen)                         pygame-ce
    draw.Pyglet().draw()                        pyglet and arcade
    draw.pillow().save("world.png")             Pillow; `draw.save_gif` writes films
    draw.scene().svg()                          SVG text; a notebook shows `physics` and scenes by itself
    draw.matplotlib(axes)                       matplotlib

Each library is needed only by its own backend. `outline(shape)` returns the polygons of one shape.
"""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.draw.camera import Camera, ViewBox
    from ecs_collide.draw.describe import scene
    from ecs_collide.draw.on_matplotlib import matplotlib
    from ecs_collide.draw.on_pillow import pillow, save_gif
    from ecs_collide.draw.on_pygame import pygame
    from ecs_collide.draw.on_pyglet import Pyglet
    from ecs_collide.draw.scene_description import Scene
    from ecs_collide.draw.scene_parts import Ghost, Label, Stroke
    from ecs_collide.draw.shape_outline import Outline, outline
    from ecs_collide.draw.style import DARK, LIGHT, Colour, Colours, Show
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.draw.camera": "Camera ViewBox",
            "ecs_collide.draw.describe": "scene",
            "ecs_collide.draw.on_matplotlib": "matplotlib",
            "ecs_collide.draw.on_pillow": "pillow save_gif",
            "ecs_collide.draw.on_pygame": "pygame",
            "ecs_collide.draw.on_pyglet": "Pyglet",
            "ecs_collide.draw.scene_description": "Scene",
            "ecs_collide.draw.scene_parts": "Ghost Label Stroke",
            "ecs_collide.draw.shape_outline": "Outline outline",
            "ecs_collide.draw.style": "DARK LIGHT Colour Colours Show",
        },
    )

__all__ = [
    "DARK",
    "LIGHT",
    "Camera",
    "Colour",
    "Colours",
    "Ghost",
    "Label",
    "Outline",
    "Pyglet",
    "Scene",
    "Show",
    "Stroke",
    "ViewBox",
    "matplotlib",
    "outline",
    "pillow",
    "pygame",
    "save_gif",
    "scene",
]
