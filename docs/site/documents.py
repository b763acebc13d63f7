"""The documents of the repository as pages of the site, at the same paths, so that the links between them hold."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import rustdoc
from places import ROOT

# A link or picture of Markdown with a path; code is left out by `outside_of_code`.
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
# A row of a table, and code: code hosts want a bar in it escaped there, but Python-Markdown would show the backslash.
ROW = re.compile(r"^\|.*", re.MULTILINE)
CODE = re.compile(r"`[^`]+`")
DATA = {".svg", ".png", ".csv", ".gz", ".jsonl"}
LANGUAGES = {".rs": "rust", ".py": "python", ".sh": "sh", ".toml": "toml", ".yaml": "yaml", ".cff": "yaml"}


def copy(source: Path) -> None:
    """Copies each document, and each file that one of them links to."""
    listed = subprocess.run(["git", "ls-files", "-z", "*.md"], check=True, cwd=ROOT, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if not name.startswith("docs/site/"):
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            text = (ROOT / name).read_text(encoding="utf-8")
            text = ROW.sub(lambda row: CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]), text)
            # Another character that code hosts want escaped, and Python-Markdown does not know to be.
            text = outside_of_code(text, lambda prose: prose.replace("\\<", "&lt;"))
            text = with_links(text, ROOT / name, source, (ROOT / name).parent)
            (source / name).write_text(text, encoding="utf-8")


def with_links(text: str, document: Path, source: Path, folder: Path) -> str:
    """Returns a text of a document whose links lead from a folder to pages and files of the site."""

    def linked(match: re.Match[str]) -> str:
        path = (document.parent / match[2]).resolve()
        if not path.exists():
            raise FileNotFoundError(f"{document.relative_to(ROOT)} links to {match[2]}, which is not there")
        place = place_of(path, source)
        return match[1] + os.path.relpath(ROOT / place, folder) + match[3]

    return outside_of_code(text, lambda prose: LINK.sub(linked, prose))


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """Returns a text that is changed everywhere but in blocks and spans of code."""
    parts = re.split(r"(^ *```.*?^ *```|`[^`\n]+`(?!\]))", text, flags=re.MULTILINE | re.DOTALL)
    # A span inside the text of a link is not split off, because the link is to be found.
    return "".join(part if at % 2 else change(part) for at, part in enumerate(parts))


def place_of(path: Path, source: Path) -> Path:
    """Returns where the site has a file of the repository, which is brought there if no document is."""
    place = path.relative_to(ROOT)
    if path.suffix == ".md":
        return place
    if path.is_dir():
        return place / "README.md"
    if path.suffix == ".rs" and (page := rustdoc.page_of(path, source)):
        return page
    (source / place).parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in DATA:
        shutil.copy(path, source / place)
        return place
    listing = place.with_name(place.name + ".md")
    code = path.read_text(encoding="utf-8")
    (source / listing).write_text(f"# {place}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{code}````\n", encoding="utf-8")
    return listing
