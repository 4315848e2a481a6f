"""Runnable scenes: `python -m ecs_collide.demos` lists them. Each is one file that checks its own outcome."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
