"""The base of the systems: processors of esper that run a part of a step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar

import esper

from ecs_collide.errors import PhysicsError

if TYPE_CHECKING:
    from ecs_collide.api.world import PhysicsWorld


class System(esper.Processor):
    """A processor that belongs to the physics of an esper world; its time is recorded under the name of its class."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self.physics = physics
        self.pipeline = physics.pipeline

    def __getattr__(self, name: str) -> Any:
        """Raise the error for an attribute that is missing: `__init__` sets two that a derived class may forget."""
        kind = type(self).__name__
        if name in ("physics", "pipeline"):
            raise PhysicsError(f"{kind}.__init__ must call super().__init__(physics)")
        raise AttributeError(f"{kind!r} object has no attribute {name!r}")

    def process(self, *args: Any, **kwargs: Any) -> None:
        self.measure(args, kwargs)

    def measure(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Run the system and record its time."""
        start = perf_counter()
        try:
            self.run(*args, **kwargs)
        finally:
            self.physics.statistics.record(type(self).__name__, perf_counter() - start)

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Do the work of the system; the arguments are those of `esper.process`."""
        raise NotImplementedError

    def disconnect(self) -> None:
        """Forget other processors, after the system was removed from esper."""


class StepSystem(System):
    """One of the five systems of a step.

    It runs a slice of the step plan: its own part, and those of the systems that follow at once. These have nothing
    left to do then. A processor of the game in between ends the slice, and so does a system that a game has derived.
    """

    number: ClassVar[int]
    """The place of the system in the schedule."""

    def __init__(self, physics: PhysicsWorld) -> None:
        super().__init__(physics)
        self._number = self.number
        self._is_derived = "number" not in vars(type(self))
        self._order: list[esper.Processor] | None = None
        """The processors of the world for which `_slice_end` was found."""
        self._slice_end = self.number

    def process(self, *args: Any, **kwargs: Any) -> None:
        if self.pipeline.last_done >= self._number:
            return
        if self._is_derived:
            self.measure(args, kwargs)
        else:
            self.run(*args, **kwargs)

    def run(self, *args: Any, **kwargs: Any) -> None:
        """Run the slice that begins with this system."""
        self.pipeline.run(self.number, self.slice_end())

    def disconnect(self) -> None:
        self._order = None

    def slice_end(self) -> int:
        """Return the number of the last system that follows with no other processor in between."""
        if self._order != esper._processors:
            self._order = list(esper._processors)
            self._slice_end = self._find_slice_end(self._order)
        return self._slice_end

    def _find_slice_end(self, order: Sequence[esper.Processor]) -> int:
        self._check_for_doubles(order)
        if self._is_derived or self not in order:
            return self.number
        end = self.number
        for processor in order[order.index(self) + 1 :]:
            if not isinstance(processor, StepSystem) or processor._is_derived:
                break
            if processor.physics is not self.physics or processor.number != end + 1:
                break
            end = processor.number
        return end

    def _check_for_doubles(self, order: Sequence[esper.Processor]) -> None:
        present: dict[int, StepSystem] = {}
        for processor in order:
            if isinstance(processor, StepSystem) and processor.physics is self.physics:
                other = present.setdefault(processor.number, processor)
                if other is not processor:
                    raise PhysicsError(
                        f"{type(processor).__name__} runs after {type(other).__name__} in this step: has a system been "
                        "added twice? Remove one of them from esper. The step was not made"
                    )


def present_systems() -> Iterator[System]:
    """Yield the systems in the current esper world in their order, those included that a game has derived from them."""
    for processor in esper._processors:
        if isinstance(processor, System):
            yield processor
