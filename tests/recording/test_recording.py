"""Recordings: arrays that hold what happened, whatever came, went and changed meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import esper
import numpy as np
import pytest
from PIL import Image, ImageSequence

import ecs_collide as ec
from ecs_collide import draw
from ecs_collide.recording import Recorder, Recording
from tests.support.processes import run_script
from tests.support.worlds import DT, collider, disk, dynamic, floor, game, run, static, transform


def test_poses_are_those_of_each_step(fresh_world: str) -> None:
    physics = ec.install(gravity=(0.0, -9.81))
    floor()
    box = dynamic(ec.Box(1.0, 1.0), (0.0, 2.0), angular=3.0)
    recorder = Recorder().attach()
    seen = []
    for _ in range(90):
        run()
        seen.append(transform(box).pose)
    recorder.detach()
    recording = recorder.recording()
    run()
    assert len(recording) == len(recorder) == 90
    assert recording.poses.shape == (90, 2, 3)
    assert recording.poses_of(box).tolist() == [list(pose) for pose in seen]
    assert recording.times == pytest.approx(np.arange(90) * DT)
    assert recording.asleep[-1].tolist() == [False, not physics.is_awake(box)]
    with pytest.raises(KeyError, match="entity 77 was not recorded"):
        recording.poses_of(77)


def test_an_entity_that_comes_and_goes_has_nan_where_it_is_not(fresh_world: str) -> None:
    ec.install()
    disk(0.0)
    recorder = Recorder().attach()
    run(3)
    guest = disk(5.0)
    run(4)
    esper.delete_entity(guest)
    run(2)
    there = np.isfinite(recorder.recording().poses_of(guest)[:, 0])
    assert there.tolist() == [False] * 3 + [True] * 4 + [False] * 2
    recorder.detach()


def test_a_body_whose_collider_is_disabled_is_left_out(fresh_world: str) -> None:
    ec.install()
    ball = disk()
    recorder = Recorder().attach()
    for is_enabled in (True, False, True):
        collider(ball).enabled = is_enabled
        run(2)
    recorder.detach()
    there = np.isfinite(recorder.recording().poses_of(ball)[:, 0])
    assert there.tolist() == [True] * 2 + [False] * 2 + [True] * 2


def test_a_shape_that_is_exchanged_begins_a_new_track(fresh_world: str) -> None:
    ec.install()
    box = dynamic(ec.Box(1.0, 1.0), velocity=(1.0, 0.0))
    recorder = Recorder().attach()
    run(2)
    collider(box).shape = ec.Circle(0.5)
    run(3)
    recording = recorder.recording()
    recorder.detach()
    assert [(track.shape, track.first, track.end) for track in recording.tracks] == [
        (ec.Box(1.0, 1.0), 0, 2),
        (ec.Circle(0.5), 2, 5),
    ]
    assert np.isfinite(recording.poses_of(box)).all()


def test_the_last_frames_are_kept_with_their_events_and_marks(fresh_world: str) -> None:
    ec.install(gravity=(0.0, -9.81))
    floor()
    balls = [disk(3.0 * k, 0.55 + 0.7 * k) for k in range(3)]
    recorder = Recorder(keep=10, label=lambda entity: "first" if entity == balls[0] else "").attach()
    first_touch: dict[int, int] = {}
    for step in range(40):
        recorder.mark(str(step))
        run()
        first_touch |= {ball: step for ball in balls if ball not in first_touch and ec.physics().touching(ball, 1)}
    recording = recorder.recording(title="last", note="why", view=(0, 0, 4, 4), y_up=False)
    recorder.detach()
    assert len(recording) == 10
    assert recording.times[0] == 0.0
    assert [mark.text for mark in recording.marks] == [str(step) for step in range(30, 40)]
    assert [mark.frame for mark in recording.marks] == list(range(10))
    starts = {event.entities[1]: event.frame + 30 for event in recording.events if event.name == "collision_start"}
    assert starts == {balls[2]: first_touch[balls[2]]}
    assert first_touch[balls[1]] < 30
    assert [track.label for track in recording.tracks if track.entity == balls[0]] == ["first"]
    assert (recording.title, recording.note, recording.view, recording.y_up) == ("last", "why", (0, 0, 4, 4), False)


def test_contacts_of_sleeping_bodies_go_on(fresh_world: str) -> None:
    physics = ec.install(gravity=(0.0, -9.81))
    ground, box = floor(), dynamic(ec.Box(1.0, 1.0), (0.0, 0.5))
    recorder = Recorder().attach()
    run(90)
    recorder.detach()
    assert not physics.is_awake(box)
    contacts = recorder.recording().contacts
    assert np.bincount(contacts.frame, minlength=90).tolist() == [2] * 90
    assert {tuple(sorted(pair)) for pair in contacts.entities.tolist()} == {(ground, box)}
    assert contacts.point[:, 1] == pytest.approx(0.0, abs=0.01)


def test_joints_are_recorded_while_they_work(fresh_world: str) -> None:
    ec.install(gravity=(0.0, -9.81))
    a, b = disk(0.0), disk(3.0)
    hinge = esper.create_entity(ec.RevoluteJoint(a, b, anchor_a=(1.5, 0.0)))
    rope = esper.create_entity(ec.DistanceJoint(a, anchor_b=(0.0, 5.0)))
    brake = esper.create_entity(ec.FrictionJoint(b, max_torque=1.0))
    recorder = Recorder().attach()
    run(4)
    esper.delete_entity(hinge)
    run(3)
    recorder.detach()
    joints = {joint.entity: joint for joint in recorder.recording().joints}
    assert brake not in joints  # it has no anchors
    assert (joints[hinge].first, joints[hinge].end, joints[hinge].a, joints[hinge].b) == (0, 4, a, b)
    assert joints[hinge].anchor_a == (1.5, 0.0)
    assert (joints[rope].first, joints[rope].end, joints[rope].a, joints[rope].b) == (0, 7, None, a)
    assert joints[rope].anchor_a == (0.0, 5.0)


def test_a_frame_is_a_scene(fresh_world: str) -> None:
    ec.install(gravity=(0.0, -9.81))
    floor()
    dynamic(ec.Box(1.0, 1.0), (0.0, 2.0))
    static(ec.Circle(1.0), (5.0, 1.0), sensor=True)
    joint = esper.create_entity(ec.DistanceJoint(2, anchor_b=(0.0, 5.0)))
    recorder = Recorder().attach()
    run(30)
    show = draw.Show(contacts=True, axes=True)
    then = draw.scene(show=show)
    run(30)
    recorder.detach()
    recording = recorder.recording()
    scene = recording.scene(29, show)
    assert [track.entity for track in recording.tracks] == [1, 2, 3] and joint == 4
    assert np.sort(scene.solids.points, axis=0) == pytest.approx(np.sort(then.solids.points, axis=0))
    assert scene.discs.center.tolist() == then.discs.center.tolist()
    assert sorted(scene.discs.of.tone) == sorted(then.discs.of.tone)
    assert scene.joints.ends == pytest.approx(then.joints.ends)
    assert scene.contacts.point == pytest.approx(then.contacts.point)
    assert (recording.scene(-1).solids.points == recording.scene(59).solids.points).all()
    with pytest.raises(IndexError):
        recording.scene(60)


def test_a_scene_has_the_labels_of_the_recording_or_else_those_asked_for(fresh_world: str) -> None:
    ec.install()
    dynamic(ec.Circle(0.5), (1.0, 2.0))
    dynamic(ec.Circle(0.5), (3.0, 4.0))
    recorder = Recorder(label=lambda entity: "hero" if entity == 1 else "").attach()
    run()
    recorder.detach()

    def labels(which: bool | Callable[[int], str]) -> list[tuple[float, float, str]]:
        scene = recorder.recording().scene(0, draw.Show(labels=which))
        return [(label.x, label.y, label.text) for label in scene.labels]

    assert labels(False) == []
    assert labels(True) == [(1.0, 2.0, "hero"), (3.0, 4.0, "2")]
    assert labels(lambda entity: "") == [(1.0, 2.0, "hero")]


def test_arrays_come_back_from_a_file(fresh_world: str, tmp_path: Path) -> None:
    ec.install(gravity=(0.0, -9.81))
    floor()
    disk(0.0, 0.5)
    with ec.record(tmp_path / "run.npz"):
        run(20)
    with np.load(tmp_path / "run.npz") as data:
        assert data["poses"].shape == (20, 2, 3)
        assert data["entities"].tolist() == [1, 2]
        assert len(data["contact_frame"]) == len(data["contact_point"]) == 20


def test_a_film_has_thirty_pictures_a_second(fresh_world: str, tmp_path: Path) -> None:
    ec.install(gravity=(0.0, -9.81))
    floor()
    dynamic(ec.Box(1.0, 1.0), (0.0, 3.0))
    with ec.record(tmp_path / "run.gif", view=(-2.0, -1.0, 2.0, 4.0)):
        run(60)
    with Image.open(tmp_path / "run.gif") as film:
        frames = [(frame.info["duration"], frame.convert("RGB")) for frame in ImageSequence.Iterator(film)]
    durations, pictures = [duration for duration, _ in frames], [np.asarray(frame).astype(int) for _, frame in frames]
    assert {*durations[:20]} == {30, 40}
    assert sum(durations) - 1500 == pytest.approx(1000, abs=40)  # the last picture stays, and equal ones are one
    assert pictures[0].shape == (800, 640, 3)
    blue = [np.argwhere(np.abs(picture - draw.DARK.dynamic).max(axis=2) < 40) for picture in pictures]
    heights = [4.0 - rows.mean(axis=0)[0] / 160.0 for rows in blue]
    assert heights[0] == pytest.approx(3.0, abs=0.05)
    assert heights[-1] == pytest.approx(0.5, abs=0.05)
    assert all(after <= before + 0.02 for before, after in pairwise(heights))


def test_a_film_without_pillow_is_refused_before_the_block() -> None:
    script = (
        "import sys; sys.modules['PIL'] = None\nimport ecs_collide as ec\nec.install()\n"
        "try:\n    with ec.record('run.gif'):\n        print('too late')\n"
        "except ImportError as error:\n    print(error)"
    )
    assert run_script(script) == 'Pillow is not installed: pip install "ecs_collide[draw]"'


def test_the_file_is_written_although_the_block_fails(fresh_world: str, tmp_path: Path) -> None:
    ec.install()
    disk()
    with pytest.raises(RuntimeError, match="lost"), ec.record(tmp_path / "run.html"):
        run(2)
        raise RuntimeError("lost")
    assert "<title>run</title>" in (tmp_path / "run.html").read_text("utf-8")
    assert [type(processor).__name__ for processor in esper._processors].count("Record") == 0
    assert not esper.event_registry


def test_mistakes_are_refused_before_the_block(fresh_world: str, tmp_path: Path) -> None:
    with pytest.raises(ec.PhysicsError, match="install"), ec.record(tmp_path / "run.html"):
        pass
    ec.install()
    with pytest.raises(ValueError, match=r"ends in \.html, \.gif, \.npz, got 'run\.avi'"), ec.record("run.avi"):
        pass
    with pytest.raises(FileNotFoundError, match="there is no folder"), ec.record(tmp_path / "none" / "run.html"):
        pass
    with pytest.raises(ValueError, match="keep"):
        Recorder(keep=0)


def test_a_recorder_belongs_to_its_world() -> None:
    with game() as first:
        disk()
        recorder = Recorder().attach()
        with pytest.raises(ec.PhysicsError, match="attached already"):
            recorder.attach()
        first.step()
        with game():
            with pytest.raises(ec.PhysicsError, match="belongs to esper world"):
                recorder.frame()
            recorder.detach()
        first.step()
        recorder.detach()
        assert len(recorder) == 1
        assert not [name for name, received in esper.event_registry.items() if len(received) > 1]


def test_a_world_that_was_deleted_leaves_its_recording() -> None:
    with game() as play:
        disk()
        recorder = Recorder().attach()
        play.step(3)
    recorder.detach()
    assert len(recorder.recording()) == 3


def test_recording_changes_no_bit_of_a_run() -> None:
    assert hash_after_a_pile(is_recorded=True) == hash_after_a_pile(is_recorded=False)


def hash_after_a_pile(is_recorded: bool) -> str:
    with game(gravity=(0.0, -9.81)) as play:
        floor()
        for k in range(12):
            dynamic(ec.Box(1.0, 0.8), (0.3 * k, 0.5 + k), angle=0.1 * k)
        recorder = Recorder().attach() if is_recorded else None
        play.step(120)
        if recorder is not None:
            recorder.detach()
        return play.physics.state_hash()


def test_frames_without_a_step_are_left_out(fresh_world: str) -> None:
    physics = ec.install(fixed_dt=0.1)
    disk()
    recorder = Recorder().attach()
    for _ in range(4):
        esper.process(0.05)
    physics.time_scale = 0.0
    run(5)
    recorder.detach()
    assert recorder.recording().times.tolist() == [0.0, 0.1]


def test_a_recording_without_frames_is_a_recording(fresh_world: str) -> None:
    ec.install()
    recorder = Recorder()
    recording: Recording = recorder.recording()
    recorder.detach()
    assert (len(recording), recording.poses.shape, recording.contacts.frame.shape) == (0, (0, 0, 3), (0,))
    assert recording.html()
