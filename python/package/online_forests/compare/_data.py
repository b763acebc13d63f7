"""Data of a comparison: names, arrays, frames, and streams of pairs."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np

# More different whole numbers than this are values rather than classes, as where files are read.
MOST_CLASSES = 100


class Table:
    """A data set as learners of Python know it: names of its features, and labels of its classes."""

    def __init__(self, name: str, features: list[str], classes: list[Any] | None) -> None:
        self.name = name
        self.features = features
        self.classes = classes

    @cached_property
    def _numbers(self) -> dict[Any, int]:
        return {label: number for number, label in enumerate(self.classes or [])}

    def index(self, label: Any) -> int:
        """Returns the number of a class."""
        try:
            return self._numbers[label]
        except (KeyError, TypeError):
            raise ValueError(f"{label!r} was predicted, which is not one of the classes {self.classes}") from None

    def schema(self) -> Any:
        """Returns the schema of CapyMOA for it."""
        return self._schema

    @cached_property
    def _schema(self) -> Any:
        from capymoa.stream import Schema

        categories = None if self.classes is None else {"class": [str(label) for label in self.classes]}
        return Schema.from_custom(
            features=[*self.features, "class"], target="class", categories=categories, name=self.name
        )


class Source:
    """What the Rust library opens: an address."""

    rows: Any = None
    words: list[str] | None = None
    values: list[float] | None = None

    def __init__(self, name: str) -> None:
        self.name = name
        self.features: list[str] = []
        self.itself = self

    def table(self, features: list[str], classes: list[str] | None) -> Table:
        """Returns the data set as it was opened; classes whose names are whole numbers are these numbers."""
        return Table(self.name, features, None if classes is None else self._labels(classes))

    def example(self) -> Table:
        """Returns a data set of the same kind before it is opened, to try learners."""
        return Table(self.name, self.features or ["x1"], ["0", "1"])

    def _labels(self, classes: list[str]) -> list[Any]:
        return [int(name) for name in classes] if all(_is_whole(name) for name in classes) else list(classes)


class InMemory(Source):
    """Rows in memory, with a target each."""

    def __init__(self, name: str, features: list[str], rows: Any, targets: list[Any]) -> None:
        super().__init__(name)
        self.features = features
        self.rows = rows
        if len(targets) != len(rows):
            raise ValueError(f"{name}: {len(targets)} targets for {len(rows)} rows")
        _check_targets(name, targets)
        if _are_classes(targets):
            self.words = [
                str(int(target)) if isinstance(target, float) and target.is_integer() else str(target)
                for target in targets
            ]
            if targets and all(isinstance(target, float) for target in targets):
                warnings.warn(
                    f"{name}: the targets are whole numbers of {len(set(targets))} values, "
                    "which are treated as classes, as where files are read; "
                    "numbers of which one has a fraction are regressed on",
                    stacklevel=2,
                )
            self._by_word = dict(zip(self.words, targets, strict=True))
            if len(self._by_word) < len(set(targets)):
                raise ValueError(f"{name}: two classes have the same name: {sorted(set(map(repr, targets)))}")
        else:
            self.values = [float(target) for target in targets]

    def _labels(self, classes: list[str]) -> list[Any]:
        return [self._by_word[name] for name in classes]


def sources(data: Any) -> list[Source]:
    """Returns the data sets that were listed."""
    listed = data if isinstance(data, list) else [data]
    if not listed:
        raise ValueError("data is empty; list at least one data set")
    return [_source(item, f"data {number}") for number, item in enumerate(listed, start=1)]


def _source(item: Any, name: str) -> Source:
    if isinstance(item, (str, os.PathLike)):
        return Source(os.fspath(item))
    if isinstance(item, tuple) and len(item) in (2, 3):
        *named, rows, targets = item
        if isinstance(rows, str):
            return _of_pairs(targets, rows)
        features, array = _matrix(rows)
        return InMemory(str(named[0]) if named else name, features, array, _listed(targets))
    if hasattr(item, "next_instance") and hasattr(item, "get_schema"):
        return _of_capymoa(item)
    if isinstance(item, Iterable):
        return _of_pairs(item, type(item).__name__ if hasattr(item, "n_features") else name)
    raise TypeError(
        f"data must be names, (X, y), (name, X, y) or iterables of (x, y), but one is {type(item).__name__}"
    )


def _of_pairs(pairs: Iterable[Any], name: str) -> Source:
    """Reads an iterable of pairs to its end."""
    if math.isinf(getattr(pairs, "n_samples", None) or 0) or getattr(pairs, "n_samples", 0) is None:
        raise ValueError(f"{name} has no end; pass a part of it, such as {name}.take(10000)")
    rows, targets = [], []
    for x, y in pairs:
        rows.append(x)
        targets.append(_listed([y])[0])
    if rows and isinstance(rows[0], Mapping):
        names = list(dict.fromkeys(key for row in rows for key in row))
        features, array = _columns({str(key): [row.get(key, 0.0) for row in rows] for key in names}, len(rows))
    else:
        features, array = _matrix(rows)
    return InMemory(name, features, array, targets)


def _of_capymoa(stream: Any) -> Source:
    """Reads a stream of CapyMOA to its end."""
    schema = stream.get_schema()
    rows, targets = [], []
    stream.restart()
    while stream.has_more_instances():
        instance = stream.next_instance()
        rows.append(np.array(instance.x))
        targets.append(instance.y_label if schema.is_classification() else float(instance.y_value))
    names = [str(name) for name in schema.get_numeric_attributes() or []]
    features = names if len(names) == len(rows[0]) else _numbered(len(rows[0]))
    return InMemory(str(schema.dataset_name), features, _floats(np.stack(rows)), targets)


def _matrix(rows: Any) -> tuple[list[str], Any]:
    """Returns names of features, and rows."""
    if hasattr(rows, "columns") or hasattr(rows, "column_names"):
        return _of_frame(rows)
    if hasattr(rows, "toarray"):
        rows = rows.toarray()
    array = np.asarray(rows)
    if array.ndim != 2:
        raise ValueError(f"features must be an array of rows and columns, but it has {array.ndim} dimensions")
    if array.dtype.kind not in "biuf":
        names = _numbered(array.shape[1])
        return _columns({name: array[:, number].tolist() for number, name in enumerate(names)}, len(array))
    return _numbered(array.shape[1]), _floats(array)


def _of_frame(frame: Any) -> tuple[list[str], Any]:
    from online_forests._extras import require

    require("narwhals", "compare")
    import narwhals as nw

    table = nw.from_native(frame, eager_only=True)
    return _columns({str(name): table[name].to_list() for name in table.columns}, len(table))


def _columns(columns: Mapping[str, list[Any]], rows: int) -> tuple[list[str], Any]:
    """Returns the names and numbers of columns.

    A column of texts becomes a column of zeros and ones for each text (NaN where it is missing), named as where files
    are read.
    """
    names: list[str] = []
    arrays: list[Any] = []
    for name, values in columns.items():
        texts = sorted({value for value in values if isinstance(value, str)})
        if not texts:
            names.append(name)
            arrays.append(_numbers(name, values))
        elif all(isinstance(value, str) or _is_missing(value) for value in values):
            names += [f"{name}={text}" for text in texts]
            arrays += [
                np.array([math.nan if _is_missing(value) else value == text for value in values], dtype=np.float64)
                for text in texts
            ]
        else:
            raise TypeError(f"column {name!r} has texts and other values; make all of them texts, or none")
    array = np.column_stack(arrays) if arrays else np.zeros((rows, 0))
    return names, _floats(array)


def _numbers(name: str, values: list[Any]) -> Any:
    try:
        return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
    except (TypeError, ValueError):
        raise TypeError(
            f"column {name!r} must be numbers or texts, but has {type(values[0]).__name__}; convert it first"
        ) from None


def _floats(array: Any) -> Any:
    """Returns an array as `float32`."""
    with np.errstate(over="ignore"):
        cast = np.ascontiguousarray(array, dtype=np.float32)
    if np.isinf(cast).any():
        row, feature = (int(place[0]) for place in np.nonzero(np.isinf(cast)))
        raise ValueError(
            f"row {row}, feature {feature}: {array[row, feature]!r} does not fit float32, "
            "which features are stored as; scale it first"
        )
    return cast


def _listed(targets: Any) -> list[Any]:
    """Returns targets as objects of Python."""
    if hasattr(targets, "to_list"):
        return list(targets.to_list())
    return (
        list(targets.tolist())
        if hasattr(targets, "tolist")
        else [getattr(value, "item", lambda value=value: value)() for value in targets]
    )


def _is_missing(value: Any) -> bool:
    return (
        value is None
        or type(value).__name__ in ("NAType", "NaTType")
        or (isinstance(value, float) and math.isnan(value))
    )


def _check_targets(name: str, targets: list[Any]) -> None:
    """Refuses targets that are missing, times, or others where most are numbers: they would become classes."""
    numbers = sum(isinstance(target, (int, float)) for target in targets)
    for row, target in enumerate(targets):
        if _is_missing(target):
            raise ValueError(f"{name}: row {row} has no target; leave the row out")
        if hasattr(target, "isoformat"):
            raise TypeError(f"{name}: the target of row {row} is {target!r}; convert times to numbers or texts first")
        if numbers > len(targets) / 2 and not isinstance(target, (int, float)):
            raise TypeError(
                f"{name}: the target of row {row} is {target!r}, but most are numbers; "
                "make all of them numbers, or texts"
            )


def _are_classes(targets: list[Any]) -> bool:
    if not all(isinstance(target, (int, float)) for target in targets):
        return True
    return (
        all(isinstance(target, int) or target.is_integer() for target in targets) and len(set(targets)) <= MOST_CLASSES
    )


def _numbered(count: int) -> list[str]:
    return [f"x{number}" for number in range(1, count + 1)]


def _is_whole(name: str) -> bool:
    return name.isascii() and name.removeprefix("-").isdigit() and str(int(name)) == name
