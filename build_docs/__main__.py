"""`python -m build_docs`: build the documentation site in build/site, without the network. See `--help`."""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path

from build_docs.check_links import find_dead_links
from build_docs.gallery import add_gallery
from build_docs.lay_pages import lay_pages
from build_docs.play import PLAYABLE, add_play_page
from build_docs.tutorial import draw_tutorial, mark_new_lines

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "build" / "pages"
SITE = ROOT / "build" / "site"


def main() -> int:
    """Build the site; return 1 if it has a warning or a dead link."""
    parser = argparse.ArgumentParser("python -m build_docs", description="Build the documentation site in build/site.")
    parser.add_argument("--quick", action="store_true", help="without the animations of the gallery")
    parser.add_argument(
        "--pyodide", type=Path, metavar="FOLDER", help="with a page on which demos are played: see docs/building.md"
    )
    options = parser.parse_args()
    for folder in PAGES, SITE:
        shutil.rmtree(folder, ignore_errors=True)
    lay_pages(ROOT, PAGES)
    draw_tutorial(PAGES)
    mark_new_lines(PAGES)
    playable: Collection[str] = ()
    if options.pyodide is not None:
        add_play_page(PAGES, options.pyodide)
        playable = PLAYABLE
    add_gallery(PAGES, animated=not options.quick, playable=playable)
    command = [sys.executable, "-m", "zensical", "build", "--clean", "--strict"]
    if status := subprocess.run(command, cwd=ROOT).returncode:
        return status
    dead = find_dead_links(SITE)
    print("\n".join(dead) or f"no dead links; open {SITE / 'index.html'}")
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
