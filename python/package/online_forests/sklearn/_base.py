"""What all estimators of scikit-learn do."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from online_forests import _core
from online_forests._parameters import algorithm_text, features_for, reservoir_of, seed_of, threads_of

# Other numbers become float64, which the core casts with a check.
_DTYPES = (np.float64, np.float32)


def _can(capability: str) -> Any:
    """A method that is there only if the fitted learner can do it."""

    def check(estimator: Any) -> bool:
        return capability in estimator._capabilities()

    return available_if(check)


class OnlineForest(BaseEstimator):
    """An estimator around a learner of the core, which is ``None`` before the first sample."""

    _algorithm: ClassVar[str]
    _defaults: ClassVar[dict[str, Any]]
    _is_baseline: ClassVar[bool] = False
    _core_class: ClassVar[Any]
    _core: Any

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._defaults}

    def _text(self) -> str:
        return algorithm_text(self._algorithm, self._values(), self._defaults)

    def _new_core(self, features: int, **schema: int) -> Any:
        settings: dict[str, Any] = {"threads": threads_of(self.n_jobs)}
        if not self._is_baseline:
            settings |= {"trees": _whole("n_estimators", self.n_estimators), "seed": seed_of(self.random_state)}
        return self._core_class(self._text(), features, **settings, **reservoir_of(self), **schema)

    def _rows(self, X: Any, reset: bool = False) -> Any:
        return validate_data(self, X, dtype=_DTYPES, reset=reset)

    def _first(self) -> bool:
        return getattr(self, "_core", None) is None

    def _fitted(self) -> Any:
        check_is_fitted(self, "_core")
        return self._core

    def __sklearn_is_fitted__(self) -> bool:
        return not self._first()

    def _capabilities(self) -> frozenset[str]:
        if self._first():
            return frozenset(self._core_class(self._text(), features_for(self._values())).capabilities)
        return frozenset(self._core.capabilities)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save what was learned to a file that Rust and :func:`online_forests.load` read.

        The parameters of the estimator, the labels of classes and the names of features are not in it: ``pickle`` and
        ``joblib`` keep them.
        """
        self._fitted().save(path)

    def footprint(self) -> dict[str, int]:
        """Nodes, samples that are held, and bytes of memory."""
        footprint: dict[str, int] = self._fitted().footprint()
        return footprint

    @_can("forget")
    def forget(self, arrival: int) -> Self:
        """Forget the sample that was learned as number ``arrival``, from 0, as if it had never been learned."""
        self._fitted().forget(arrival)
        return self

    @property
    @_can("explain")
    def feature_importances_(self) -> Any:
        """How much each feature helps to tell targets apart, together 1; it depends on the scale of the features."""
        return self._fitted().feature_importances()

    def _feature_names(self) -> list[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else [str(name) for name in names]

    def _class_names(self) -> list[str] | None:
        return None

    @_can("explain")
    def export_tree(self, tree: int = 0, format: str = "json", max_depth: int | None = None) -> str:
        """A tree as text: ``json``, or ``dot`` for Graphviz."""
        return str(self._fitted().exported(tree, format, max_depth, self._feature_names(), self._class_names()))

    @_can("explain")
    def decision_path_text(self, x: Any, tree: int = 0) -> str:
        """The way of a row through a tree, in words."""
        row = self._rows(np.asarray(x).reshape(1, -1))[0]
        return str(self._fitted().decision_path(tree, row.tolist(), self._feature_names(), self._class_names()))


def _whole(name: str, value: Any) -> int:
    """The number, which numpy may have made."""
    try:
        return int(value.__index__())
    except AttributeError:
        raise TypeError(f"{name} must be a whole number, but is {value!r}") from None


class OnlineForestClassifier(ClassifierMixin, OnlineForest):
    """A classifier around a learner of the core.

    Classes of the core are numbers in the order in which labels became known; ``classes_`` is sorted.
    """

    _core_class: ClassVar[Any] = _core.Classifier

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rows anew, one pass in their order.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any kind: numbers, texts, truth values.
        """
        return self._learn(X, y, None, None, None, reset=True)

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None, class_weight: Mapping[Any, float] | None = None
    ) -> Self:
        """Learn the rows after all others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        classes : array-like, default=None
            All labels there may be. If they are given with the first call, others are refused; if they never are, a label
            that is new becomes a class.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts, from 2^-20 to 2^20: in the statistics of nodes, not in the geometry, where copies of a
            row are one point. A learner that takes no weights raises a TypeError; ``"weights"`` is among the capabilities of those that do.
        class_weight : dict, default=None
            By which number the weights of the rows of each label are multiplied; 1 for labels that are left out. It holds for this call.
        """
        return self._learn(X, y, classes, sample_weight, class_weight, reset=self._first())

    def _learn(self, X: Any, y: Any, classes: Any, sample_weight: Any, class_weight: Any, reset: bool) -> Self:
        rows, y = validate_data(self, X, y, dtype=_DTYPES, reset=reset)
        check_classification_targets(y)
        labels, index = np.unique(y, return_inverse=True)
        known, closed = self._known(classes, labels, reset)
        numbers = _numbers_of(known, labels, closed)
        core = self._new_core(rows.shape[1], classes=len(known)) if reset else self._core
        core.learn(rows, numbers[index], _weights(sample_weight, class_weight, labels, index))
        # Only now is anything changed.
        self._core, self._closed = core, closed
        self._labels = np.append(known, labels[~np.isin(labels, known)]) if not closed else known
        self._order = np.argsort(self._labels, kind="stable")
        self.classes_ = self._labels[self._order]
        return self

    def _known(self, classes: Any, labels: Any, reset: bool) -> tuple[Any, bool]:
        """The labels before these rows, in the order of the core, and whether there are no others."""
        if classes is not None:
            stated = np.unique(column_or_1d(np.asarray(classes)))
            if not reset and not np.array_equal(stated, self.classes_):
                raise ValueError(f"classes are {stated}, but were {self.classes_} in an earlier call")
            return (stated, True) if reset else (self._labels, self._closed)
        return (labels, False) if reset else (self._labels, self._closed)

    def predict(self, X: Any) -> Any:
        """The most probable label of each row."""
        core = self._fitted()
        labels: Any = self._labels[core.labels(self._rows(X))]
        return labels

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label of ``classes_``, a row for each row."""
        core = self._fitted()
        return core.predict(self._rows(X))[:, self._order]

    def _class_names(self) -> list[str] | None:
        return [str(label) for label in self._labels]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self._is_baseline
        return tags


def _weights(sample_weight: Any, class_weight: Any, labels: Any, index: Any) -> Any:
    """What each row weighs; ``None`` if neither rows nor labels have weights."""
    if class_weight is None:
        return sample_weight
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            f"class_weight must be a dictionary of labels and weights, but is {class_weight!r}; 'balanced' would need all rows at once"
        )
    of_labels = np.array([class_weight.get(label, 1.0) for label in labels.tolist()], dtype=np.float64)
    if sample_weight is None:
        return of_labels[index]
    of_rows = column_or_1d(sample_weight)
    check_consistent_length(of_rows, index)
    return of_rows * of_labels[index]


