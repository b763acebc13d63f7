"""What a file of an estimator or model notes beside the learner, and files that are read."""

from __future__ import annotations

import importlib
import json
import math
import os
from typing import Any

import numpy as np

from online_forests import _core
from online_forests._parameters import threads_of

# Modules whose classes may be named in a file, and the library that each needs.
_LIBRARIES = {"sklearn": "scikit-learn", "river": "River"}


def load(path: str | os.PathLike[str], threads: int | None = None) -> Any:
    """The learner in a file: the estimator of scikit-learn or the model of River that was saved, or else a learner of the core.

    ``Classifier.load`` and ``Regressor.load`` read the learner alone, whatever it was saved by.

    Parameters
    ----------
    path : path
        A file of Python, of Rust or of the program ``online-forests``.
    threads : int, default=None
        Threads that work on a batch; by default what the estimator says, or as many as cores.
    """
    core, note = _core.load_noted(path, threads or 0)
    return _estimator(core, json.loads(note), threads) if note else core


def _estimator(core: Any, note: dict[str, Any], threads: int | None) -> Any:
    library, name = note["library"], note["class"]
    if library not in _LIBRARIES:
        raise ValueError(f"the file was saved by {library}, which this version of online_forests does not know; update it")
    try:
        module = importlib.import_module(f"online_forests.{library}")
    except ImportError as error:
        task = type(core).__name__
        message = f"the file holds {name}, which needs {_LIBRARIES[library]}; online_forests.{task}.load reads the learner alone"
        raise ImportError(message) from error
    if name not in module.__all__:
        raise ValueError(f"the file holds {name}, which online_forests.{library} does not have; update online_forests")
    estimator = getattr(module, name)(**{key: _value(known) for key, known in note["parameters"].items()})
    labels, columns = _names(note["labels"]), _names(note["columns"])
    core.set_names(threads_of(estimator.n_jobs) if threads is None else threads, labels, note["closed"], columns)
    estimator._core = core
    return estimator


def noted(library: str, estimator: Any, parameters: dict[str, Any]) -> Any:
    """What makes the note of an estimator from the names of its core."""

    def note(labels: tuple[Any, ...] | None, closed: bool, columns: tuple[Any, ...] | None) -> bytes:
        contents = {
            "library": library,
            "class": type(estimator).__name__,
            # A generator of random numbers has given its seed already.
            "parameters": {name: _written(value) for name, value in parameters.items() if not isinstance(value, np.random.RandomState)},
            "labels": None if labels is None else [_written(label) for label in labels],
            "closed": closed,
            "columns": None if columns is None else [_written(name) for name in columns],
        }
        return json.dumps(contents, allow_nan=False).encode()

    return note


def _names(written: list[Any] | None) -> tuple[Any, ...] | None:
    return None if written is None else tuple(_value(name) for name in written)


def _written(value: Any) -> Any:
    """A value as JSON from which :func:`_value` makes the same, of the same type."""
    if isinstance(value, np.generic) and value.dtype.kind in "biufU":
        return {"numpy": value.dtype.str, "value": _written(value.item())}
    if isinstance(value, tuple):
        return {"tuple": [_written(item) for item in value]}
    if type(value) is float and not math.isfinite(value):
        return {"float": repr(value)}
    if value is None or type(value) in (bool, int, float, str):
        return value
    raise TypeError(f"a file holds labels and names that are numbers, texts or tuples of them, and not {value!r}; pickle keeps any")


def _value(written: Any) -> Any:
    match written:
        case {"numpy": dtype, "value": value}:
            return np.dtype(dtype).type(_value(value))
        case {"tuple": items}:
            return tuple(_value(item) for item in items)
        case {"float": text}:
            return float(text)
    return written
