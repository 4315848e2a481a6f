"""What the five systems share: the world they work on, and their time in its statistics."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any

import esper

if TYPE_CHECKING:
    from ecs_collide.api.world import PhysicsWorld


class System(esper.Processor):
    """A stage of the step as an esper processor; it ignores the arguments of `esper.process`."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self.physics = physics
        self.pipeline = physics.pipeline
        self._name = type(self).__name__
        self._statistics = physics.statistics

    def process(self, *args: Any, **kwargs: Any) -> None:
        self.measure(args, kwargs)

    def measure(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Run the stage and note how long it took."""
        start = perf_counter()
        try:
            self.run(*args, **kwargs)
        finally:
            self._statistics.milliseconds[self._name] = 1e3 * (perf_counter() - start)

    def run(self, *args: Any, **kwargs: Any) -> None:
        """The stage itself."""
        raise NotImplementedError


class Later(System):
    """A system after Synchronise, which makes the whole step where nothing stands between the systems."""

    def process(self, *args: Any, **kwargs: Any) -> None:
        if not self.pipeline.is_made:
            self.measure(args, kwargs)


def present_systems() -> Iterator[System]:
    """The systems in the current esper world, those included that a game has derived from them."""
    kinds: list[type[System]] = [System]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
        processor = esper.get_processor(kind)
        if isinstance(processor, System):
            yield processor
