"""What models of River have beside the parameters of their algorithms."""

from __future__ import annotations

from typing import Any, ClassVar

from online_forests._classes import Library, Parameter
from online_forests.river._base import OnlineForestClassifier, OnlineForestRegressor

_BASES: dict[str, type] = {"classification": OnlineForestClassifier, "regression": OnlineForestRegressor}
# What the forest of River that the algorithm is also named after calls its trees.
_TREES = {"amf": "n_estimators"}
_SEED = Parameter(
    "seed",
    "int | None",
    None,
    "The same seed, parameters and samples give the same forest, bit for bit. "
    "By default one is drawn by numpy's global generator.",
)
_ADDED = (
    "Number of features there is room for from the start; by default those of the first sample. "
    "Features that appear later are added all the same, and were 0 until then."
)
_NOT_READ = (
    "Number of features there may be; by default those of the first sample. "
    "What appears when all columns are taken is not read, and a warning says so."
)


class Models(Library):
    """Models of River."""

    supports: ClassVar[dict[str, str]] = Library.supports | {"widen": "features that appear later"}
    examples: ClassVar[dict[str, str]] = {
        "classification": """
>>> from online_forests.river import {name}
>>> model = {name}()
>>> for number in range(20):
...     model.learn_one({{"size": number / 20, "age": 0.5}}, "large")
>>> model.predict_one({{"size": 0.9, "age": 0.5}})
'large'
""",
        "regression": """
>>> from online_forests.river import {name}
>>> model = {name}()
>>> for number in range(20):
...     model.learn_one({{"size": number / 20, "age": 0.5}}, 3.0)
>>> model.predict_one({{"size": 0.9, "age": 0.5}})
3.0
""",
    }

    def base(self, task: str, known: dict[str, Any]) -> type:
        """Returns the class of the task."""
        return _BASES[task]

    def forest(self, algorithm: str) -> list[Parameter]:
        """Returns number of trees and seed."""
        trees = "Number of trees, at least 1. Time and memory are proportional to it."
        return [Parameter(_TREES.get(algorithm, "n_models"), "int", 10, trees), _SEED]

    def more(self, task: str, known: dict[str, Any]) -> list[Parameter]:
        """Returns the number of columns."""
        return [Parameter("columns", "int | None", None, _ADDED if "widen" in known["capabilities"] else _NOT_READ)]

    def members(self, algorithm: str) -> dict[str, Any]:
        """Returns what trees are called, if that is not the name in the base class."""
        return {"_trees": _TREES[algorithm]} if algorithm in _TREES else {}
