"""What tests share: every algorithm as a learner of the core, small data, expected failures of scikit-learn's suite."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest
from sklearn.base import is_classifier
from sklearn.utils.validation import has_fit_parameter

from online_forests import Classifier, Regressor, algorithms

os.environ.setdefault("SCIPY_ARRAY_API", "1")

# FOREST_PYTHON_FULL=1 runs the long versions of what takes minutes, and the suites for every algorithm.
FULL = os.environ.get("FOREST_PYTHON_FULL") == "1"

# Those that differ in what they can do and in the crate that they come from; others differ from these in a distribution
# or a default.
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
    "majority",
    "mean",
]

TRIED = [entry for entry in algorithms() if FULL or entry["name"] in FAMILIES]
CLASSIFIERS = [entry["name"] for entry in TRIED if entry["classification"] is not None]
REGRESSORS = [entry["name"] for entry in TRIED if entry["regression"] is not None]


def tried(module: Any) -> list[str]:
    """The classes of a module that its suite is run for; one without an algorithm of the table is of no family."""
    names: list[str] = module.__all__
    return [name for name in names if FULL or getattr(getattr(module, name), "_algorithm", "mondrian") in FAMILIES]


def few_trees(estimator: Any) -> Any:
    """The estimator with 10 trees if it has any: what tests ask does not depend on their number, and the time does."""
    return estimator.set_params(n_estimators=10) if "n_estimators" in estimator.get_params() else estimator


# What cannot hold in scikit-learn's suite, which expects the first two of its own random forests, too.
IN_ANOTHER_ORDER = (
    "the order of rows counts, and the check compares rows with weights with repeated rows in another order"
)
LEAF_OF_ONE_ROW = (
    "a leaf of one row predicts its label, however little the row weighs: "
    "trees of scikit-learn pass by min_weight_fraction_leaf alone"
)


def expected_failures(estimator: Any) -> dict[str, str]:
    """The checks of scikit-learn's suite that an estimator with weights cannot pass, each with the reason."""
    algorithm, failures = getattr(estimator, "_algorithm", ""), {}
    if not has_fit_parameter(estimator, "sample_weight"):
        return failures
    if algorithm != "dynamic-extra-trees":
        # Those are built at once, of rows in any order.
        checks = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
        failures |= dict.fromkeys(checks, IN_ANOTHER_ORDER)
    if is_classifier(estimator) and algorithm != "residual-forest":
        # That predicts by nodes of several sizes.
        failures["check_class_weight_classifiers"] = LEAF_OF_ONE_ROW
    return failures


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


@pytest.fixture
def in_own_folder(tmp_path, monkeypatch):
    """Runs a test in an empty folder, to which comparisons without `out` write."""
    monkeypatch.chdir(tmp_path)
