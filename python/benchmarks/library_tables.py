"""Tables that scikit-learn and River ship, as CSV with the target last.

    python python/benchmarks/library_tables.py data/libraries

The items of `cargo xtask-all reproduce` read them there, in the data folder. Classes are words, so that a reader does
not take them for numbers.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from river import datasets as river
from sklearn import datasets as sklearn


def of_sklearn(load: Any, word: str = "") -> Iterator[list[Any]]:
    data = load()
    yield [*(str(name).replace(" ", "_") for name in data.feature_names), "target"]
    for row, target in zip(data.data.tolist(), data.target.tolist(), strict=True):
        yield [*row, f"{word}{target}"]


def of_river(rows: Iterable[tuple[dict[str, Any], Any]]) -> Iterator[list[Any]]:
    for number, (row, target) in enumerate(rows):
        if number == 0:
            # River numbers the features of some tables, and a line of numbers is not a header.
            yield [*(f"x{name}" if str(name).isdigit() else name for name in row), "target"]
        yield [*(float(value) for value in row.values()), f"class-{target}"]


TABLES = {
    "breast-cancer": lambda: of_sklearn(sklearn.load_breast_cancer, "class-"),
    "diabetes": lambda: of_sklearn(sklearn.load_diabetes),
    "digits": lambda: of_sklearn(sklearn.load_digits, "class-"),
    "bananas": lambda: of_river(river.Bananas()),
    "image-segments": lambda: of_river(river.ImageSegments()),
    "phishing": lambda: of_river(river.Phishing()),
}


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, rows in TABLES.items():
        with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(rows())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
