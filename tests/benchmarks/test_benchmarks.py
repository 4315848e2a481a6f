"""The benchmark's scenes are well-formed, its referee is right, and the whole tool runs."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import main
from benchmarks.engines import ENGINES, find_engines
from benchmarks.geometry import local_core, overlaps, separations, world_cores
from benchmarks.kernels import ENTRIES, Entry
from benchmarks.pairs import Draw
from benchmarks.quality import kinetic_energy_kept, rms_speed
from benchmarks.scene import (
    Box,
    Capsule,
    Circle,
    Compound,
    Convex,
    Polygon,
    Scene,
    Segment,
    State,
    moving_group,
    static_group,
)
from benchmarks.scenes import SCENES, make_scene
from benchmarks.scenes.palette import convex_polygons
from benchmarks.turns import compare

SHAPES: tuple[Convex, ...] = (
    Circle(0.4),
    Box(1.0, 0.6),
    Segment((-0.5, -0.2), (0.6, 0.3)),
    Capsule((-0.4, 0.0), (0.4, 0.1), 0.25),
    *convex_polygons(6, 0.6),
)
EXPECTED_COUNTS = {
    "pyramid": 1830,
    "pyramid10": 55,
    "circle_pile": 2000,
    "gas": 5000,
    "sparse_polygons": 20_000,
    "terrain": 1500,
    "small": 10,
    "chains": 2000,
    "ragdolls": 600,
    "net": 400,
    "bridge": 65,
    "bridge_friction": 65,
    "ragdolls_friction": 600,
    "spinner": 998,
    "spinner_motor": 999,
    "spinner_none": 998,
    "tumbler": 2025,
    "tumbler20": 400,
    "compounds": 225,
    "washer": 1600,
}


@pytest.fixture(scope="module", params=SCENES)
def benchmark_scene(request: pytest.FixtureRequest) -> Scene:
    return make_scene(request.param)


def test_scene_has_the_body_count_the_figures_speak_of(benchmark_scene: Scene) -> None:
    assert benchmark_scene.moving_count == EXPECTED_COUNTS[benchmark_scene.name]


def test_scene_arrays_fit_each_other(benchmark_scene: Scene) -> None:
    for group in benchmark_scene.groups:
        n = group.count
        assert group.positions.shape == (n, 2)
        assert group.angles.shape == group.shape_index.shape == (n,)
        assert group.shape_index.max() < len(group.shapes)
        assert group.is_static or (group.velocities is not None and group.velocities.shape == (n, 2))
        assert np.isfinite(group.poses).all()


def test_scene_begins_without_overlap(benchmark_scene: Scene) -> None:
    if benchmark_scene.name.startswith("ragdolls"):
        pytest.skip("limbs overlap where they are joined")
    assert overlaps(benchmark_scene, benchmark_scene.start_poses).max(initial=0.0) < 1e-9


def test_scene_is_the_same_each_time(benchmark_scene: Scene) -> None:
    again = make_scene(benchmark_scene.name)
    assert np.array_equal(benchmark_scene.start_poses, again.start_poses)
    assert np.array_equal(benchmark_scene.start_velocities, again.start_velocities)


def test_scene_stays_within_what_all_engines_can_do(benchmark_scene: Scene) -> None:
    for group in benchmark_scene.groups:
        assert group.is_static or not any(isinstance(shape, Segment) for shape in group.shapes)
        for shape in group.shapes:
            if isinstance(shape, Polygon | Compound):
                assert_convex_and_centred(shape.polygons if isinstance(shape, Compound) else (shape,))


def assert_convex_and_centred(polygons: tuple[Polygon, ...]) -> None:
    shapely = pytest.importorskip("shapely")
    for polygon in polygons:
        assert 3 <= len(polygon.vertices) <= 8
        points = np.array(polygon.vertices)
        edges = np.roll(points, -1, axis=0) - points
        following = np.roll(edges, -1, axis=0)
        assert (edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0] > 0.0).all()
    centroid = shapely.MultiPolygon([shapely.Polygon(polygon.vertices) for polygon in polygons]).centroid
    assert math.hypot(centroid.x, centroid.y) < 1e-9


def test_referee_agrees_with_shapely() -> None:
    shapely = pytest.importorskip("shapely")
    rng = np.random.default_rng(0)
    n = 400
    group = moving_group(SHAPES, np.zeros((n, 2)), shape_index=rng.integers(0, len(SHAPES), n))
    poses = np.column_stack((rng.uniform(-1.0, 1.0, (n, 2)), rng.uniform(-4.0, 4.0, n)))
    cores = world_cores([group], poses)
    a, b = np.arange(0, n, 2), np.arange(1, n, 2)
    found = separations(cores.take(a), cores.take(b))
    assert (found < 0.0).sum() > 20 and (found > 0.0).sum() > 20
    for i, j, separation in zip(a, b, found, strict=True):
        first, second = (shapely.MultiPoint(cores.points[k]).convex_hull for k in (i, j))
        apart = first.distance(second) - cores.radius[i] - cores.radius[j]
        if first.distance(second) > 0.0:
            assert separation == pytest.approx(apart, abs=1e-9)
        else:
            # Moved apart by the depth along some direction, the two only touch; by less along any, they still overlap.
            depth = -separation - cores.radius[i] - cores.radius[j]
            moved = [
                shapely.affinity.translate(second, depth * math.cos(angle), depth * math.sin(angle))
                for angle in np.linspace(0.0, 2.0 * math.pi, 721)
            ]
            assert min(first.intersection(other).area for other in moved) < 1e-3
            assert all(
                first.intersects(shapely.affinity.translate(other, *(-0.01 * np.array([math.cos(t), math.sin(t)]))))
                for other, t in zip(moved, np.linspace(0.0, 2.0 * math.pi, 721), strict=True)
            )


def test_overlaps_finds_every_pair() -> None:
    rng = np.random.default_rng(1)
    n = 120
    group = moving_group(SHAPES, rng.uniform(-4.0, 4.0, (n, 2)), angles=rng.uniform(-4.0, 4.0, n))
    ground = static_group(Box(20.0, 2.0), 0.0, -4.0, 0.1)
    scene = Scene("test", "test", (ground, group))
    cores = world_cores([group, ground], np.concatenate((group.poses, ground.poses)))
    a, b = np.triu_indices(n + 1, 1)
    expected = -separations(cores.take(a), cores.take(b))
    assert np.sort(overlaps(scene, group.poses)) == pytest.approx(np.sort(expected[expected > 0.0]))


def test_circles_have_cores_of_one_point() -> None:
    points, radius = local_core(Circle(0.5))
    assert not points.any()
    assert radius == 0.5


def test_quality_figures_on_known_motion() -> None:
    velocities = np.array([[3.0, 4.0], [0.0, 0.0]])
    group = moving_group((Circle(0.5),), np.array([[0.0, 0.0], [5.0, 0.0]]), velocities=velocities)
    scene = Scene("test", "test", (group,))
    before = group.poses
    after = before + np.column_stack((velocities * scene.dt, np.zeros(2)))
    state = State(1, after, before, np.column_stack((velocities / 2.0, np.zeros(2))))
    assert rms_speed(scene, state) == pytest.approx(1000.0 * math.sqrt(12.5))
    assert kinetic_energy_kept(scene, state) == pytest.approx(25.0)


@pytest.mark.parametrize("engine_name", [name for name, row in ENGINES.items() if not row.circles_only])
def test_motor_turns_the_arm_and_a_kinematic_arm_strikes_bodies(engine_name: str) -> None:
    found = find_engines([engine_name])
    if engine_name in found.missing:
        pytest.skip(found.missing[engine_name])
    ends = {}
    for name in ("spinner", "spinner_motor", "spinner_none"):
        engine = found.engines[engine_name](make_scene(name, quick=True))
        engine.activate()
        for _ in range(60):
            engine.step()
        ends[name] = engine.poses()
        engine.close()
    assert 4.0 < ends["spinner_motor"][-1, 2] % math.tau < 5.0
    assert ends["spinner_none"][:, 0].std() < ends["spinner"][:, 0].std()


@pytest.mark.parametrize("engine_name", ENGINES)
def test_adapter_begins_where_the_scene_does_and_then_falls(engine_name: str) -> None:
    found = find_engines([engine_name])
    if engine_name in found.missing:
        pytest.skip(found.missing[engine_name])
    scene = make_scene("small")
    engine = found.engines[engine_name](scene)
    assert engine.poses() == pytest.approx(scene.start_poses, abs=1e-6)
    assert engine.velocities()[:, :2] == pytest.approx(scene.start_velocities, abs=1e-6)
    engine.activate()
    engine.step()
    engine.read_poses()
    moved = engine.poses() - scene.start_poses
    assert moved[:, :2] == pytest.approx(scene.start_velocities * scene.dt, abs=0.01)
    engine.close()


def test_engines_take_turns_without_disturbing_each_other() -> None:
    engines = find_engines(list(ENGINES)).engines
    if not engines:
        pytest.skip("no engine is importable")
    scene = make_scene("terrain", quick=True)
    together = compare(scene, engines)
    for run in together:
        alone = compare(scene, {run.engine: engines[run.engine]})[0]
        assert [check.value for check in alone.checks] == [check.value for check in run.checks]
        assert len(run.frame_ns) == len(run.engine_ns) == scene.frames


def test_quick_run_prints_every_scene_and_writes_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    if not find_engines(list(ENGINES)).engines:
        pytest.skip("no engine is importable")
    file = tmp_path / "result.json"
    assert main(["--quick", "--markdown", "--json", str(file)]) == 0
    printed = capsys.readouterr().out
    data = json.loads(file.read_text())
    assert [entry["scene"] for entry in data["scenes"]] == list(SCENES)
    assert all(entry["title"] in printed for entry in data["scenes"])


def test_kernels_are_measured_quickly_and_about_a_third_hits(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kernels", "--quick", "--markdown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2 : 2 + len(ENTRIES)]]
    assert [row[1] for row in rows] == [entry.name for entry in ENTRIES]
    for row in rows:
        assert float(row[4]) > 0.0
        assert row[3] == "" or 15 <= int(row[3].rstrip("%")) <= 65, row


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.plain], ids=lambda entry: entry.name)
def test_plain_numpy_finds_the_same(entry: Entry) -> None:
    assert entry.plain is not None
    data = entry.data(Draw(3, 2000))
    ours, plain = entry.function(*data), entry.plain(*data)
    if entry.name == "axis_of_least_penetration":
        ours = ours.separation
    elif entry.name != "bounce_off_each_other" and isinstance(ours, tuple):
        ours = ours[2] if entry.name == "segment_segment_intersection" else ours[0]
    np.testing.assert_allclose(np.asarray(plain, float), np.asarray(ours, float), rtol=1e-9, atol=1e-9)


def test_unknown_scene_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--scenes", "nowhere"])
    assert "nowhere is not among" in capsys.readouterr().err
