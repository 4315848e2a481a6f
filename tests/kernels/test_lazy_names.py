"""Names of a package whose files run when a name is first read."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

import pytest

from ecs_collide.kernels.lazy_names import names_on_demand

PACKAGES = [
    f"ecs_collide{room}"
    for room in ("", ".components", ".components.joints", ".draw", ".recording", ".shapes", ".systems", ".worlds")
]


def said_twice(package: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return the lazy names of a package by file: those for type checkers, and those at run time.

    Its public modules, which are not in `__all__`, are left out.
    """
    tree = ast.parse(Path(str(import_module(package).__file__)).read_text("utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    checked = {alias.name: str(node.module) for node in imports for alias in node.names}
    call = next(node for node in ast.walk(tree) if isinstance(node, ast.Call))
    table = ast.literal_eval(call.args[1])
    for module in ast.literal_eval(call.args[2]).split() if len(call.args) > 2 else ():
        assert checked.pop(module) == package and import_module(f"{package}.{module}")
    return checked, {name: file for file, names in table.items() for name in names.split()}


def eager_names(package: str) -> set[str]:
    """Public names that a package imports or defines when it is run, without helpers from `kernels` and `typing`."""
    tree = ast.parse(Path(str(import_module(package).__file__)).read_text("utf-8"))
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    helpers = ("typing", "ecs_collide.kernels")
    found = {alias.name for node in imports for alias in node.names if not str(node.module).startswith(helpers)}
    targets = [target for node in tree.body if isinstance(node, ast.Assign) for target in node.targets]
    return found | {target.id for target in targets if isinstance(target, ast.Name) and not target.id.startswith("_")}


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_and_freezers_see_equal_names(package: str) -> None:
    checked, run = said_twice(package)
    assert checked == run


@pytest.mark.parametrize("package", PACKAGES)
def test_every_name_is_there_and_listed(package: str) -> None:
    module = import_module(package)
    assert all(getattr(module, name) is not None for name in module.__all__)
    assert set(module.__all__) <= set(dir(module))
    assert sorted(module.__all__) == sorted({*said_twice(package)[1], *eager_names(package)})
    for name, file in said_twice(package)[1].items():
        assert getattr(module, name) is getattr(import_module(file), name)


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "game", type(sys)("game"))
    read, listed = names_on_demand("game", {"colorsys": "rgb_to_hsv"})
    assert "rgb_to_hsv" in listed() and not hasattr(sys.modules["game"], "rgb_to_hsv")
    found = read("rgb_to_hsv")
    assert sys.modules["game"].rgb_to_hsv is found is sys.modules["colorsys"].rgb_to_hsv


def test_a_name_that_a_package_does_not_have() -> None:
    with pytest.raises(AttributeError, match=r"module 'ecs_collide\.shapes' has no attribute 'Heart'"):
        import_module("ecs_collide.shapes").__getattr__("Heart")
