"""Playing a demo in a window, in real time."""

from __future__ import annotations

import os

import pygame

from ecs_collide import draw
from ecs_collide.demos.picture import Photographer, camera_of
from ecs_collide.demos.scene import DT, Demo, Keys, Run

WIDTH = 1080
OVERSAMPLING = 2
"""Factor by which pictures are drawn larger and then scaled down smoothly, which makes edges smooth."""
STEPS_PER_SECOND = 60
MOST_STEPS = 4
"""Greatest number of steps between two pictures; a slower machine plays slowly."""
UNSEEN_DRIVERS = ("dummy", "offscreen", "evdev")
"""Video drivers that SDL uses without a display."""


class NoDisplayError(Exception):
    """No display for a window."""


def play(name: str, make: type[Demo], frames: int | None) -> None:
    """Show the demo until the window is closed, or for `frames` steps.

    Raises NoDisplayError if there is no display, unless SDL_VIDEODRIVER is set.
    """
    try:
        pygame.display.init()
        screen = pygame.display.set_mode((WIDTH, WIDTH // 2))
    except pygame.error as error:
        raise NoDisplayError(str(error)) from error
    if pygame.display.get_driver() in UNSEEN_DRIVERS and "SDL_VIDEODRIVER" not in os.environ:
        pygame.display.quit()
        raise NoDisplayError("no screen found")
    try:
        pygame.display.set_caption(f"ecs_collide: {name}")
        print(f"{name}: R restarts, P pauses, Esc ends. {make.keys_help}".rstrip())
        while True:
            with Run(name, make) as run:
                camera = camera_of(run.demo, WIDTH)
                if screen.get_size() != camera.size:
                    screen = pygame.display.set_mode(camera.size)
                if not _play_once(run, camera, screen, frames):
                    return
    finally:
        pygame.display.quit()


def _play_once(run: Run, camera: draw.Camera, screen: pygame.Surface, frames: int | None) -> bool:
    """Play until the user ends it (return False) or restarts it (return True)."""
    clock, photographer = pygame.time.Clock(), Photographer(run.demo)
    canvas = pygame.Surface((OVERSAMPLING * camera.size[0], OVERSAMPLING * camera.size[1]))
    paused = False
    due = 1.0
    while frames is None or run.frame < frames:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                return False
            if event.type == pygame.KEYDOWN:
                if event.key == pygame.K_ESCAPE:
                    return False
                if event.key == pygame.K_r:
                    return True
                if event.key == pygame.K_p:
                    paused = not paused
        steps, due = _whole(due)
        for _ in range(0 if paused else steps):
            if run.frame != frames:
                _step(run, camera)
        canvas.fill(run.demo.background)
        enlarged = draw.Camera(canvas.get_size(), camera.center, OVERSAMPLING * camera.scale)
        scene = photographer.photograph(run.frame * DT, run.caption(), camera.scale)
        draw.pygame(canvas, scene, enlarged, enlarged=OVERSAMPLING)
        pygame.transform.smoothscale(canvas, camera.size, screen)
        pygame.display.flip()
        due += 1e-3 * clock.tick(STEPS_PER_SECOND) * STEPS_PER_SECOND
    return False


def _whole(due: float) -> tuple[int, float]:
    """Return the number of steps to make of `due` ones, and the rest: drawing may take longer than a step."""
    steps = round(due)
    return (steps, due - steps) if steps <= MOST_STEPS else (MOST_STEPS, 0.0)


def _step(run: Run, camera: draw.Camera) -> None:
    run.step(_keys(camera) if run.demo.keys_help else None)
    if run.frame == run.demo.frames and (outcome := run.failure or run.result):
        print(f"{run.name}: {outcome}")


def _keys(camera: draw.Camera) -> Keys:
    pointer = camera.to_world(*pygame.mouse.get_pos()) if pygame.mouse.get_focused() else None
    held = pygame.key.get_pressed()
    right = held[pygame.K_RIGHT] or held[pygame.K_d]
    left = held[pygame.K_LEFT] or held[pygame.K_a]
    return Keys(float(right) - float(left), held[pygame.K_SPACE] or held[pygame.K_UP] or held[pygame.K_w], pointer)
