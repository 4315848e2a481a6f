"""The rooms of the package: which may import which."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from importlib import import_module
from pathlib import Path

TOP = Path(__file__).parents[1] / "ecs_collide"
FLOORS = (
    "native",
    "kernels",
    "geometry",
    "shapes",
    "data",
    "contours",
    "components",
    "common",
    "step",
    "exact",
    "queries",
    "character",
    "snapshots",
    "api",
    "algorithms",
    "draw",
    "from_data",
    "recording",
    "worlds",
    "testing",
    "commands",
)
"""Each imports only those before it, and what stands on no floor."""
FOR_ALL = {"errors", "hints", "validate", "_kernels"}
APART = {"demos", "systems"}


def modules() -> dict[str, Path]:
    """Name of each module without that of the package, and its file; a package is named as its folder is."""
    found = {}
    for floor in FLOORS:
        for path in sorted((TOP / floor).rglob("*.py")):
            parts = path.relative_to(TOP).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imported(path: Path) -> set[str]:
    """The modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.partition(".")[0] == "ecs_collide":
            names = [f"{node.module}.{alias.name}".partition(".")[2] for alias in node.names]
            found |= {name if name in MODULES else name.rpartition(".")[0] or name for name in names}
    return found


def folder_of(module: str) -> str:
    return module if MODULES[module].name == "__init__.py" else module.rpartition(".")[0]


def allowed_for(room: str) -> set[str]:
    """The rooms that a room may import; the calls of a game know the systems, too."""
    return {*FLOORS[: FLOORS.index(room) + 1], *FOR_ALL, *(APART if room == "api" else ())}


def test_rooms_import_only_those_below_them() -> None:
    wrong = [
        f"{module} imports {other}"
        for module, path in MODULES.items()
        for other in imported(path)
        if other.partition(".")[0] not in allowed_for(module.partition(".")[0])
    ]
    assert not wrong


def test_no_folders_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        if path.name != "__init__.py":
            others = {folder_of(other) for other in imported(path) if other in MODULES}
            graph.setdefault(folder_of(module), set()).update(others - {folder_of(module)})
    TopologicalSorter(graph).prepare()


def test_stages_do_not_import_each_other_in_a_circle() -> None:
    graph: dict[str, set[str]] = {}
    for module, path in MODULES.items():
        stage = module.split(".")[:2]
        if stage[0] == "step" and path.parent != TOP / "step":
            others = {
                other.split(".")[1] for other in imported(path) if other.startswith("step.") and other.count(".") > 1
            }
            graph.setdefault(stage[1], set()).update(others - {stage[1]})
    TopologicalSorter(graph).prepare()


def test_few_files_stand_in_the_corridor() -> None:
    assert len(list(TOP.glob("*.py"))) <= 8
    assert {path.name for path in TOP.iterdir() if path.is_dir() and path.name != "__pycache__"} == {*FLOORS, *APART}


def test_numba_is_imported_only_to_compile() -> None:
    """Kernels out of the module run without it."""
    compiling = {"kernels.numba_internals", "kernels.numba_types", "kernels.simd_lowering"}
    wrong = [
        module
        for module, path in MODULES.items()
        if module not in compiling and (imported(path) & compiling or "numba" in packages(path))
    ]
    assert not wrong


def packages(path: Path) -> set[str]:
    """The outside packages that a file imports."""
    nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return {name.partition(".")[0] for name in plain | {n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)}}


BY_NAME = {
    "kernels/all_files.py": "every file, for builds",
    "kernels/lazy_names.py": "what a package names in import statements too",
    "common/interrupts.py": "a part of the interpreter",
}
"""Files that may import by a computed name, with that name."""


def test_imports_of_a_game_are_import_statements() -> None:
    """PyInstaller and similar tools find no other imports."""
    files = {path.relative_to(TOP).as_posix(): path for path in TOP.rglob("*.py") if "demos" not in path.parts}
    by_name = {name for name, path in files.items() if re.search(r"import_module|__import__", path.read_text("utf-8"))}
    assert by_name == set(BY_NAME)


def sources() -> dict[str, ast.Module]:
    """The files of the package and of what is installed in it, parsed, by their names in the checkout."""
    paths = [path for floor in (*FLOORS, "systems") for path in sorted((TOP / floor).rglob("*.py"))]
    paths += sorted(TOP.glob("*.py"))
    return {path.relative_to(TOP).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


SOURCES = sources()


def test_no_file_is_longer_than_four_hundred_lines() -> None:
    lengths = {name: len((TOP / name).read_text("utf-8").splitlines()) for name in SOURCES}
    assert not {name for name, length in lengths.items() if length > 400}


def is_layout(module: str, name: str) -> bool:
    return hasattr(getattr(import_module(module), name, None), "WIDTH")


def layouts_of(tree: ast.Module) -> set[str]:
    """Return the names that a file gives to layouts of columns."""
    return {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "layout"
        for target in node.targets
        if isinstance(target, ast.Name)
    }


LAYOUTS = set().union(*(layouts_of(tree) for tree in SOURCES.values()))


def test_constants_are_read_through_the_module_that_defines_them() -> None:
    """A file imports at most three constants of a module by name; layouts of columns do not count."""
    walls = [
        f"{name}: {', '.join(constants)}"
        for name, tree in SOURCES.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and len(constants := [alias.name for alias in node.names if alias.name.isupper() and alias.name not in LAYOUTS])
        > 3
    ]
    assert not walls


SAME_THING = {
    "append_bounded_rows": "the bounded rows of a joint kind, and their choice by kind in the table of kinds",
    "Scene": "a world as pictures show it, and as queries read it",
    "correct_chord": "the chord correction of a joint kind, and its choice by kind in the table of kinds",
    "main": "the commands of the package and of the build",
    "own_diagonal": "J M^-1 J^T of one row for its two bodies: of a row with bounds, and of a joint's",
    "place_rows": "the constraint rows of a joint kind, and their choice by kind in the table of kinds",
    "pose_of": "a pose out of what a game gave, and of a body's row",
    "rigidity": "the factor of a joint kind's third row, and its choice by kind in the table of kinds",
    "search": "a search along a path, for rays and for shapes",
    "solve_contacts": "the stage of a solver, one for each response",
    "visit": "what a search does with each piece that it visits",
    "warm_start_contacts": "the stage of a solver, one for each response",
    "zero_angle": "the reference angle of a joint kind, and its choice by kind in the table of kinds",
}
"""Names that stand in two files, for what is one thing done to two."""


def test_no_name_stands_for_two_things() -> None:
    places: dict[str, set[str]] = {}
    for name, tree in SOURCES.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, set()).add(name)
    assert {name for name, files in places.items() if len(files) > 1} <= set(SAME_THING)
