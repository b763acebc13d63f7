"""Checks each link, picture and anchor of the built pages. rustdoc has checked its own pages, which are only linked to."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from lxml import html

from places import SITE


def check() -> None:
    # The page that a host shows instead of a missing one has links from the root of the host.
    pages = [page for page in sorted(SITE.rglob("*.html")) if SITE / "rust" not in page.parents and page.name != "404.html"]
    missing = [f"{page.relative_to(SITE)}: {link}" for page in pages for link in broken(page)]
    if missing:
        sys.exit("These links of the site lead nowhere:\n" + "\n".join(missing))
    print(f"{len(pages)} pages: every link leads to a page, a file or an anchor")


def broken(page: Path) -> Iterator[str]:
    """Returns the links of a page that lead to no file of the site, or to no anchor of its file."""
    for _, _, link, _ in parsed(page).iterlinks():
        whole, anchor = urldefrag(urljoin(page.as_uri(), link))
        parts = urlsplit(whole)
        # Other hosts change on their own.
        if parts.scheme != "file":
            continue
        target = Path(unquote(parts.path))
        target = target / "index.html" if target.is_dir() else target
        if SITE not in target.parents or not target.is_file() or (anchor and unquote(anchor) not in anchors(target)):
            yield link


@cache
def parsed(page: Path) -> html.HtmlElement:
    return html.parse(page, html.HTMLParser(encoding="utf-8")).getroot()


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(parsed(page).xpath("//@id | //a/@name"))


if __name__ == "__main__":
    check()
