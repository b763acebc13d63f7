"""What estimators of scikit-learn have beside the parameters of their algorithms."""

from __future__ import annotations

from typing import Any, ClassVar

from online_forests._classes import Library, Parameter
from online_forests.sklearn._classifier import OnlineForestClassifier, WeightedForestClassifier
from online_forests.sklearn._regressor import OnlineForestRegressor, WeightedForestRegressor

_BASES = {
    ("classification", False): OnlineForestClassifier,
    ("classification", True): WeightedForestClassifier,
    ("regression", False): OnlineForestRegressor,
    ("regression", True): WeightedForestRegressor,
}
_FOREST = [
    Parameter("n_estimators", "int", 100, "Number of trees, at least 1. Time and memory are proportional to it."),
    Parameter(
        "random_state",
        "int | np.random.RandomState | None",
        None,
        "Seed: the same seed, parameters and samples give the same forest, bit for bit. "
        "By default one is drawn by numpy's global generator.",
    ),
]
_CLASS_WEIGHT = Parameter(
    "class_weight",
    'dict[Any, float] | Literal["balanced"] | None',
    None,
    "By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so that "
    "all labels weigh the same in a fit if balanced.",
)
_CATEGORICAL = Parameter(
    "categorical_features",
    'list[int] | list[str] | list[bool] | np.ndarray | Literal["from_dtype"] | None',
    None,
    "Columns of X whose numbers, whole and from 0, are categories without an order: their numbers, their names, "
    "or a mask of all columns. Trees divide them by random subsets; NaN is a missing value there as elsewhere. "
    "Words and columns of pandas' categorical type are categories without it, too; from_dtype says that no others are.",
)
_VERBOSE = Parameter(
    "verbose", "int", 0, "If not 0, a long fit writes to standard error, once in a second, how many rows are learned."
)
_CLASSES = ["classes_ : ndarray of shape (n_classes,)", "    The labels, sorted."]
_IMPORTANCES = [
    "feature_importances_ : ndarray of shape (n_features_in_,)",
    "    How much each feature helps to separate targets, together 1.",
]
_TREES = ["estimators_ : list of estimators", "    The trees, each a copy that predicts by itself."]
_ATTRIBUTES = [
    "n_features_in_ : int",
    "    Number of features of a row.",
    "feature_names_in_ : ndarray of shape (n_features_in_,)",
    "    Names of the features, where the rows had any.",
    "samples_seen_ : int",
    "    Number of samples learned: after an interrupt, those of whole blocks of the batch.",
]


class Estimators(Library):
    """Estimators of scikit-learn."""

    examples: ClassVar[dict[str, str]] = {
        "classification": """
>>> from sklearn.datasets import load_iris
>>> from online_forests.sklearn import {name}
>>> X, y = load_iris(return_X_y=True)
>>> {name}().fit(X, y).predict_proba(X).shape
(150, 3)
""",
        "regression": """
>>> from sklearn.datasets import load_diabetes
>>> from online_forests.sklearn import {name}
>>> X, y = load_diabetes(return_X_y=True)
>>> {name}().fit(X, y).predict(X).shape
(442,)
""",
    }

    def base(self, task: str, known: dict[str, Any]) -> type:
        """Returns a class whose ``fit`` takes weights if the algorithm does."""
        return _BASES[task, "weights" in known["capabilities"]]

    def forest(self, algorithm: str) -> list[Parameter]:
        """Returns number of trees and seed."""
        return _FOREST

    def more(self, task: str, known: dict[str, Any]) -> list[Parameter]:
        """Returns ``verbose`` and, if the algorithm takes them, weights of classes and columns of categories."""
        able = known["capabilities"]
        weights = [_CLASS_WEIGHT] if task == "classification" and "weights" in able else []
        return [*weights, *([_CATEGORICAL] if "missing_values" in able else []), _VERBOSE]

    def attributes(self, task: str, known: dict[str, Any]) -> list[str]:
        """Returns the attributes of what was learned."""
        able = known["capabilities"]
        more = [*(_IMPORTANCES if "explain" in able else []), *(_TREES if "shards" in able else [])]
        return [*(_CLASSES if task == "classification" else []), *_ATTRIBUTES, *more]
