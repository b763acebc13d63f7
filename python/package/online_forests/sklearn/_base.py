"""What all estimators of scikit-learn do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from online_forests import _core
from online_forests._around import AroundCore, learned, reporter
from online_forests._parameters import features_for, reservoir_of, seed_of, threads_of

# Other numbers become float64, which the core casts with a check.
_DTYPES = (np.float64, np.float32)


def _can(capability: str) -> Any:
    """A method that is there only if the fitted learner can do it."""

    def check(estimator: Any) -> bool:
        return capability in estimator._capabilities()

    return available_if(check)


class OnlineForest(AroundCore, BaseEstimator):
    """An estimator around a learner of the core, which is empty before the first sample."""

    def _new_core(self, features: int, **names: Any) -> Any:
        settings: dict[str, Any] = {"threads": threads_of(self.n_jobs)}
        if not self._is_baseline:
            settings |= {"trees": _whole("n_estimators", self.n_estimators), "seed": seed_of(self.random_state)}
        return self._core_class(self._text(), features, **settings, **reservoir_of(self), **names)

    def _fit(self, *given: Any) -> Self:
        """Learn with a new core, which takes the place of the one before once it knows something: so it does if this is interrupted."""
        core = self._core_class.empty()
        try:
            return self._learn(core, *given)
        finally:
            if not core.is_empty:
                self._core = core

    def _partial_fit(self, *given: Any) -> Self:
        # In one step: threads that come with the first rows have the same core.
        return self._learn(self.__dict__.setdefault("_core", self._core_class.empty()), *given)

    def _learn(self, core: Any, *given: Any) -> Self:
        while not self._is_learned(core, *given):
            pass  # The first rows were those of another thread, and have other columns.
        return self

    def _is_learned(self, core: Any, *given: Any) -> bool:
        raise NotImplementedError

    def _progress(self) -> Any:
        return reporter(type(self).__name__) if self.verbose else None

    def _checked(self, core: Any, X: Any, y: Any, **checks: Any) -> tuple[Any, Any, Any]:
        """Rows, targets and names of features, by scikit-learn's validation."""
        first = core.is_empty
        # What validation finds is a finding about these rows: the estimator has it from the core, once they are learned.
        seen = type(self).__new__(type(self)) if first else self
        rows, y = validate_data(seen, X, y, dtype=_DTYPES, reset=first, **checks)
        names = getattr(seen, "feature_names_in_", None)
        return rows, y, None if names is None else tuple(names)

    def _rows(self, X: Any) -> Any:
        return validate_data(self, X, dtype=_DTYPES, reset=False)

    def _fitted(self) -> Any:
        check_is_fitted(self)
        return self._core

    def __sklearn_is_fitted__(self) -> bool:
        core = self.__dict__.get("_core")
        return core is not None and not core.is_empty

    def _capabilities(self) -> frozenset[str]:
        if not self.__sklearn_is_fitted__():
            return frozenset(self._core_class(self._text(), features_for(self._values())).capabilities)
        return frozenset(self._core.capabilities)

    @learned
    def n_features_in_(self, core: Any) -> int:
        """Number of features of a row."""
        return int(core.features)

    @learned
    def feature_names_in_(self, core: Any) -> Any:
        """Names of the features, where the rows had any."""
        if core.columns is None:
            raise AttributeError("the rows had no names of features")
        return np.array(core.columns, dtype=object)

    @learned
    def samples_seen_(self, core: Any) -> int:
        """Number of samples learned."""
        return int(core.samples_seen)

    def footprint(self) -> dict[str, int]:
        """Nodes, samples that are held, and bytes of memory."""
        footprint: dict[str, int] = self._fitted().footprint()
        return footprint

    @_can("forget")
    def forget(self, arrival: int) -> Self:
        """Forget the sample that was learned as number ``arrival``, from 0, as if it had never been learned."""
        self._fitted().forget(arrival)
        return self

    def _importances(self, core: Any) -> Any:
        """How much each feature helps to tell targets apart, together 1; it depends on the scale of the features."""
        return core.feature_importances()

    feature_importances_ = learned(_importances, "explain")

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
        return self._fit(X, y, None, None, None)

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
        return self._partial_fit(X, y, classes, sample_weight, class_weight)

    def _is_learned(self, core: Any, X: Any, y: Any, classes: Any, sample_weight: Any, class_weight: Any) -> bool:
        rows, y, names = self._checked(core, X, y)
        check_classification_targets(y)
        labels, index = np.unique(y, return_inverse=True)
        first = self._first(core, rows.shape[1], names, labels, classes)
        _check_labels(first or core, labels)
        weights = _weights(sample_weight, class_weight, labels, index)
        return bool(core.learn_named(rows, tuple(labels), index, weights, columns=names, first=first, progress=self._progress()))

    def _first(self, core: Any, features: int, names: Any, labels: Any, classes: Any) -> Any:
        """The learner of the first rows, which knows the classes that are stated, or those of the rows; ``None`` if it is there."""
        stated = None if classes is None else np.unique(column_or_1d(np.asarray(classes)))
        if core.is_empty:
            known = labels if stated is None else stated
            return self._new_core(features, labels=tuple(known), closed=stated is not None, columns=names)
        if stated is not None and not np.array_equal(stated, self.classes_):
            raise ValueError(f"classes are {stated}, but were {self.classes_} in an earlier call")
        return None

    @learned
    def classes_(self, core: Any) -> Any:
        """The labels, sorted."""
        return np.sort(_array(core.known_labels), kind="stable")

    def predict(self, X: Any) -> Any:
        """The most probable label of each row."""
        core = self._fitted()
        classes = core.labels(self._rows(X))
        # Labels are only ever added behind those before.
        labels: Any = _array(core.known_labels)[classes]
        return labels

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label of ``classes_``, a row for each row."""
        core = self._fitted()
        probabilities = core.predict(self._rows(X))
        labels = _array(core.known_labels[: probabilities.shape[1]])
        return probabilities[:, np.argsort(labels, kind="stable")]

    def _class_names(self) -> list[str] | None:
        return [str(label) for label in self._fitted().known_labels]

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


def _array(labels: tuple[Any, ...]) -> Any:
    """Labels as an array: of their own type if they come from an array of one, else of objects."""
    if all(isinstance(label, np.generic) for label in labels):
        return np.array(labels)
    array = np.empty(len(labels), dtype=object)
    array[:] = labels
    return array


def _check_labels(core: Any, labels: Any) -> None:
    """Refuse labels that are not stated classes, and texts among numbers."""
    known = _array(core.known_labels)
    kinds = {isinstance(label, str) for label in (*known, *labels)}
    if len(kinds) > 1:
        raise ValueError(f"labels are all texts or none is, but these are {labels}, and those before {np.sort(known)}")
    if core.is_closed and (new := ~np.isin(labels, known)).any():
        raise ValueError(f"labels {labels[new]} are not among the classes {np.sort(known)} given with the first call")


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
        return self._fit(X, y, None)

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
        return self._partial_fit(X, y, sample_weight)

    def _is_learned(self, core: Any, X: Any, y: Any, sample_weight: Any) -> bool:
        rows, y, names = self._checked(core, X, y, y_numeric=True)
        first = self._new_core(rows.shape[1], columns=names) if core.is_empty else None
        return bool(core.learn_named(rows, y, sample_weight, columns=names, first=first, progress=self._progress()))

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
