"""Parameters of an algorithm as the text that the core reads."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np


def algorithm_text(algorithm: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> str:
    """Returns ``name:key=value,…`` with the values that are not the default.

    A trailing underscore keeps a name apart from a word of Python (``lambda_``) and is left out.
    """
    given = [
        f"{name.rstrip('_')}={_word(name, value)}"
        for name, value in values.items()
        if value is not None and not _same(value, defaults[name])
    ]
    return f"{algorithm}:{','.join(given)}" if given else algorithm


def parameters_in(text: str, defaults: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Returns the algorithm and the parameters in the text of a learner, which states all of them."""
    algorithm, _, stated = text.partition(":")
    values = dict(pair.split("=", 1) for pair in stated.split(",") if pair)
    return algorithm, {name: _value(values[name.rstrip("_")]) for name in defaults if name.rstrip("_") in values}


def _value(word: str) -> Any:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            pass
    return word


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def _word(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)):
        return "/".join(_word(name, one) for one in value)
    if isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)):
        return str(int(value)) if isinstance(value, numbers.Integral) else repr(float(value))
    raise TypeError(f"{name} must be a number, a word or a list of them, but is {value!r}")


def seed_of(seed: Any) -> int:
    """Returns a whole number, or draws one from a generator: for ``None`` numpy's global one, as in scikit-learn."""
    if isinstance(seed, numbers.Integral) and not isinstance(seed, bool):
        if not 0 <= int(seed) < 2**64:
            raise ValueError(f"a seed must be from 0 to 2^64 - 1, but is {seed}")
        return int(seed)
    if seed is None:
        return int(np.random.randint(0, 2**63 - 1, dtype=np.int64))
    if isinstance(seed, np.random.RandomState):
        return int(seed.randint(0, 2**31 - 1))
    if isinstance(seed, np.random.Generator):
        return int(seed.integers(0, 2**63))
    raise TypeError(f"a seed must be a whole number, a generator of numpy, or None, but is {seed!r}")


def trees_of(name: str, trees: Any) -> int:
    """Returns a number of trees, which may be an integer of numpy."""
    if not hasattr(trees, "__index__"):
        raise TypeError(f"{name} must be a whole number, but is {trees!r}")
    if int(trees) < 1:
        raise ValueError(f"{name} must be at least 1, but is {trees}")
    return int(trees)


def threads_of(n_jobs: int | None) -> int:
    """Returns the number of threads: 1 for ``None``, 0 (one per core) for -1, one fewer than cores for -2, …"""
    if n_jobs is None:
        return 1
    if n_jobs == -1:
        return 0
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs must be a whole number other than 0, or None, but is {n_jobs!r}")
    if n_jobs > 0:
        return int(n_jobs)
    import os

    return max((os.cpu_count() or 1) + 1 + int(n_jobs), 1)


def features_for(values: Mapping[str, Any]) -> int:
    """Returns a number of features for a learner that only checks parameters and abilities.

    A parameter may be a number of features, and then a row must have as many.
    """
    numbers_given = [int(value) for value in values.values() if isinstance(value, numbers.Integral)]
    return min(max(64, *numbers_given), 4096) if numbers_given else 64


def class_cap_of(estimator: Any) -> dict[str, int]:
    """Returns the setting `class_cap` of an estimator, if it is given."""
    cap = getattr(estimator, "class_cap", None)
    return {} if cap is None else {"class_cap": cap}
