"""Which components there are: those in C, or, where they were not built or are not wanted, those in Python."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ecs_collide.columns.cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach
else:
    try:
        if os.environ.get("ECS_COLLIDE_VIEWS") == "python":
            raise ImportError("not wanted")
        from ecs_collide.columns._cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach
    except ImportError:
        from ecs_collide.columns.cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach

__all__ = ["Cells", "Field", "Fields", "Item", "Numbers", "Part", "adopt", "detach"]
