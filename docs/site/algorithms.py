"""A page for each algorithm, from the table of the library and the guide's choices."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import documents
import online_forests
import online_forests.sklearn
from places import ROOT

FOLDER = ROOT / "algorithms"
CHOICES = ROOT / "docs" / "algorithms.md"
# The pages of papers, which the table of algorithms does not know.
PAPERS = {
    "amf": "amf",
    "boundary-forest": "boundary-forest",
    "dynamic-extra-trees": "dynamic-forest",
    "mondrian": "mondrian",
    "obsp": "online-bsp-forest",
    "residual-forest": "residual-forest",
    "saffari": "stream-partitioned-forest",
    "stream-rf": "stream-partitioned-forest",
    "urtf": "random-tessellation-forest",
}
CLASSES = [(name, getattr(online_forests.sklearn, name)) for name in online_forests.sklearn.__all__]


def write(source: Path) -> None:
    """Writes the page of each algorithm that is not an alias, and the page that lists them."""
    table = online_forests.algorithms()
    (source / "algorithms").mkdir()
    for entry in names(table):
        page = "\n\n".join(parts(entry, table, source))
        (source / "algorithms" / f"{entry['name']}.md").write_text(page + "\n", encoding="utf-8")
    (source / "algorithms" / "index.md").write_text(index(table), encoding="utf-8")


def names(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the algorithms that have a page, baselines last."""
    return sorted((entry for entry in table if not entry["alias_of"]), key=lambda entry: (entry["is_baseline"], entry["name"]))


def index(table: list[dict[str, Any]]) -> str:
    rows = [f"| [`{entry['name']}`]({entry['name']}.md) | {entry['description']} |" for entry in names(table)]
    choose = f"Which one to take: [choose]({os.path.relpath(CHOICES, FOLDER)})."
    return "\n".join(["# Algorithms", "", choose, "", "| name | what it is |", "|---|---|", *rows, ""])


def parts(entry: dict[str, Any], table: list[dict[str, Any]], source: Path) -> Iterator[str]:
    """Returns the parts of a page."""
    yield f"# {entry['name']}"
    yield sentence(entry["description"])
    yield paper(entry)
    if choices := rows_of(CHOICES, f"`{entry['name']}", 1, source):
        yield "## When\n\n| need | algorithm | why |\n|---|---|---|\n" + "\n".join(choices)
    if entry["limits"]:
        yield "Limitations:\n\n" + "\n".join(f"- {sentence(linked(limit))}" for limit in entry["limits"])
    yield from parameters(entry)
    yield from aliases(entry["name"], table)
    yield classes(entry)


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def linked(text: str) -> str:
    """Returns a text whose paths of documents are links."""
    return re.sub(r"\bdocs/[\w./-]+\.md", lambda path: f"[{path[0]}]({os.path.relpath(ROOT / path[0], FOLDER)})", text)


def paper(entry: dict[str, Any]) -> str:
    if entry["name"] not in PAPERS:
        return f"Paper: {sentence(entry['paper'])}"
    page = f"docs/papers/{PAPERS[entry['name']]}.md"
    return f"Paper: {sentence(entry['paper'])} [{title(ROOT / page)}, equation by equation](../{page})."


def title(page: Path) -> str:
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def rows_of(document: Path, text: str, column: int, source: Path) -> list[str]:
    """Returns the rows of a document's tables with a text in a column, their links as they are from a page of an algorithm."""
    rows = [line for line in document.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    found = [row for row in rows if len(row.split("|")) == 5 and text in re.split(r"\|", row)[column + 1]]
    return [documents.with_links(row, document, source, FOLDER) for row in found]


def parameters(entry: dict[str, Any]) -> Iterator[str]:
    """Returns the tables of parameters: one, if those for classes and for numbers are the same."""
    tasks = {task: table_of(entry[task]["parameters"]) for task in ("classification", "regression") if entry[task]}
    if len(set(tasks.values())) == 1:
        tasks = {"": next(iter(tasks.values()))}
    yield "## Parameters"
    for task, table in tasks.items():
        yield (f"### {task.capitalize()}\n\n" if task else "") + (table or "None.")


def table_of(declared: list[dict[str, Any]]) -> str:
    rows = [[f"`{one['name']}`", f"`{one['default_text']}`", one["rule"], one["meaning"]] for one in declared]
    cells = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join(["| parameter | default | values | meaning |", "|---|---|---|---|", *(f"| {row} |" for row in cells)]) if rows else ""


def aliases(name: str, table: list[dict[str, Any]]) -> Iterator[str]:
    rows = [
        f"| `{alias['name']}` | `{name}:{alias['preset']}` | {alias['description']} | {alias['paper']} |"
        for alias in table
        if alias["alias_of"] == name
    ]
    if rows:
        yield "## Other names\n\n" + "\n".join(["| name | the same as | what it is | paper |", "|---|---|---|---|", *rows])


def classes(entry: dict[str, Any]) -> str:
    """Returns the classes of Python."""
    names = [name for name, made in CLASSES if getattr(made, "_algorithm", None) == entry["name"]]
    return "## In Python\n\n" + "\n".join(f"- [`{name}`](../api/sklearn/{name}.md)" for name in names)
