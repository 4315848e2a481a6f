"""Runnable scenes: `python -m ecs_collide.demos` lists them. Each is one file, with a check of its own outcome."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
