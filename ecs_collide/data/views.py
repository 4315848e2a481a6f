"""Which components there are: those in C, or, where they were not built or are not wanted, those in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ecs_collide.kernels.extension import is_wanted

if TYPE_CHECKING:
    from ecs_collide.data.cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach
elif is_wanted("ecs_collide.data._cells"):
    from ecs_collide.data._cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach
else:
    from ecs_collide.data.cells import Cells, Field, Fields, Item, Numbers, Part, adopt, detach

__all__ = ["Cells", "Field", "Fields", "Item", "Numbers", "Part", "adopt", "detach"]
