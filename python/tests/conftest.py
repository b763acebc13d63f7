"""What tests share: every algorithm as a learner of the core, and small data."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from online_forests import Classifier, Regressor, algorithms

os.environ.setdefault("SCIPY_ARRAY_API", "1")

# FOREST_PYTHON_FULL=1 runs the long versions of what takes minutes, and the suites for every algorithm.
FULL = os.environ.get("FOREST_PYTHON_FULL") == "1"

# Those that differ in what they can do and in the crate that they come from; others differ from these in a distribution or a default.
FAMILIES = [
    "mondrian",
    "amf",
    "mondrian-2016",
    "obsp",
    "boundary-forest",
    "stream-rf",
    "dynamic-extra-trees",
    "residual-forest",
    "adaptive",
    "conformal",
    "row-parts",
    "majority",
    "mean",
]

TRIED = [entry for entry in algorithms() if FULL or entry["name"] in FAMILIES]
CLASSIFIERS = [entry["name"] for entry in TRIED if entry["classification"] is not None]
REGRESSORS = [entry["name"] for entry in TRIED if entry["regression"] is not None]


def tried(module: Any) -> list[str]:
    """The classes of a module that its suite is run for; one without an algorithm of the table is none of a family."""
    names: list[str] = module.__all__
    return [name for name in names if FULL or getattr(getattr(module, name), "_algorithm", "mondrian") in FAMILIES]


def learner(task: type, algorithm: str, features: int = 3, **settings: Any) -> Any:
    return task(algorithm, features, trees=3, seed=7, **settings)


LEARNERS = [(Classifier, name) for name in CLASSIFIERS] + [(Regressor, name) for name in REGRESSORS]


def every_learner() -> Any:
    names = [f"{task.__name__}-{name}" for task, name in LEARNERS]
    return pytest.mark.parametrize(("task", "algorithm"), LEARNERS, ids=names)


def data(rows: int = 200, features: int = 3, seed: int = 1) -> tuple[Any, Any]:
    """Points of the unit cube, and the class of each."""
    x = np.random.default_rng(seed).random((rows, features), dtype=np.float32)
    return x, (x[:, 0] + x[:, 1] > 1).astype(np.uint32)
