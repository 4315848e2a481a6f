"""README where packages are listed: no files lie beside it there."""

from __future__ import annotations

import re
import runpy
import sys
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

from tests.documents.pages import ROOT


@pytest.fixture
def listed(monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the description in setup.py, without setuptools, which may be missing."""
    given: dict[str, Any] = {}
    stand_ins: dict[str, dict[str, Any]] = {
        "setuptools": {"setup": given.update, "find_packages": lambda include: [], "Extension": MagicMock()},
        "setuptools.command.build_ext": {"build_ext": object},
        "setuptools.errors": {"CompileError": OSError},
    }
    for name, content in stand_ins.items():
        stand_in = ModuleType(name)
        stand_in.__dict__.update(content)
        monkeypatch.setitem(sys.modules, name, stand_in)
    runpy.run_path(str(ROOT / "setup.py"))
    assert given["long_description_content_type"] == "text/markdown"
    return str(given["long_description"])


def test_no_picture_and_no_link_is_broken_there(listed: str) -> None:
    assert re.findall(r"\]\((?!https://)", listed) == []
    assert "](https://github.com/benmoran56/esper)" in listed


def test_every_word_stays(listed: str) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    targets = re.compile(r"\]\([^)]*\)|\[|\]")
    without_pictures = [line for line in readme.splitlines() if not line.startswith("![")]
    assert targets.sub("", listed).split() == targets.sub("", " ".join(without_pictures)).split()
