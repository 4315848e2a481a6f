"""Drawings and recordings of bodies with several colliders."""

from __future__ import annotations

import esper
import numpy as np
import pytest

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.draw.style import State
from ecs_collide.recording import Recorder
from tests.support.worlds import dynamic, floor, run, static


def middles_and_states(scene: draw.Scene) -> dict[int, tuple[list[float], str]]:
    """Return the middle of the corners and the state of each polygon that is drawn, by its entity."""
    areas = scene.solids
    return {
        entity: (areas.points[start:end].mean(axis=0).tolist(), State(tone).name)
        for entity, tone, start, end in zip(
            areas.of.entity.tolist(), areas.of.tone.tolist(), areas.starts[:-1], areas.starts[1:], strict=True
        )
    }


@pytest.mark.usefixtures("fresh_world")
def test_parts_are_drawn_at_their_places_with_the_state_of_their_body() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    body = dynamic(ec.Box(2, 1), (3, 0.5))
    wing = esper.create_entity(ec.AttachedTo(body, 2, 0.25), ec.Collider(ec.Box(1, 0.5)))
    eye = esper.create_entity(ec.AttachedTo(body, -3, 1), ec.Transform(), ec.Collider(ec.Box(1, 1), sensor=True))
    rock = static(ec.Box(1, 1), (-9, 0.5))
    nose = esper.create_entity(ec.AttachedTo(rock, 0, 1), ec.Collider(ec.Box(1, 1)))
    places = {body: [3, 0.5], wing: [5, 0.75], eye: [0, 1.5], rock: [-9, 0.5], nose: [-9, 1.5]}
    states = {body: "DYNAMIC", wing: "DYNAMIC", eye: "SENSOR", rock: "STATIC", nose: "STATIC"}
    for steps in (0, 1):
        run(steps)
        drawn = middles_and_states(draw.scene())
        assert {entity: drawn[entity][1] for entity in places} == states
        for entity, place in places.items():
            assert drawn[entity][0] == pytest.approx(place, abs=0.01)
    run(120)
    assert not physics.is_awake(wing)
    assert middles_and_states(draw.scene())[wing][1] == "SLEEPING"
    esper.delete_entity(body)
    run()
    assert set(middles_and_states(draw.scene())) == {rock, nose}, "colliders without a body have no place"


@pytest.mark.usefixtures("fresh_world")
def test_velocities_and_boxes_are_drawn_for_bodies_and_colliders() -> None:
    ec.install()
    body = dynamic(ec.Box(2, 1), velocity=(1, 0))
    wing = esper.create_entity(ec.AttachedTo(body, 5, 0), ec.Collider(ec.Box(1, 1)))
    run(2)
    scene = draw.scene(show=draw.Show(velocities=True, centers=True, bounds=True))
    assert len(scene.marks.centers) == len(scene.marks.paths) == 1
    assert len(scene.marks.boxes) == 2
    only_wing = draw.scene(show=draw.Show(bounds=True), only=[wing]).marks.boxes
    assert only_wing.shape == (1, 4) and only_wing[0, 0] > 4


@pytest.mark.usefixtures("fresh_world")
def test_a_recording_has_a_track_for_each_collider() -> None:
    physics = ec.install(gravity=(0, -10))
    floor()
    body = dynamic(ec.Box(1, 1), (0, 2), angular=2.0)
    hat = esper.create_entity(ec.AttachedTo(body, 0, 0.6), ec.Collider(ec.Circle(0.2)))
    recorder = Recorder().attach()
    places = []
    for _ in range(200):
        run()
        places.append(physics.to_world(hat, (0, 0)))
    recorder.detach()
    recording = recorder.recording()
    assert recording.poses_of(hat)[:, :2] == pytest.approx(np.array(places))
    numbers = (
        [track.entity for track in recording.tracks].index(hat),
        [each.entity for each in recording.tracks].index(body),
    )
    kinds = {recording.tracks[number].kind for number in numbers}
    assert kinds == {ec.BodyKind.DYNAMIC}
    assert recording.asleep[-1][list(numbers)].all()
