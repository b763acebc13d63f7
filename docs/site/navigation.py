"""A hook of MkDocs: fills in the entries of the navigation that are folders of pages, such as `algorithms/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    fill(config["nav"], Path(config["docs_dir"]))
    return config


def fill(entries: list[Any], source: Path) -> None:
    for section in entries:
        for title, entry in section.items() if isinstance(section, dict) else ():
            if isinstance(entry, list):
                fill(entry, source)
            elif entry.endswith("/"):
                section[title] = pages(source, entry)


def pages(source: Path, folder: str) -> list[str]:
    """Returns the pages of a folder, the one about the whole folder first."""
    found = [page.relative_to(source).as_posix() for page in source.joinpath(folder).glob("*.md")]
    return sorted(found, key=lambda page: (not page.endswith(("/index.md", "/README.md")), page))
