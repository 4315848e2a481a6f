"""Recordings of worlds: a page that plays them, films, and arrays for plots."""

from typing import TYPE_CHECKING

from ecs_collide.kernels.lazy_names import names_on_demand

if TYPE_CHECKING:
    from ecs_collide.recording.record_block import record
    from ecs_collide.recording.recorder import Recorder
    from ecs_collide.recording.recording_data import ContactRecords, EventRecord, JointRecord, Mark, Recording, Track
else:  # hidden from type checkers, which would take every name as one of the package
    __getattr__, __dir__ = names_on_demand(
        __name__,
        {
            "ecs_collide.recording.record_block": "record",
            "ecs_collide.recording.recorder": "Recorder",
            "ecs_collide.recording.recording_data": "ContactRecords EventRecord JointRecord Mark Recording Track",
        },
    )


__all__ = ["ContactRecords", "EventRecord", "JointRecord", "Mark", "Recorder", "Recording", "Track", "record"]
