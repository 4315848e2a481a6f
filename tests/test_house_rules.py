"""House rules that hold for every file: parameters, docstrings, names of files and helpers, sizes of folders."""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import ecs_collide

TOP = Path(ecs_collide.__file__).parent
TESTS = Path(__file__).parent
MOST_PARAMETERS = 10
JOINT_KINDS = (
    "distance",
    "friction",
    "gear",
    "motor",
    "prismatic",
    "pulley",
    "ratchet",
    "revolute",
    "target",
    "weld",
    "wheel",
)
BAD_BEGINNING = r"(Whether|What|Who|Whom|The same|Those|These)\b|\.\.\."

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = ast.Module | ast.ClassDef | Function


def python_files(top: Path, *folders: Path) -> dict[str, Path]:
    """Return the Python files in folders, which may be links, by their paths below `top`."""
    return {path.relative_to(top).as_posix(): path for folder in folders for path in sorted(folder.rglob("*.py"))}


FILES = {path.name: path for path in sorted(TOP.glob("*.py"))} | python_files(
    TOP, *(path for path in sorted(TOP.iterdir()) if path.is_dir())
)
"""Files of the package by their paths in it."""
OTHER_FILES = python_files(
    TESTS.parent, *(TESTS.parent / folder for folder in ("benchmarks", "build_docs", "build_kernels", "tests/support"))
)
PACKAGE = {name: ast.parse(path.read_text("utf-8")) for name, path in FILES.items()}
DOCUMENTED = PACKAGE | {name: ast.parse(path.read_text("utf-8")) for name, path in OTHER_FILES.items()}


def functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def parameter_count(function: Function) -> int:
    """Return the number of parameters that a call may give by place, without self and cls."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    return len(names) - (names[:1] in (["self"], ["cls"])) + (function.args.vararg is not None)


WIDE_FUNCTIONS = {"common/settings.py: checked"}
"""Functions that may have more parameters: all settings of `install`, checked in one place."""


def test_no_function_has_more_than_ten_parameters() -> None:
    """The documented algorithms are left out: they take plain numbers, as the formulas do."""
    wide = {
        f"{path}: {function.name}"
        for path, tree in PACKAGE.items()
        if not path.startswith("algorithms/")
        for function in functions(tree)
        if parameter_count(function) > MOST_PARAMETERS
    }
    assert wide <= WIDE_FUNCTIONS


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a file: of itself, of classes and functions, and those behind fields and constants."""
    for node in ast.walk(tree):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            for statement in body if isinstance(body, list) else ():
                value = statement.value if isinstance(statement, ast.Expr) else None
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    yield value.value


def test_no_docstring_begins_with_a_word_that_hides_its_subject() -> None:
    wrong = [
        f"{path}: {text.splitlines()[0]}"
        for path, tree in DOCUMENTED.items()
        for text in docstrings(tree)
        if re.match(BAD_BEGINNING, text)
    ]
    assert not wrong, "\n".join(wrong)


OWNERS = {
    "body": "Bodies",
    "piece": "Pieces",
    "pair": "Pairs",
    "contact": "Contacts",
    "joint": "Joints",
    "solver": "Solver",
}
"""Bundles of columns by the first word of the names that docstrings give their fields: `body_velocity`."""
BESIDE_THE_BUNDLES = {"body_span"}
"""Columns that stand beside the bundle of their owner."""


def test_docstrings_name_columns_that_exist() -> None:
    """A kernel says which columns it reads and writes; a column that was renamed is renamed there as well."""
    bundles = [
        (node.name, [each.target.id for each in node.body if isinstance(each, ast.AnnAssign)])  # type: ignore[union-attr]
        for tree in PACKAGE.values()
        for node in tree.body
        if isinstance(node, ast.ClassDef) and {"Bundle", "NamedTuple"}.intersection(map(ast.unparse, node.bases))
    ]
    bare = {field for _, fields in bundles for field in fields}
    owned = {
        f"{owner}_{field}" for owner in OWNERS for name, fields in bundles for field in fields if name == OWNERS[owner]
    }
    columns = bare | owned | BESIDE_THE_BUNDLES
    wrong = [
        f"{path}: {function.name}: {name}"
        for path, tree in PACKAGE.items()
        for function in functions(tree)
        for listed in re.findall(r"\b(?:Reads|Writes|writes|clears) ([^.`]*)", ast.get_docstring(function) or "")
        for name in re.findall(rf"\b(?:{'|'.join(OWNERS)})_[a-z_]+\b", listed)
        if name not in columns
    ]
    assert not wrong, "\n".join(wrong)


def test_every_support_file_function_and_class_has_a_docstring() -> None:
    wrong = [
        f"{path}: {getattr(node, 'name', 'the file itself')}"
        for path, tree in DOCUMENTED.items()
        if path.startswith("tests/support/")
        for node in (tree, *tree.body)
        if isinstance(node, Documented) and not getattr(node, "name", "").startswith("_")
        if ast.get_docstring(node) is None and (tree.body or not isinstance(node, ast.Module))
    ]
    assert not wrong


def test_no_kernel_counts_from_the_end_of_an_array() -> None:
    """Machine code takes an index as it is, see `build_kernels/compiler.py`."""
    wrong = [
        f"{path}:{part.lineno}"
        for path, tree in PACKAGE.items()
        for function in functions(tree)
        if {ast.unparse(decorator) for decorator in function.decorator_list} & {"device", "kernel", "subroutine"}
        for part in ast.walk(function)
        if isinstance(part, ast.Subscript)
        for index in (part.slice.elts if isinstance(part.slice, ast.Tuple) else [part.slice])
        if isinstance(index, ast.UnaryOp) and isinstance(index.op, ast.USub)
    ]
    assert not wrong


def test_no_folder_holds_half_of_the_package() -> None:
    lines: Counter[str] = Counter()
    for name, path in FILES.items():
        lines[name.partition("/")[0]] += len(path.read_text("utf-8").splitlines())
    folder, most = lines.most_common(1)[0]
    assert most < 0.5 * lines.total(), f"{folder} holds {most} of {lines.total()} lines"


SHARED_FILE_NAMES = {
    "circle_circle.py": "the documented algorithm, and the kernel of the pair",
    "colliding_entities.py": "the component, and the stage that fills it",
    "pose.py": "the base of components with a pose, and the geometry of poses",
    **{f"{kind}_joint.py": "the component, and its rows in the step" for kind in JOINT_KINDS},
}
"""Names of two files of the package, and what these are."""


def test_no_two_files_of_the_package_share_a_name() -> None:
    """Demos are left out: their names are those of commands."""
    files = [path.name for name, path in FILES.items() if not name.startswith("demos/") and path.stem[:2] != "__"]
    assert {name for name, count in Counter(files).items() if count > 1} == set(SHARED_FILE_NAMES)


def test_no_helper_of_the_tests_stands_in_two_files() -> None:
    """One builder does one job, in `tests/support` if several files need it; other jobs have other names."""
    places = defaultdict(set)
    for path in sorted(TESTS.rglob("*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, Function | ast.ClassDef) and not node.name.startswith(("test_", "_")):
                places[node.name].add(path.relative_to(TESTS).as_posix())
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
