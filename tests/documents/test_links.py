"""Links between the pages lead somewhere."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.documents.pages import PAGES, link_targets, page_name

PACKAGE_LISTS = {"pypi.org", "pypi.python.org"}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_files_that_are_linked_exist(page: Path) -> None:
    for link in link_targets(page):
        if not urlsplit(link).scheme and not link.startswith("#"):
            assert (page.parent / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_dependencies_are_linked_where_they_are_made_and_not_in_a_list_of_packages(page: Path) -> None:
    for link in link_targets(page):
        assert urlsplit(link).hostname not in PACKAGE_LISTS, link
