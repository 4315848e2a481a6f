"""Dead links of a built site are found."""

from __future__ import annotations

from pathlib import Path

from build_docs.check_links import find_dead_links


def write_pages(site: Path, **pages: str) -> None:
    for name, text in pages.items():
        (site / f"{name}.html").write_text(text, "utf-8")


def test_links_to_pages_anchors_and_folders_with_a_page_are_alive(tmp_path: Path) -> None:
    links = (
        '<a href="b.html#part">b</a><a href="#top">top</a><a href=".">start</a><a href="https://example.org">other</a>'
    )
    write_pages(tmp_path, index=f'<p id="top">{links}', b='<h2 id="part">part</h2>')
    assert find_dead_links(tmp_path) == []


def test_missing_pages_and_anchors_are_named(tmp_path: Path) -> None:
    write_pages(tmp_path, a='<a href="c.html"></a><a href="b.html#other"></a><img src="x.png">', b='<p id="part">')
    assert find_dead_links(tmp_path) == [
        "a.html links to c.html, which does not exist",
        "a.html links to b.html#other, whose page has no such anchor",
        "a.html links to x.png, which does not exist",
    ]


def test_scripts_and_styles_from_elsewhere_are_named(tmp_path: Path) -> None:
    write_pages(tmp_path, a='<script src="https://x.org/a.js"></script><link href="//x.org/a.css" rel="stylesheet">')
    assert find_dead_links(tmp_path) == [
        "a.html loads https://x.org/a.js, which is not a file of the site",
        "a.html loads //x.org/a.css, which is not a file of the site",
    ]
