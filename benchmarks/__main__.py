"""``python -m benchmarks``: compare the installed engines. See ``--help``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

from benchmarks.border.report import report_border
from benchmarks.engines import ENGINES, find_engines
from benchmarks.engines.engine import Engine
from benchmarks.growth import growth_table, measure_growth
from benchmarks.idle import report_idle
from benchmarks.kernels import report_kernels
from benchmarks.memory import report_memory
from benchmarks.report import SceneResult, as_data, conditions, markdown_table, text_table
from benchmarks.scenes import SCENES, make_scene
from benchmarks.snapshots import report_snapshots
from benchmarks.stages import FRAMES, measure_stages, stages_tables
from benchmarks.startup import report_startup
from benchmarks.turns import compare


def names(text: str, known: Iterable[str]) -> list[str]:
    """Return the comma-separated names in ``text``, each of which must be known."""
    known = list(known)
    chosen = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in chosen if name not in known]
    if unknown or not chosen:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown) or 'nothing'} is not among {', '.join(known)}")
    return chosen


def positive(text: str) -> int:
    """Return a count of at least one."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return value


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description="The same scenes in ecs_collide and its peers, in turns, in one process. Installs nothing.",
        epilog=f"scenes: {', '.join(SCENES)}; engines: {', '.join(ENGINES)}",
    )
    parser.add_argument("--scenes", type=lambda text: names(text, SCENES), default=list(SCENES), metavar="A,B")
    parser.add_argument("--engines", type=lambda text: names(text, ENGINES), default=list(ENGINES), metavar="A,B")
    parser.add_argument("--frames", type=positive, help="timed frames per scene, instead of the scene's own number")
    parser.add_argument("--quick", action="store_true", help="tiny scenes for a few frames: shows that all works")
    parser.add_argument("--long", action="store_true", help="also the figures after 1,500 frames")
    parser.add_argument("--markdown", action="store_true", help="print the tables of docs/performance.md")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results to a file as well")
    parser.add_argument("--samples", action="store_true", help="with --json: every single frame, too")
    parser.add_argument("--memory", action="store_true", help="bytes per body instead of times")
    parser.add_argument(
        "--kernels", action="store_true", help="the documented functions on arrays instead, pairs a second"
    )
    parser.add_argument(
        "--border", action="store_true", help="creating, deleting, reading, writing, hooks, small worlds instead"
    )
    parser.add_argument("--idle", action="store_true", help="steps of worlds in which nothing moves instead")
    parser.add_argument("--snapshots", action="store_true", help="snapshots, restores and rollbacks instead")
    parser.add_argument("--startup", action="store_true", help="seconds from starting Python to the first step instead")
    parser.add_argument("--stages", action="store_true", help="where a step's time goes instead, ours alone")
    parser.add_argument(
        "--growth",
        nargs="?",
        const="",
        metavar="FILE.png",
        help="time per body from 100 to 100,000 bodies instead; with a file as a picture, too (needs matplotlib)",
    )
    return parser.parse_args(arguments)


def note(text: str) -> None:
    """Print progress and remarks to stderr, so that stdout has only the table."""
    print(text, file=sys.stderr, flush=True)


def growth(engines: dict[str, type[Engine]], options: argparse.Namespace) -> int:
    """Print how the time of a step grows with the number of bodies, and draw it if a file is named."""
    if options.growth and find_spec("matplotlib") is None:
        note('matplotlib not found: pip install "ecs_collide[benchmarks]"')
        return 1
    points = measure_growth(engines, note, quick=options.quick)
    print(growth_table(points, markdown=options.markdown))
    print(f"\nMedians of steps. {conditions(versions_of(engines))}")
    if options.growth:
        from benchmarks.growth_plot import plot_growth

        plot_growth(points, Path(options.growth))
    return 0


def versions_of(engines: dict[str, type[Engine]]) -> dict[str, str]:
    """Return the versions of the engines, each once."""
    return {name: engine.version() for name, engine in engines.items() if "." not in name}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the measurement that the command line selects."""
    options = parse_arguments(arguments)
    if options.kernels:
        print(report_kernels(options.markdown, *((1000, 3) if options.quick else ())))
        print(f"\nMillion pairs a second of processor time, medians. {conditions({})}")
        return 0
    if options.border:
        print(report_border(note, quick=options.quick, markdown=options.markdown))
        print(f"\nFastest rounds, processor time, garbage collection on, first frames included. {conditions({})}")
        return 0
    if options.idle:
        print(report_idle(*((50, 1) if options.quick else ())))
        return 0
    if options.snapshots:
        print(report_snapshots(*(((20,), 2) if options.quick else ())))
        print(f"\nFastest rounds, processor time. {conditions({})}")
        return 0
    found = find_engines(options.engines)
    for name, reason in found.missing.items():
        note(f"not found, left out: {name} ({reason})")
    if not found.engines:
        note("no engine to measure")
        return 1
    if options.growth is not None:
        return growth(found.engines, options)
    if options.stages:
        scenes = [make_scene(name, quick=options.quick) for name in options.scenes]
        frames = options.frames or (5 if options.quick else FRAMES)
        print(stages_tables([measure_stages(scene, frames) for scene in scenes], markdown=options.markdown))
        print(f"\nMeans of the faster half of {frames} steps. {conditions({})}")
        return 0
    if options.startup or options.memory:
        if options.memory:
            print(report_memory(list(found.engines)))
        if options.startup:
            print(report_startup() if "ecs_collide" in found.engines else "start-up: ecs_collide is not importable")
        return 0

    results = []
    for name in options.scenes:
        scene = make_scene(name, quick=options.quick, frames=options.frames)
        note(f"{scene.name}: {scene.title}, {scene.frames} timed frames after {scene.warmup}")
        results.append(SceneResult(scene, compare(scene, found.engines, long=options.long)))
    versions = versions_of(found.engines)
    print(markdown_table(results) if options.markdown else text_table(results))
    print(f"\nMedians of whole frames; ratios below 1 are faster than the peer. {conditions(versions)}")
    if options.json is not None:
        options.json.write_text(json.dumps(as_data(results, versions, samples=options.samples), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
