"""Learners of CapyMOA, any algorithm by name.

``Classifier`` and ``Regressor`` learn one instance after another. ``BatchClassifier`` and ``BatchRegressor`` do the
same by tensors and need PyTorch, as CapyMOA's own batch learners do; they are loaded at their first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from online_forests import _core
from online_forests._extras import require
from online_forests._parameters import seed_of, threads_of

require("capymoa", "capymoa")

import capymoa.base  # noqa: E402

if TYPE_CHECKING:
    from capymoa.core import Instance, LabeledInstance, RegressionInstance
    from capymoa.stream import Schema

__all__ = ["BatchClassifier", "BatchRegressor", "Classifier", "Regressor"]


class _ByName:
    """Base class: an algorithm by name for the features of a schema."""

    _core: Any
    algorithm: str

    def _start(
        self, core: Any, schema: Schema, algorithm: str, ensemble_size: int, jobs: int | None, **more: int
    ) -> None:
        self.algorithm = algorithm
        features = schema.get_num_attributes()
        seed = seed_of(self.random_seed)
        self._core = core(algorithm, features, trees=ensemble_size, seed=seed, threads=threads_of(jobs), **more)

    def __str__(self) -> str:
        return f"{type(self).__name__}({self.algorithm})"

    random_seed: int


class Classifier(_ByName, capymoa.base.Classifier):
    """A classifier by name, for example ``mondrian:budget=10``.

    Parameters
    ----------
    schema : Schema
        Of the stream; all its classes are known from the start.
    algorithm : str, default="mondrian"
        Name and parameters, as :func:`online_forests.algorithms` lists them.
    random_seed : int, default=1
        The same seed and stream give the same forest, bit for bit.
    ensemble_size : int, default=10
        Number of trees.
    number_of_jobs : int or None, default=None
        Threads that work on a batch: as many as cores if None.
    """

    def __init__(
        self,
        schema: Schema,
        algorithm: str = "mondrian",
        random_seed: int = 1,
        ensemble_size: int = 10,
        number_of_jobs: int | None = None,
    ) -> None:
        super().__init__(schema, random_seed)
        classes = schema.get_num_classes()
        self._start(_core.Classifier, schema, algorithm, ensemble_size, number_of_jobs, classes=classes)

    def train(self, instance: LabeledInstance) -> None:
        """Learn an instance."""
        self._core.learn(_row(instance), np.array([instance.y_index]))

    def predict_proba(self, instance: Instance) -> Any:
        """Predict the probability of each class; returns None before the first instance."""
        if self._core.samples_seen == 0:
            return None
        return self._core.predict(_row(instance))[0]


class Regressor(_ByName, capymoa.base.Regressor):
    """A regressor by name, for example ``mondrian:budget=10``.

    Parameters
    ----------
    schema : Schema
        Of the stream.
    algorithm : str, default="mondrian"
        Name and parameters, as :func:`online_forests.algorithms` lists them.
    random_seed : int, default=1
        The same seed and stream give the same forest, bit for bit.
    ensemble_size : int, default=10
        Number of trees.
    number_of_jobs : int or None, default=None
        Threads that work on a batch: as many as cores if None.
    """

    def __init__(
        self,
        schema: Schema,
        algorithm: str = "mondrian",
        random_seed: int = 1,
        ensemble_size: int = 10,
        number_of_jobs: int | None = None,
    ) -> None:
        super().__init__(schema, random_seed)
        self._start(_core.Regressor, schema, algorithm, ensemble_size, number_of_jobs)

    def train(self, instance: RegressionInstance) -> None:
        """Learn an instance."""
        self._core.learn(_row(instance), np.array([instance.y_value], dtype=np.float64))

    def predict(self, instance: RegressionInstance) -> float:
        """Predict the mean of the targets; returns 0 before the first instance."""
        return float(self._core.predict(_row(instance))[0, 0])


def _row(instance: Any) -> Any:
    return np.asarray(instance.x).reshape(1, -1)


def __getattr__(name: str) -> Any:
    if name not in ("BatchClassifier", "BatchRegressor"):
        raise AttributeError(f"module {__name__} has no attribute {name}")
    from online_forests import _capymoa_batch

    return getattr(_capymoa_batch, name)
