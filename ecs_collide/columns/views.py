"""Which components there are: those in C, or, where they were not built or are not wanted, those in Python."""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ecs_collide.columns.cells import Cells, Field, Fields, Numbers, Part
else:
    try:
        wanted = "cells" if os.environ.get("ECS_COLLIDE_VIEWS") == "python" else "_cells"
        made_of = import_module(f"ecs_collide.columns.{wanted}")
    except ImportError:
        made_of = import_module("ecs_collide.columns.cells")
    Cells, Field, Fields, Numbers, Part = (
        getattr(made_of, name) for name in ("Cells", "Field", "Fields", "Numbers", "Part")
    )

__all__ = ["Cells", "Field", "Fields", "Numbers", "Part"]
