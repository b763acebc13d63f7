"""A hook of MkDocs: fills in the entries of the navigation that are folders of pages, such as `algorithms/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    for section in config["nav"]:
        for title, entry in section.items():
            if str(entry).endswith("/"):
                section[title] = pages(Path(config["docs_dir"]), entry)
    return config


def pages(source: Path, folder: str) -> list[str]:
    """Returns the pages of a folder, the one about the whole folder first."""
    found = [page.relative_to(source).as_posix() for page in source.joinpath(folder).glob("*.md")]
    return sorted(found, key=lambda page: (not page.endswith(("/index.md", "/README.md")), page))
