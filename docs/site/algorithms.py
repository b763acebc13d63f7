"""A page for each algorithm, from the table of the library, the guide's choices and the measured times."""

from __future__ import annotations

import gzip
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

import documents
import online_forests
import online_forests.sklearn
from places import HERE, ROOT

FOLDER = ROOT / "algorithms"
CHOICES = ROOT / "docs" / "algorithms.md"
RECORDS = ROOT / "docs" / "results" / "peers" / "algorithms.jsonl.gz"
CLASSES = [(name, getattr(online_forests.sklearn, name)) for name in online_forests.sklearn.__all__]


def write(source: Path) -> None:
    """Writes the page of each algorithm that is not an alias, and the page that lists them."""
    notes = tomllib.loads((HERE / "algorithms.toml").read_text(encoding="utf-8"))
    table = online_forests.algorithms()
    (source / "algorithms").mkdir()
    for entry in names(table):
        page = "\n\n".join(parts(entry, table, notes.get(entry["name"], {}), source))
        (source / "algorithms" / f"{entry['name']}.md").write_text(page + "\n", encoding="utf-8")
    (source / "algorithms" / "index.md").write_text(index(table), encoding="utf-8")


def names(table: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the algorithms that have a page, baselines last."""
    return sorted((entry for entry in table if not entry["alias_of"]), key=lambda entry: (entry["is_baseline"], entry["name"]))


def index(table: list[dict[str, Any]]) -> str:
    rows = [f"| [`{entry['name']}`]({entry['name']}.md) | {entry['description']} |" for entry in names(table)]
    choose = f"Which one to take: [choose]({os.path.relpath(CHOICES, FOLDER)})."
    return "\n".join(["# Algorithms", "", choose, "", "| name | what it is |", "|---|---|", *rows, ""])


def parts(entry: dict[str, Any], table: list[dict[str, Any]], notes: dict[str, str], source: Path) -> Iterator[str]:
    """Returns the parts of a page."""
    yield f"# {entry['name']}"
    yield sentence(entry["description"])
    yield paper(entry, notes)
    if choices := rows_of(CHOICES, f"`{entry['name']}", 1, source):
        yield "## When\n\n| need | algorithm | why |\n|---|---|---|\n" + "\n".join(choices)
    if entry["limits"]:
        yield "Limitations:\n\n" + "\n".join(f"- {sentence(linked(limit))}" for limit in entry["limits"])
    if "results" in notes:
        yield figure(ROOT / notes["results"], source)
    yield from parameters(entry)
    yield from aliases(entry["name"], table)
    yield from cost(entry, source)


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def linked(text: str) -> str:
    """Returns a text whose paths of documents are links."""
    return re.sub(r"\bdocs/[\w./-]+\.md", lambda path: f"[{path[0]}]({os.path.relpath(ROOT / path[0], FOLDER)})", text)


def paper(entry: dict[str, Any], notes: dict[str, str]) -> str:
    page = f" [{title(ROOT / notes['paper'])}, equation by equation](../{notes['paper']})." if "paper" in notes else ""
    return f"Paper: {sentence(entry['paper'])}{page}"


def title(page: Path) -> str:
    return page.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def rows_of(document: Path, text: str, column: int, source: Path) -> list[str]:
    """Returns the rows of a document's tables with a text in a column, their links as they are from a page of an algorithm."""
    rows = [line for line in document.read_text(encoding="utf-8").splitlines() if line.startswith("| ")]
    found = [row for row in rows if len(row.split("|")) == 5 and text in re.split(r"\|", row)[column + 1]]
    return [documents.with_links(row, document, source, FOLDER) for row in found]


def figure(page: Path, source: Path) -> str:
    """Returns the picture of a page of results, which leads there."""
    text = page.read_text(encoding="utf-8")
    picture = re.search(r"^!\[[^]]*\]\([^)]+\)", text, re.MULTILINE)[0]
    picture = documents.with_links(picture, page, source, FOLDER)
    return f"## Figure\n\n{picture}\n\n[{title(page)}]({os.path.relpath(page, FOLDER)}) has the data, the verdicts and the command."


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


def cost(entry: dict[str, Any], source: Path) -> Iterator[str]:
    """Returns the classes of Python, and what the algorithm costs under each of its names."""
    classes = [name for name, made in CLASSES if getattr(made, "_algorithm", None) == entry["name"]]
    yield "## In Python\n\n" + "\n".join(f"- [`{name}`](../api/sklearn.md#online_forests.sklearn.{name})" for name in classes)
    if rows := [row for label in labels(entry["name"]) for row in measured(label)]:
        head = "| name | data | accuracy, or RMSE | learning (µs a row) | predicting (µs a row) | size (KiB) |\n|---|---|---:|---:|---:|---:|\n"
        about = f"Ten trees, means over seeds, from [the comparison of all algorithms]({os.path.relpath(RECORDS.with_name('algorithms.md'), FOLDER)}):"
        yield f"## Cost\n\n{about}\n\n{head}" + "\n".join(rows)


def labels(name: str) -> list[str]:
    return [name, *(entry["name"] for entry in online_forests.algorithms() if entry["alias_of"] == name)]


def measured(label: str) -> Iterator[str]:
    """Returns a row for each data set that the algorithm was measured on."""
    runs = [run for run in records() if run["label"] == label and "value" in run]
    for data in sorted({run["dataset"] for run in runs}):
        mean = partial(mean_of, [run for run in runs if run["dataset"] == data])
        learning = mean(lambda run: 1e6 * run["learn_seconds"] / run["n_train"])
        predicting = mean(lambda run: 1e6 * run["predict_seconds"] / run["n_test"])
        size = mean(lambda run: run["model_bytes"] / 1024)
        yield f"| `{label}` | `{data}` | {mean(lambda run: run['value']):.3f} | {learning:.2f} | {predicting:.2f} | {size:,.0f} |"


def mean_of(runs: list[dict[str, Any]], value: Callable[[dict[str, Any]], float]) -> float:
    return sum(map(value, runs)) / len(runs)


@cache
def records() -> list[dict[str, Any]]:
    with gzip.open(RECORDS, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]
