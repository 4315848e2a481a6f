"""The pages of the site: those of the repository, with links that lead to other pages of the site.

The site has a page for each file of the repository that a page links to, so that a link into the code works there too.
"""

from __future__ import annotations

import os.path
import re
import shutil
from pathlib import Path, PurePosixPath

PAGES_OUTSIDE_DOCS = {
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/README.md": "benchmarks.md",
}
"""Path on the site of each page outside the folder `docs`, by its path in the repository."""
START = "index.md"
"""Page to which links to the README lead."""

_LINK = re.compile(r"(!?\[(?:[^\[\]]|\[[^\[\]]*\])*\])\(([^)\s]+)\)")
_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LANGUAGES = {".py": "python", ".c": "c", ".yml": "yaml", ".toml": "toml"}


def lay_pages(root: Path, pages: Path) -> None:
    """Write the pages of a repository at `root` into an empty folder, with the pictures and the code they show."""
    shutil.copytree(root / "docs", pages, ignore=shutil.ignore_patterns("*.py", "__pycache__"), dirs_exist_ok=True)
    sources: set[str] = set()
    for place in sorted((root / "docs").rglob("*.md")):
        _lay_page(root, pages, place.relative_to(root).as_posix(), sources)
    for name in PAGES_OUTSIDE_DOCS:
        _lay_page(root, pages, name, sources)
    for source in sorted(sources):
        _lay_source(root, pages, source)


def page_of(path: str) -> str | None:
    """Return the path on the site of a page or picture of the repository, None for other files."""
    if path == "README.md":
        return START
    if path.startswith("docs/") and not path.endswith(".py"):
        return path.removeprefix("docs/")
    return PAGES_OUTSIDE_DOCS.get(path)


def _lay_page(root: Path, pages: Path, name: str, sources: set[str]) -> None:
    """Write a page with other links, and add the files of the repository that it links to, to `sources`."""
    here = page_of(name)
    assert here is not None

    def lead(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, mark, anchor = target.partition("#")
        path = os.path.normpath((PurePosixPath(name).parent / path).as_posix())
        if not (root / path).exists():
            raise FileNotFoundError(f"{name} links to {target}, which does not exist")
        place = page_of(path)
        if place is None and (root / path).is_dir():
            return label[1:-1]  # a folder has no page
        if place is None:
            sources.add(path)
            place = _source_page(path)
        return f"{label}({os.path.relpath(place, PurePosixPath(here).parent)}{mark}{anchor})"

    text = (root / name).read_text("utf-8")
    parts, end = [], 0
    for fence in _FENCE.finditer(text):  # code may look like a link
        parts += [_LINK.sub(lead, text[end : fence.start()]), fence[0]]
        end = fence.end()
    parts.append(_LINK.sub(lead, text[end:]))
    (pages / here).write_text("".join(parts), "utf-8")


def _source_page(path: str) -> str:
    return f"source/{path.removeprefix('.')}.md"  # generators leave hidden folders out


def _lay_source(root: Path, pages: Path, path: str) -> None:
    """Write a page with the text of a file of the repository."""
    place = pages / _source_page(path)
    place.parent.mkdir(parents=True, exist_ok=True)
    code = (root / path).read_text("utf-8")
    language = _LANGUAGES.get(PurePosixPath(path).suffix, "")
    place.write_text(f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n~~~~{language}\n{code}~~~~\n", "utf-8")
