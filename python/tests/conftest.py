"""What tests share: every algorithm as a learner of the core, and small data."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from online_forests import Classifier, Regressor, algorithms

os.environ.setdefault("SCIPY_ARRAY_API", "1")

# FOREST_PYTHON_FULL=1 runs the long versions of what takes minutes.
FULL = os.environ.get("FOREST_PYTHON_FULL") == "1"

CLASSIFIERS = [entry["name"] for entry in algorithms() if entry["classification"] is not None]
REGRESSORS = [entry["name"] for entry in algorithms() if entry["regression"] is not None]


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
