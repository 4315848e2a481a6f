"""Drawing of scenes in windows of pyglet and arcade.

Everything becomes triangles of one vertex list, which is kept from frame to frame. Making shapes of pyglet anew in each
frame would take a hundred times as long.
"""

from __future__ import annotations

from typing import Any

from ecs_collide.api.world import PhysicsWorld
from ecs_collide.draw.camera import Camera
from ecs_collide.draw.describe import scene as present_scene
from ecs_collide.draw.kept_cameras import kept_camera
from ecs_collide.draw.missing import library_missing
from ecs_collide.draw.pen import FONT_HEIGHT, Pixel, draw
from ecs_collide.draw.scene_description import Scene
from ecs_collide.draw.style import DARK, Colour, Colours, Paint, Show
from ecs_collide.draw.triangle_pen import TrianglePen
from ecs_collide.draw.triangles import Triangles

try:
    import pyglet
except ImportError as error:
    raise library_missing("pyglet", "pyglet") from error

VERTEX_SHADER = """#version 150 core
in vec2 position;
in vec4 colors;
out vec4 tint;
uniform WindowBlock { mat4 projection; mat4 view; } window;
void main() {
    gl_Position = window.projection * window.view * vec4(position, 0.0, 1.0);
    tint = colors;
}
"""
FRAGMENT_SHADER = """#version 150 core
in vec4 tint;
out vec4 colour;
void main() { colour = tint; }
"""


class Pyglet:
    """A painter of worlds in a window of pyglet or arcade; make one, and call `draw` in each frame.

    Args:
        window: the window.
        camera: the part of the world to show. Without one, the first frame chooses a camera that fits the world.
        show: switches of the parts to show.
        colours: colours of bodies and marks.
        paint: function that returns the colour of an entity, or None for the colour of its state.
    """

    def __init__(
        self,
        window: Any,
        camera: Camera | None = None,
        *,
        show: Show | None = None,
        colours: Colours = DARK,
        paint: Paint | None = None,
    ) -> None:
        """Make a painter for a window."""
        from pyglet.graphics.shader import Shader, ShaderProgram  # it needs a window to be there

        self.camera, self.show, self.colours, self.paint = camera, show, colours, paint
        self._window = window
        self._batch = pyglet.graphics.Batch()
        self._program = ShaderProgram(Shader(VERTEX_SHADER, "vertex"), Shader(FRAGMENT_SHADER, "fragment"))
        self._vertices: Any = None
        self._labels: list[Any] = []

    def draw(self, world: PhysicsWorld | Scene | None = None) -> None:
        """Draw the current world, or a scene, over what the window shows.

        Args:
            world: physics of the current world if it is at hand, or a scene that is drawn instead.
        """
        size = self._window.get_size()
        if isinstance(world, Scene):
            scene, camera = world, self.camera or world.camera(size)
        else:
            camera = self.camera or kept_camera(world, size)
            scene = present_scene(world, self.show, self.colours, paint=self.paint, scale=camera.scale)
        pen = TrianglePen()
        draw(scene, camera, pen)
        self._fill(pen.triangles, size[1])
        self._write(pen.texts, size[1])
        self._batch.draw()
        for label in self._labels:
            label.draw()

    def _fill(self, triangles: Triangles, height: int) -> None:
        """Put the triangles into the vertex list; pyglet's y points up."""
        points, colours = triangles.arrays()
        points[:, 1] = height - points[:, 1]
        if self._vertices is not None and len(points) == 0:
            self._vertices.delete()
            self._vertices = None
        if len(points) == 0:
            return
        if self._vertices is None:
            self._vertices = self._program.vertex_list(
                len(points), pyglet.gl.GL_TRIANGLES, batch=self._batch, position="f", colors="Bn"
            )
        elif self._vertices.count != len(points):
            self._vertices.resize(len(points))
        self._vertices.position[:] = points.ravel().tolist()
        self._vertices.colors[:] = colours.ravel().tolist()

    def _write(self, texts: list[tuple[Pixel, str, Colour, bool]], height: int) -> None:
        """Update the labels, one for each text."""
        while len(self._labels) > len(texts):
            self._labels.pop().delete()
        while len(self._labels) < len(texts):
            self._labels.append(pyglet.text.Label(font_size=0.75 * FONT_HEIGHT))
        for label, ((x, y), text, colour, centered) in zip(self._labels, texts, strict=True):
            label.begin_update()
            label.text, label.x, label.y, label.color = text, x, height - y, (*colour, 255)
            label.anchor_x, label.anchor_y = ("center", "center") if centered else ("left", "top")
            label.end_update()
