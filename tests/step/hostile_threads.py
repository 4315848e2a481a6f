"""Threads that try to use physics while another one does, at random.

`python -m tests.step.hostile_threads 1000` plays 1,000 seeds, each in a process of its own, and counts the outcomes.
"""

from __future__ import annotations

import sys
from ast import literal_eval
from collections import Counter
from collections.abc import Callable
from random import Random
from threading import Event, Thread, current_thread

import esper

import ecs_collide as ec
from tests.support.processes import run_python

WORLDS = 3
"""Worlds in the life of the thread that uses physics."""


def live(seed: int, name: str) -> list[str]:
    """Make worlds, step, change and restore them, and return the hashes of their states."""
    rng = Random(seed)
    hashes = []
    for number in range(WORLDS):
        esper.switch_world(f"{name} {number}")
        physics = ec.install(gravity=(0.0, -10.0), fixed_dt=rng.choice((None, 1 / 60)))
        esper.create_entity(ec.Transform(0.0, -2.0), ec.Collider(ec.HalfPlane((0.0, 1.0))))
        balls = [
            esper.create_entity(ec.Transform(0.3 * k % 5, 0.4 * k), ec.Velocity(), ec.Collider(ec.Circle(0.3)))
            for k in range(rng.randrange(2, 40))
        ]
        esper.create_entity(ec.RevoluteJoint(balls[0], balls[1]))
        snapshot = physics.snapshot()
        for _ in range(rng.randrange(5, 40)):
            esper.process(1 / 60)
            act = rng.randrange(8)
            if act == 0:
                physics.apply_impulse(rng.choice(balls), (rng.random(), 1.0))
            elif act == 1:
                snapshot = physics.snapshot()
            elif act == 2:
                physics.restore(snapshot)
            elif act == 3:
                hashes.append(repr(physics.ray_cast((-9.0, 0.0), (9.0, 0.0))))
        hashes.append(physics.state_hash())
        if number == 0:
            ec.uninstall()
            ec.install()  # so that a world has physics throughout
    return hashes


def intrude(seed: int, shown: list[ec.PhysicsWorld], done: Event, outcomes: Counter[str]) -> None:
    """Use physics in random ways until the other thread is done, and count the outcomes."""
    rng = Random(seed)
    acts: dict[str, Callable[[ec.PhysicsWorld], object]] = {
        "install": lambda _: ec.install(),
        "uninstall": lambda _: ec.uninstall(),
        "process": lambda _: esper.process(1 / 60),
        "switch_world": lambda _: esper.switch_world(f"of {current_thread().name}"),
        "fresh_world": lambda _: ec.worlds.fresh_world().__enter__(),
        "Batch": lambda _: ec.worlds.Batch(lambda seed: ec.install(), 2),
        "point_query": lambda physics: physics.point_query((0.0, 0.0)),
        "apply_impulse": lambda physics: physics.apply_impulse(2, (1.0, 0.0)),
        "snapshot": lambda physics: physics.snapshot(),
        "check_rollback": lambda _: ec.check_rollback(lambda: esper.process(1 / 60), frames=2),
    }
    while not done.is_set():
        name = rng.choice(list(acts))
        try:
            acts[name](shown[0])
        except Exception as error:
            outcomes[_outcome(error)] += 1
        else:
            outcomes[f"{name} done"] += 1


def _outcome(error: Exception) -> str:
    """Return a name for an error. A world has no physics before the other thread has installed it."""
    if isinstance(error, ec.PhysicsError):
        if "'MainThread' uses physics" in str(error):
            return "refused"
        if "has no physics" in str(error):
            return "without physics"
    return repr(error)


def live_beside_intruders(seed: int) -> Counter[str]:
    """Live beside threads that intrude; check that nothing changes. Return the outcomes of what these tried.

    `esper.process` in a world without physics is none of our business.
    """
    rng = Random(f"threads {seed}")
    alone = live(seed, "alone")
    sys.setswitchinterval(rng.choice((5e-3, 1e-4, 1e-6)))
    done, outcomes, shown = Event(), Counter[str](), [ec.physics()]
    threads = [
        Thread(target=intrude, args=(rng.random(), shown, done, outcomes), name=f"intruder {k}")
        for k in range(rng.randint(1, 4))
    ]
    for thread in threads:
        thread.start()
    try:
        beside_others = live(seed, "beside others")
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert beside_others == alone, (beside_others, alone)
    assert outcomes.keys() <= {"refused", "without physics", "process done"}, outcomes
    return outcomes


if __name__ == "__main__":
    counts = Counter[str]()
    for number in range(int(sys.argv[1])):
        script = f"from tests.step.hostile_threads import live_beside_intruders as run; print(dict(run({number})))"
        counts.update(literal_eval(run_python("-c", script).stdout))
        if number % 50 == 49:
            print(f"{number + 1} runs: {dict(counts)}", flush=True)
