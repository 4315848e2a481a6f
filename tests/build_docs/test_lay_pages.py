"""The pages of the documentation site, as they are laid out from the repository."""

from __future__ import annotations

from pathlib import Path

import pytest

from build_docs.lay_pages import lay_pages
from tests.documents.pages import ROOT


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    for name, text in {
        "README.md": "# Readme\n",
        "CONTRIBUTING.md": "[guide](docs/guide/README.md#parts)\n",
        "CHANGELOG.md": "# Changes\n",
        "benchmarks/README.md": "[start](../README.md)\n",
        "docs/index.md": "# Start\n",
        "docs/guide/README.md": "[more](../../CONTRIBUTING.md) [code](../../game/play.py) ![picture](../one.png)\n",
        "docs/one.png": "a picture",
        "docs/draw_one.py": "draw()\n",
        "game/play.py": "print('[x](y)')\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")
    return root


def lay_out(repository: Path) -> Path:
    pages = repository.parent / "pages"
    lay_pages(repository, pages)
    return pages


def test_links_lead_to_pages_of_the_site(repository: Path) -> None:
    pages = lay_out(repository)
    assert (pages / "contributing.md").read_text("utf-8") == "[guide](guide/README.md#parts)\n"
    assert (pages / "benchmarks.md").read_text("utf-8") == "[start](index.md)\n"
    text = (pages / "guide/README.md").read_text("utf-8")
    assert text == "[more](../contributing.md) [code](../source/game/play.py.md) ![picture](../one.png)\n"


def test_linked_code_has_a_page_that_no_search_finds(repository: Path) -> None:
    pages = lay_out(repository)
    text = (pages / "source/game/play.py.md").read_text("utf-8")
    assert "exclude: true" in text and "~~~~python\nprint('[x](y)')\n~~~~\n" in text


def test_pictures_are_copied_and_scripts_are_not(repository: Path) -> None:
    pages = lay_out(repository)
    assert (pages / "one.png").exists() and not (pages / "draw_one.py").exists()


def test_a_link_to_a_folder_becomes_text_and_code_blocks_stay(repository: Path) -> None:
    (repository / "docs/index.md").write_text("[the game](../game) `x`\n\n```\n[the game](../game)\n```\n", "utf-8")
    text = (lay_out(repository) / "index.md").read_text("utf-8")
    assert text == "the game `x`\n\n```\n[the game](../game)\n```\n"


def test_a_link_to_a_missing_file_is_an_error_that_names_the_page(repository: Path) -> None:
    (repository / "docs/index.md").write_text("[nothing](nothing.md)\n", "utf-8")
    with pytest.raises(FileNotFoundError, match=r"docs/index\.md links to nothing\.md"):
        lay_out(repository)


def test_every_page_of_the_repository_is_laid_out(tmp_path: Path) -> None:
    lay_pages(ROOT, tmp_path / "pages")
    named = (ROOT / "mkdocs.yml").read_text("utf-8")
    for page in sorted((ROOT / "docs").rglob("*.md")):
        place = page.relative_to(ROOT / "docs").as_posix()
        assert (tmp_path / "pages" / place).exists()
        assert f"- {place}\n" in named, f"{place} is missing in the navigation of mkdocs.yml"
