"""Files with kernels are read only if something other than their machine code is used."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import ecs_collide
from ecs_collide.kernels.kernel import KERNEL_MODE, KernelMode
from tests.support.processes import run_script

pytestmark = pytest.mark.skipif(
    KERNEL_MODE is not KernelMode.PREBUILT, reason="kernels do not come out of the module in this run"
)


TOP = Path(ecs_collide.__file__).parent


def output_with_step_imported(script: str) -> str:
    """Return the output of a fresh process."""
    script = f"import sys, esper, ecs_collide as ec\nfrom ecs_collide.step.solver import step_bodies as step\n{script}"
    script = script.replace("IS_READ", "'__getattr__' not in vars(step)")
    return run_script(script)


def test_a_game_that_steps_does_not_read_the_solver_s_source() -> None:
    game = """
ec.install(gravity=(0.0, -9.81))
ball = esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
esper.process(1 / 60)
print(esper.component_for_entity(ball, ec.Velocity).linear[1] < 0.0, IS_READ, 'ecs_collide.algorithms' in sys.modules)
"""
    assert output_with_step_imported(game) == "True False False"


def test_a_game_that_steps_loads_nothing_slow_that_it_does_not_use() -> None:
    game = """
ec.install(gravity=(0.0, -9.81))
esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(), ec.Collider(ec.Box(1.0, 1.0)))
esper.process(1 / 60)
slow = {"difflib", "numba", "numpy.ma", "numpy.polynomial", "numpy.typing"}
print(sorted(slow.intersection(sys.modules)))
"""
    assert output_with_step_imported(game) == "[]"


def test_a_game_of_circles_reads_nothing_of_joints_questions_and_other_shapes() -> None:
    game = """
from ecs_collide.kernels.lazy_files import LAZY_FILES
ec.install(gravity=(0.0, -9.81))
esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
esper.create_entity(ec.Transform(0.0, 0.0), ec.Collider(ec.Circle(0.5)))
esper.process(1 / 60)
print([file for file in sorted(LAZY_FILES) if file in sys.modules and '__getattr__' not in vars(sys.modules[file])])
print('ecs_collide.shapes.box' in sys.modules, 'ecs_collide.components.joints.weld_joint' in sys.modules)
"""
    assert output_with_step_imported(game) == "[]\nFalse False"


def test_characters_queries_and_joints_in_play_load_nothing_slow() -> None:
    game = """
for response in ("impulse", "exact"):
    esper.switch_world(response)
    physics = ec.install(gravity=(0.0, -9.81), response=response)
    received = []
    for event in ("collision_start", "collision_end", "sensor_enter"):
        ec.on(event, lambda *arguments: received.append(arguments))
    esper.create_entity(ec.Transform(0.0, -1.0), ec.Collider(ec.Circle(1.0)))
    balls = [
        esper.create_entity(ec.Transform(3.0 * k, 0.4), ec.Velocity(0.0, -1.0), ec.Collider(ec.Circle(0.5)))
        for k in range(3)
    ]
    if response == "impulse":
        esper.create_entity(ec.DistanceJoint(balls[0], balls[1], length=3.0))
    player = esper.create_entity(
        ec.Transform(-9.0, 2.0), ec.Velocity(), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(ec.Circle(0.5)),
        ec.CharacterController(), ec.CollidingEntities(),
    )
    esper.add_processor(ec.systems.MoveCharacters(physics), priority=100)
    for _ in range(5):
        esper.process(1 / 60)
    physics.move_and_slide(player, (1.0, 0.0), 0.1, where=lambda entity: entity != balls[0])
    physics.ray_casts_all((0.0, 2.0), [(0.0, -2.0)], where=lambda entity: True)
    physics.nearest((0.0, 0.0), count=2, where=lambda entity: entity != balls[0])
    esper.delete_entity(balls[1])
    esper.process(1 / 60)
    assert received
print(sorted({"numpy.ma", "numba"}.intersection(sys.modules)))
"""
    assert output_with_step_imported(game) == "[]"


def test_after_a_loading_screen_the_first_joint_loads_nothing() -> None:
    game = """
ec.compile()
physics = ec.install(gravity=(0.0, -9.81))
a = esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
esper.process(1 / 60)
loaded = set(sys.modules)
esper.create_entity(ec.RevoluteJoint(a, anchor_a=(0.0, 1.0)))
esper.create_entity(ec.Transform(9.0, 0.0), ec.Collider(ec.Bitmap(["#"])))
stone = ec.Polygon([(0, 0), (1, 0), (0, 1)])
player = esper.create_entity(ec.Transform(-9.0), ec.RigidBody(ec.BodyKind.KINEMATIC), ec.Collider(stone))
esper.process(1 / 60)
physics.move_and_slide(player, (1.0, 0.0), 0.1)
physics.nearest((0.0, 0.0))
print(sorted(set(sys.modules) - loaded))
"""
    assert output_with_step_imported(game) == "[]"


def test_ctrl_c_while_a_file_is_read_leaves_it_to_be_read_again() -> None:
    game = """
