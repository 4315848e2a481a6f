"""The page that plays a recording, in Chromium: it decodes what was recorded, and its controls do what they say."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import esper
import numpy as np
import pytest
from PIL import Image

import ecs_collide as ec
from ecs_collide.draw import DARK, LIGHT
from ecs_collide.recording import Recorder, Recording
from tests.support.chromium import Page, chromium_page, find_chromium
from tests.support.worlds import dynamic, floor, game, static

pytestmark = pytest.mark.skipif(
    find_chromium() is None, reason="no Chromium on this machine: apt-get install chromium, or another way to get it"
)
SHAPES = [
    ec.Circle(0.4, center=(0.1, 0.0)),
    ec.Box(0.8, 0.6),
    ec.Capsule((-0.3, 0.0), (0.3, 0.0), 0.2),
    ec.Compound([ec.Box(1.0, 0.2), ec.Box(0.2, 1.0)]),
]


def recorded(y_up: bool = True) -> Recording:
    """Record two seconds of a small pile; a body comes and goes, and a joint hangs from the ceiling."""
    sign = 1.0 if y_up else -1.0
    with game(gravity=(0.0, -9.81 * sign)) as play:
        floor() if y_up else static(ec.HalfPlane((0.0, -1.0)))
        static(ec.Box(1.0, 4.0), (-4.0, 2.0 * sign))
        static(ec.Circle(1.0), (3.0, sign), sensor=True)
        bodies = [dynamic(SHAPES[k % 4], (-2.0 + 0.7 * k, sign * (1.0 + 0.5 * k)), angle=0.4 * k) for k in range(8)]
        esper.create_entity(ec.DistanceJoint(bodies[-1], anchor_b=(3.0, 7.0 * sign)))
        recorder = Recorder(label=lambda entity: "first" if entity == bodies[0] else "").attach()
        play.step(60)
        recorder.mark("a second")
        guest = dynamic(ec.Circle(0.2), (6.0, sign))
        play.step(30)
        esper.delete_entity(guest)
        play.step(30)
        recorder.detach()
        return recorder.recording(title="pile & more", note="it <failed>")


@pytest.fixture(scope="module", params=[True, False], ids=["y up", "y down"])
def recording(request: pytest.FixtureRequest) -> Recording:
    return recorded(request.param)


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with chromium_page() as page:
        yield page


@pytest.fixture
def player(browser: Page, recording: Recording, tmp_path: Path) -> Page:
    """The page of the recording, paused at its first frame."""
    browser.errors.clear()
    recording.save(tmp_path / "run.html")
    browser.open(tmp_path / "run.html", "#frame=0")
    return browser


def test_the_page_has_every_pose_contact_and_event(player: Page, recording: Recording) -> None:
    assert player.value("[player.head.frames, player.bodies.length]") == [len(recording), len(recording.tracks)]
    assert player.value("document.title") == "pile & more"
    assert player.value("document.getElementById('note').textContent") == "it <failed>"
    grid, angle = player.value("[player.head.grid, player.head.angle]")
    poses = player.value("player.bodies.map(body => body.poses.map(axis => [...axis]))")
    for track, axes in zip(recording.tracks, poses, strict=True):
        apart = np.abs(np.array(axes).T - track.poses)
        assert (apart <= 0.501 * np.array((grid, grid, angle))).all()
    contacts = player.value("player.contacts.map(frame => frame.length)")
    assert contacts == np.bincount(recording.contacts.frame, minlength=len(recording)).tolist()
    for frame in range(0, len(recording), 20):
        shown = np.array(player.value(f"player.contacts[{frame}]")).reshape(-1, 5)
        its = recording.contacts.frame == frame
        for pair, point in zip(recording.contacts.entities[its], recording.contacts.point[its], strict=True):
            same = shown[(shown[:, :2] == pair).all(axis=1)]
            assert np.hypot(*(same[:, 2:4] - point).T).min() < 8.0 * grid
    received = player.value("player.events.filter(event => !event.marked).map(event => [event.frame, event.text])")
    assert sorted(map(tuple, received)) == sorted(
        (event.frame, " ".join((event.name, *map(str, event.entities)))) for event in recording.events
    )
    sleeps = player.value("player.bodies.map(body => [...body.asleep])")
    assert [list(map(bool, each)) for each in sleeps] == [track.asleep.tolist() for track in recording.tracks]
    assert player.errors == []


def test_it_plays_pauses_steps_and_scrubs(player: Page, recording: Recording) -> None:
    assert not player.value("player.playing")
    player.value("document.getElementById('play').click()")
    player.wait_until("player.frame > 5")
    player.value("document.getElementById('play').click()")
    assert not player.value("player.playing")
    player.value("player.jump(40)")
    player.value("document.getElementById('next').click()")
    assert player.value("player.frame") == 41
    player.value("document.getElementById('back').click()")
    assert player.value("player.frame") == 40
    player.value("(line => { line.value = 100; line.oninput({ target: line }) })(document.getElementById('time'))")
    assert player.value("player.frame") == 100
    player.wait_until("document.getElementById('clock').textContent.includes('1.67 s  frame 100  a second')")
    player.value("document.getElementById('speed').value = '4'")
    player.value("document.getElementById('play').click()")
    player.wait_until(f"!player.playing && player.frame == {len(recording) - 1}")
    assert player.errors == []


def test_a_click_shows_the_numbers_of_an_entity(player: Page, recording: Recording) -> None:
    player.value("player.jump(30)")
    track = recording.tracks[3]
    x, y, _ = track.poses[30].tolist()
    place = player.value(f"player.toScreen([{x}, {y}])")
    top = player.value("document.getElementById('view').getBoundingClientRect().top")
    player.click(place[0], place[1] + top)
    player.wait_until(f"player.chosen == {track.entity}")
    player.wait_until("document.getElementById('info').textContent.includes('position')")
    lines = player.value("document.getElementById('info').textContent").splitlines()
    received = {line.split()[0]: line.split()[1:] for line in lines}
    assert received["entity"] == [str(track.entity), "first"]
    assert [float(number) for number in received["position"]] == pytest.approx([x, y], abs=0.01)
    speed = (track.poses[32, :2] - track.poses[28, :2]) / (4 / 60)
    assert [float(number) for number in received["velocity"]] == pytest.approx(speed.tolist(), abs=0.1)
    assert float(received["mass"][0]) == pytest.approx(track.mass, rel=1e-3)
    player.click(5.0, top + 5.0)
    player.wait_until("player.chosen == null")


def test_a_wheel_zooms_and_a_drag_pans(player: Page) -> None:
    player.value("document.getElementById('fit').click()")
    scale, before = player.value("[player.scale, player.toScreen([0, 0])]")
    top = player.value("document.getElementById('view').getBoundingClientRect().top")
    player.mouse("mouseWheel", before[0], before[1] + top, deltaX=0, deltaY=-400)
    player.wait_until(f"player.scale > {1.5 * scale}")
    assert player.value("player.toScreen([0, 0])") == pytest.approx(before, abs=1.0)
    player.mouse("mousePressed", 500, 300, button="left", buttons=1)
    player.mouse("mouseMoved", 540, 330, button="left", buttons=1)
    player.mouse("mouseReleased", 540, 330, button="left")
    after = player.value("player.toScreen([0, 0])")
    assert [after[0] - before[0], after[1] - before[1]] == pytest.approx([40.0, 30.0], abs=4.0)
    player.value("document.getElementById('fit').click()")
    assert player.value("player.scale") == scale


@pytest.mark.parametrize(("scheme", "colours"), [("light", LIGHT), ("dark", DARK)])
def test_bodies_are_seen_where_they_are_in_both_schemes(
    player: Page, recording: Recording, scheme: str, colours: ec.draw.Colours
) -> None:
    player.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    player.value("document.getElementById('contacts').checked = false")
    player.value("player.jump(0)")
    player.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    picture = np.asarray(Image.open(BytesIO(player.picture())).convert("RGB")).astype(int)
    top = player.value("document.getElementById('view').getBoundingClientRect().top")
    wall, box = recording.tracks[1], recording.tracks[4]
    for track, colour in ((wall, colours.static), (box, colours.dynamic)):
        x, y, _ = track.poses[0].tolist()
        column, row = player.value(f"player.toScreen([{x + 0.15}, {y}])")
        assert picture[round(row + top), round(column)] == pytest.approx(colour, abs=2)
    assert picture[round(top) + 3, 500] == pytest.approx(colours.background, abs=2)
    assert player.errors == []


def test_a_recording_without_frames_is_a_page_without_errors(browser: Page, tmp_path: Path) -> None:
    browser.errors.clear()
    with game():
        recorder = Recorder()
        recorder.save(tmp_path / "empty.html")
        recorder.detach()
    browser.open(tmp_path / "empty.html")
    browser.value("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert browser.errors == []
