"""The table of the documented algorithms is that of the code."""

from __future__ import annotations

import re
from importlib import import_module
from os.path import normpath
from pathlib import Path
from typing import NamedTuple

import pytest

from ecs_collide import algorithms
from tests.documents.pages import ROOT

PAGE = ROOT / "docs" / "algorithms" / "README.md"
DOCUMENTS = {"PC", "OC", "SC", "CC", "EQ", "ours"}


class AlgorithmRow(NamedTuple):
    """A row of the table."""

    numbers: list[int]
    documents: set[str]
    names: list[str]
    file: Path


def algorithm_table() -> list[AlgorithmRow]:
    rows = re.findall(
        r"^\| ([\d, –]+) \| ([\w, ]+) \| (.*?) \| \[.*?\]\((.*?)\) \|", PAGE.read_text("utf-8"), re.MULTILINE
    )
    return [
        AlgorithmRow(
            [int(number) for number in re.findall(r"\d+", numbers)],
            set(documents.split(", ")),
            re.findall(r"`(\w+)`", names),
            Path(normpath(PAGE.parent / file)),  # a folder may be a link, to an installed package
        )
        for numbers, documents, names, file in rows
    ]


TABLE = algorithm_table()


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.names[0])
def test_functions_that_a_row_names_are_in_its_file(row: AlgorithmRow) -> None:
    module = import_module(".".join(row.file.relative_to(ROOT).with_suffix("").parts))
    assert row.documents <= DOCUMENTS
    for name in row.names:
        found = getattr(module, name)
        assert found.__module__ == module.__name__
        if name in algorithms.__all__:
            assert getattr(algorithms, name) is found


def test_every_number_has_a_row_and_every_function_too() -> None:
    assert {number for row in TABLE for number in row.numbers} == set(range(1, 31))
    functions = {name for name in algorithms.__all__ if not isinstance(getattr(algorithms, name), type)} - {"Pose"}
    assert functions <= {name for row in TABLE for name in row.names}
