"""Learners of a comparison: what they are, and the adapters by which the Rust library calls them."""

from __future__ import annotations

import copy
import inspect
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from online_forests.compare._adapters import Adapter, adapter_of, guarded
from online_forests.compare._data import Source, Table

# Parameters of a function that get the seed.
SEEDS = ("seed", "random_state", "random_seed")


class Described:
    """A learner as the Rust library sees it: an algorithm by name, or what `start` makes."""

    def __init__(self, label: str, learner: Any, example: Table) -> None:
        self.label = label
        self.algorithm = learner if isinstance(learner, str) else None
        self.itself = self
        self.classes = self.values = True
        self.offline = False
        if self.algorithm is None:
            self._learner = learner
            self._is_made = _is_function(learner)
            self._look(example)

    def _look(self, example: Table) -> None:
        """Finds out what it is from one that is made; a function that raises is a learner whose runs fail."""
        try:
            model = self._make(0, example)
        except Exception:
            return
        adapter = adapter_of(model)
        if adapter is None:
            raise TypeError(
                f"{self.label!r} is {type(model).__name__}, which has neither learn_one and predict_one, "
                "nor partial_fit and predict, nor fit and predict, nor train and predict; pass an algorithm by name, "
                "or an object or a function of the seed as the documentation of compare describes"
            )
        self.offline = adapter.offline
        self.classes, self.values = _tasks(model)

    def start(self, seed: int, table: Table, features: int) -> tuple[Adapter | None, str | None]:
        """Makes the learner of a run for a data set with this number of features; returns why it failed, too."""
        return guarded(lambda: self._start(seed, table, features))

    def _start(self, seed: int, table: Table, features: int) -> Adapter:
        model = self._make(seed, table)
        adapter = adapter_of(model)
        if adapter is None:
            raise TypeError(f"the function returned {type(model).__name__}, which is not a learner")
        return adapter(model, table, features)

    def _make(self, seed: int, table: Table) -> Any:
        return _call(self._learner, seed, table) if self._is_made else copy.deepcopy(self._learner)


def described(learners: Mapping[str, Any] | Iterable[str], first: Source) -> list[Described]:
    """Returns the learners that were listed."""
    if isinstance(learners, str):
        learners = [learners]
    named = learners if isinstance(learners, Mapping) else {name: name for name in learners}
    if not named:
        raise ValueError("learners is empty; list at least one")
    example = first.example()
    return [Described(str(label), learner, example) for label, learner in named.items()]


def _is_function(learner: Any) -> bool:
    return isinstance(learner, type) or (callable(learner) and adapter_of(learner) is None)


def _call(function: Any, seed: int, table: Table) -> Any:
    """Calls it with the seed and the schema, if it takes them."""
    parameters = inspect.signature(function).parameters
    given: dict[str, Any] = {name: seed for name in SEEDS if name in parameters}
    if "schema" in parameters:
        given["schema"] = table.schema()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    needed = [
        name
        for name, parameter in parameters.items()
        if parameter.kind in positional and parameter.default is inspect.Parameter.empty and name not in given
    ]
    return function(seed, **given) if needed else function(**given)


def _tasks(model: Any) -> tuple[bool, bool]:
    """Returns whether it learns classes, and whether numbers: both, if it is not known."""
    for library in ("river.base", "capymoa.base"):
        base = sys.modules.get(library)
        if base is not None and isinstance(model, (base.Classifier, base.Regressor)):
            return isinstance(model, base.Classifier), isinstance(model, base.Regressor)
    kind = _kind_of_estimator(model)
    if kind is not None:
        return kind == "classifier", kind == "regressor"
    is_classifier = hasattr(model, "predict_proba") or hasattr(model, "predict_proba_one")
    return True, not is_classifier


def _kind_of_estimator(model: Any) -> str | None:
    """Returns scikit-learn's word for it."""
    try:
        kind = model.__sklearn_tags__().estimator_type
    except Exception:
        kind = getattr(model, "_estimator_type", None)
    return kind if kind in ("classifier", "regressor") else None