def _numbers_of(known: Any, labels: Any, closed: bool) -> Any:
    """The class of each label: that of a known one, or the next."""
    order = np.argsort(known, kind="stable")
    place = np.searchsorted(known[order], labels) if len(known) else np.zeros(len(labels), dtype=int)
    place = np.minimum(place, max(len(known) - 1, 0))
    numbers = order[place].astype(np.uint32) if len(known) else np.zeros(len(labels), dtype=np.uint32)
    new = ~np.isin(labels, known)
    if closed and new.any():
        raise ValueError(f"labels {labels[new]} are not among the classes {known[order]} given with the first call")
    numbers[new] = len(known) + np.arange(new.sum(), dtype=np.uint32)
    return numbers


class OnlineForestRegressor(RegressorMixin, OnlineForest):
    """A regressor around a learner of the core."""

    _core_class: ClassVar[Any] = _core.Regressor

    def fit(self, X: Any, y: Any) -> Self:
        """Learn the rows anew, one pass in their order.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Numbers within ±1e100.
        """
        return self._learn(X, y, None, reset=True)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows after all others.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts, from 2^-20 to 2^20: in the statistics of nodes, not in the geometry, where copies of a
            row are one point. A learner that takes no weights raises a TypeError; ``"weights"`` is among the capabilities of those that do.
        """
        return self._learn(X, y, sample_weight, reset=self._first())

    def _learn(self, X: Any, y: Any, sample_weight: Any, reset: bool) -> Self:
        rows, y = validate_data(self, X, y, dtype=_DTYPES, y_numeric=True, reset=reset)
        core = self._new_core(rows.shape[1]) if reset else self._core
        core.learn(rows, y, sample_weight)
        self._core = core
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean at each row; with ``return_std``, the standard deviation of a new target as well.

        Only learners with variances know the deviation: ``conformal``, and forests with ``labels="hierarchical"``.
        """
        core = self._fitted()
        rows = self._rows(X)
        if return_std:
            means, variances = core.means_and_variances(rows).T
            return means, np.sqrt(variances)
        return core.predict(rows)[:, 0]

    @_can("intervals")
    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """Lower and upper bound, as two columns, between which a new target at each row lies with this probability."""
        return self._fitted().intervals(self._rows(X), level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._is_baseline
        return tags