from itertools import count
from ecs_collide.step.joints import joint_sync as jointing
from tests.support.interrupted import interrupted
for line in count(1):
    if not interrupted(lambda: jointing.JointSync, line, (jointing.__spec__.origin,)):
        break
    assert sorted(name for name in vars(jointing) if not name.startswith('__')) == [], line
physics = ec.install()
a = esper.create_entity(ec.Transform(0.0, 5.0), ec.Velocity(), ec.Collider(ec.Circle(0.5)))
esper.create_entity(ec.RevoluteJoint(a, anchor_a=(0.0, 1.0)))
esper.process(1 / 60)
print(line > 20, len(physics.pipeline.world_joints.joints.rows))
"""
    assert output_with_step_imported(game) == "True 1"


def test_its_kernels_are_the_module_s() -> None:
    script = """
from ecs_collide.kernels import module
kernel = module.kernel_named("step.solver.step_bodies.step_bodies")
print(step.step_bodies is kernel, IS_READ)
print("step_bodies" in dir(step), IS_READ, step.step_bodies is kernel)
"""
    assert output_with_step_imported(script) == "True False\nTrue True True"


def test_another_name_has_it_read() -> None:
    assert output_with_step_imported("print(callable(step.kernel), IS_READ, len(step.__doc__) > 0)") == "True True True"


def test_a_name_that_it_does_not_have() -> None:
    script = """
try:
    step.nothing
except AttributeError as error:
    print(error)
"""
    assert (
        output_with_step_imported(script) == "module 'ecs_collide.step.solver.step_bodies' has no attribute 'nothing'"
    )


def test_the_functions_of_two_shapes_are_loaded_on_demand() -> None:
    script = """
print('ecs_collide.algorithms' in sys.modules, ec.overlap(ec.Circle(1), ec.Transform(), ec.Circle(1), ec.Transform(1)),
      ec.algorithms.circles_overlap(0, 0, 1, 1, 0, 1), 'ecs_collide.algorithms' in sys.modules)
"""
    assert output_with_step_imported(script) == "False True True True"


THREADS = """
import ast, random, threading
from importlib import import_module
from pathlib import Path
from ecs_collide.kernels.lazy_files import FileFinder

finder = next(each for each in sys.meta_path if isinstance(each, FileFinder))
places = []
for file, kernels in finder._kernels.items():
    module = import_module(file)
    if "__getattr__" in vars(module):
        tree = ast.parse(Path(module.__spec__.origin).read_text("utf-8"))
        own = [node.name for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))]
        places += [(module, name) for name in own if name not in kernels][-1:]
assert len(places) > 30, places
packages = ec, ec.shapes, ec.components, ec.components.joints, ec.systems
places += [(package, name) for package in packages for name in package.__all__]
found, faults = [dict() for _ in range(8)], []

def read_all(number):
    order = random.Random(number // 2).sample(places, len(places))  # two and two of them in the same order
    start.wait()
    for module, name in order:
        try:
            found[number][module, name] = getattr(module, name)
        except BaseException as error:
            faults.append(repr(error))

start = threading.Barrier(len(found))
sys.setswitchinterval(1e-6)
threads = [threading.Thread(target=read_all, args=(number,), daemon=True) for number in range(len(found))]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join(200.0)
print(faults, [thread.is_alive() for thread in threads].count(True), all(each == found[0] for each in found))
"""


def test_threads_that_read_files_on_demand_at_once_all_get_the_same_objects() -> None:
    assert output_with_step_imported(THREADS) == "[] 0 True"


def test_no_files_need_each_other_in_a_circle() -> None:
    """A thread that runs a file waits for files that this one imports: in a circle threads would wait for ever."""
    files = {}
    for path in (path for room in TOP.iterdir() if room.name != "demos" for path in room.rglob("*.py")):
        parts = path.relative_to(TOP.parent).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    assert len(files) > 300
    list(TopologicalSorter({name: needed_files(name, files) for name in files}).static_order())


def needed_files(name: str, files: dict[str, Path]) -> set[str]:
    """The files that run before or while a file runs: those that it imports, with their packages but not its own."""
    found = set()
    for node in ast.parse(files[name].read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            submodules = [full for alias in node.names if (full := f"{node.module}.{alias.name}") in files]
            found |= {*submodules, *([node.module] if len(submodules) < len(node.names) else [])}
    found |= {full[:place] for full in found for place, sign in enumerate(full) if sign == "."}
    return {each for each in found if each in files and not f"{name}.".startswith(f"{each}.")}


def test_a_thread_that_reads_its_own_file_gets_an_error_and_no_endless_wait(tmp_path: Path) -> None:
    tmp_path.joinpath("asks_itself.py").write_text(
        "import asks_itself\nFOUND = hasattr(asks_itself, 'LATER')\nLATER = 1\n"
    )
    script = f"""
import importlib.machinery, importlib.util
from ecs_collide.kernels.lazy_files import _OnDemand
loader = importlib.machinery.SourceFileLoader("asks_itself", {str(tmp_path / "asks_itself.py")!r})
spec = importlib.util.spec_from_loader("asks_itself", _OnDemand(loader, {{}}))
module = sys.modules["asks_itself"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print("FOUND" in vars(module), module.FOUND, module.LATER)
"""
    assert output_with_step_imported(script) == "False False 1"
