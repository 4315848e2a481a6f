"""Links of a built site that lead nowhere."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlsplit


def find_dead_links(site: Path) -> list[str]:
    """Return a line for each link within a site to a file or an anchor that does not exist, and for each from outside.

    Links of the text to other sites are allowed. Scripts, styles, fonts and pictures must be files of the site.
    """
    paths = [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]  # its links are a server's
    pages = {path: _Links(path.read_text("utf-8")) for path in paths}
    dead = []
    for path, page in pages.items():
        here = path.relative_to(site)
        for attribute, link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if attribute == "src":
                    dead.append(f"{here} loads {link}, which is not a file of the site")
                continue
            place, anchor = urldefrag(link)
            target = (path.parent / unquote(place)).resolve() if place else path
            if target.is_dir():  # the logo leads to the folder, as on a server
                target /= "index.html"
            if not target.is_file():
                dead.append(f"{here} links to {link}, which does not exist")
            elif anchor and target in pages and unquote(anchor) not in pages[target].anchors:
                dead.append(f"{here} links to {link}, whose page has no such anchor")
    return dead


class _Links(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what an element links to, and its own anchor."""
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                self.links.append(("src" if tag == "link" else name, value))
