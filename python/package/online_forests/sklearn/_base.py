"""What all estimators of scikit-learn do."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, clone
from sklearn.utils import check_array, check_consistent_length, column_or_1d, compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from online_forests import _core
from online_forests._around import AroundCore, learned, reporter
from online_forests._parameters import class_cap_of, features_for, reservoir_of, seed_of, threads_of
from online_forests.sklearn._sparse import blocks, by_blocks

# Other numbers become float64, which the core casts with a check.
_DTYPES: Any = (np.float64, np.float32)


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
        return self._core_class(self._text(), features, **settings, **reservoir_of(self), **class_cap_of(self), **names)

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

    def _learn_rows(self, core: Any, rows: Any, targets: Any, weights: Any, names: Any, first: Any) -> bool:
        """Learn rows, block by block if they are sparse; whether they were learned: not if another thread came before with other columns."""
        # Only a fit has a core that is not the estimator's yet.
        named = {"columns": names, "progress": self._progress(), "at_once": core is not self.__dict__.get("_core")}
        for place, block in blocks(rows):
            part = None if weights is None else weights[place]
            while not self._learn_block(core, block, targets, place, part, **named, first=first):
                if place.start == 0:
                    return False
            first = None
        return True

    def _learn_block(self, core: Any, block: Any, targets: Any, place: slice, weights: Any, **named: Any) -> bool:
        return bool(core.learn_named(block, targets[place], weights, **named))

    def _each(self, function: Any, X: Any, *more: Any) -> Any:
        """What a function of the core returns for rows."""
        return by_blocks(function, self._rows(X), *more)

    def _progress(self) -> Any:
        return reporter(type(self).__name__) if self.verbose else None

    def _checked(self, core: Any, X: Any, y: Any, **checks: Any) -> tuple[Any, Any, Any]:
        """Rows, targets and names of features, by scikit-learn's validation."""
        first = core.is_empty
        # What validation finds is a finding about these rows: the estimator has it from the core, once they are learned.
        seen = type(self).__new__(type(self)) if first else self
        rows, y = validate_data(seen, X, y, accept_sparse="csr", dtype=_DTYPES, reset=first, **checks)
        names = getattr(seen, "feature_names_in_", None)
        return rows, y, None if names is None else tuple(names)

    def _rows(self, X: Any) -> Any:
        return validate_data(self, X, accept_sparse="csr", dtype=_DTYPES, reset=False)

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
        """How much each feature helps to separate targets, together 1; it depends on the scale of the features."""
        return core.feature_importances()

    feature_importances_ = learned(_importances, "explain")

    def _trees(self, core: Any) -> Any:
        """The trees, each as an estimator of its own; the forest predicts the mean of what they predict. Each is a copy with its samples."""
        # Parts of rows are not trees.
        if core.part != (0, core.trees, core.trees):
            raise AttributeError(f"{type(self).__name__} has no trees that predict by themselves")
        return [self._alone(core, tree) for tree in range(core.trees)]

    def _alone(self, core: Any, tree: int) -> Self:
        alone: Self = clone(self).set_params(n_estimators=1)
        alone._core = copy.copy(core)
        alone._core.keep_trees(tree, tree + 1)
        return alone

    estimators_ = learned(_trees)

    @_can("explain")
    def apply(self, X: Any) -> Any:
        """In which node each row ends, a column for each tree: its place among the ``nodes`` of :meth:`export_tree`."""
        core = self._fitted()
        return self._each(core.leaves, X)

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
        """The path of a row through a tree, in words.

        Parameters
        ----------
        x : array, series, mapping, or frame of one row
            A series or mapping with names of features is read by its names, in any order.
        tree : int, default=0
        """
        row = self._row(x)
        return str(self._fitted().decision_path(tree, row.tolist(), self._feature_names(), self._class_names()))

    def _row(self, x: Any) -> Any:
        names, given = self._feature_names(), _named(x)
        if names is not None and given is not None:
            if different := set(names) ^ set(given):
                raise ValueError(f"the features of the row are not those of the rows learned: only one of them has {sorted(different)}")
            x = [given[name] for name in names]
        elif getattr(x, "ndim", None) == 2:
            return self._rows(x)[0]
        return check_array(np.asarray(x).reshape(1, -1), dtype=_DTYPES)[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


def _named(x: Any) -> dict[str, Any] | None:
    """The values of a mapping, or of a series whose index has names."""
    if isinstance(x, Mapping):
        return dict(x)
    index = getattr(x, "index", None)
    if getattr(x, "ndim", None) != 1 or index is None or not all(isinstance(name, str) for name in index):
        return None
    return dict(zip(index, x, strict=True))


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
        """Forget what was learned and learn the rows, in one pass and in their order.

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
        rows, index, weights = _counted(rows, index, _weights(sample_weight, class_weight, labels, index))
        of_rows, index = np.unique(index, return_inverse=True)
        return self._learn_rows(core, rows, (tuple(labels[of_rows]), index), weights, names, first)

    def _learn_block(self, core: Any, block: Any, targets: Any, place: slice, weights: Any, **named: Any) -> bool:
        labels, index = targets
        return bool(core.learn_named(block, labels, index[place], weights, **named))

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
        classes = self._each(core.labels, X)
        # Labels are only ever added behind those before.
        labels: Any = _array(core.known_labels)[classes]
        return labels

    def predict_proba(self, X: Any) -> Any:
        """The probability of each label of ``classes_``, a row for each row."""
        core = self._fitted()
        return self._sorted(core, self._each(core.predict, X))

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithm of the probability of each label of ``classes_``: −inf for one that is 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @_can("explain")
    def feature_contributions(self, X: Any) -> Any:
        """What each feature adds to the probability of each label of ``classes_``: an array of rows, features and labels.

        Behind the features is the probability where none is known; the sum over the second axis is that of :meth:`predict_proba`.
        They are Shapley values of each tree by path-dependent TreeSHAP. An oblique cut is known or not as a whole, and what it adds is
        shared among its features by the absolute values of their coefficients.
        """
        core = self._fitted()
        return self._sorted(core, self._each(core.feature_contributions, X))

    def _sorted(self, core: Any, of_classes: Any) -> Any:
        """Numbers for each class, along the last axis, in the order of ``classes_``."""
        labels = _array(core.known_labels[: of_classes.shape[-1]])
        return of_classes[..., np.argsort(labels, kind="stable")]

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
            f"class_weight must be a dictionary of labels and weights, but is {class_weight!r}; 'balanced' needs all rows at once, as fit has them"
        )
    of_labels = np.array([class_weight.get(label, 1.0) for label in labels.tolist()], dtype=np.float64)
    if sample_weight is None:
        return of_labels[index]
    of_rows = column_or_1d(sample_weight)
    check_consistent_length(of_rows, index)
    return of_rows * of_labels[index]


_LEAST_WEIGHT, _MOST_WEIGHT = 2.0**-20, 2.0**20


def _counted(rows: Any, targets: Any, weights: Any) -> tuple[Any, Any, Any]:
    """The rows whose weight is not 0, their targets and weights; none is below the least that the core takes."""
    if weights is None:
        return rows, targets, None
    weights = np.asarray(_check_sample_weight(weights, rows, dtype=np.float64))
    if (weights < 0).any() or weights.max() > _MOST_WEIGHT:
        raise ValueError(f"weights must be from 0 to 2^20, but are from {weights.min():.7g} to {weights.max():.7g}")
    counts = weights > 0
    # Boosting makes weights as small as it likes.
    weights = np.maximum(weights, _LEAST_WEIGHT)
    return (rows, targets, weights) if counts.all() else (rows[counts], targets[counts], weights[counts])


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
        """Forget what was learned and learn the rows, in one pass and in their order.

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
        rows, y, weights = _counted(rows, y, sample_weight)
        return self._learn_rows(core, rows, y, weights, names, first)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean at each row; with ``return_std``, the standard deviation of a new target as well.

        Only learners with variances know the deviation: ``conformal``, and forests with ``labels="hierarchical"``.
        """
        core = self._fitted()
        if return_std:
            means, variances = self._each(core.means_and_variances, X).T
            return means, np.sqrt(variances)
        return self._each(core.predict, X)[:, 0]

    @_can("explain")
    def feature_contributions(self, X: Any) -> Any:
        """What each feature adds to the prediction: an array of rows and features.

        Behind the features is the prediction where none is known; the sum of a row is its prediction. They are Shapley
        values of each tree by path-dependent TreeSHAP. An oblique cut is known or not as a whole, and what it adds is
        shared among its features by the absolute values of their coefficients.
        """
        core = self._fitted()
        return self._each(core.feature_contributions, X)[:, :, 0]

    @_can("intervals")
    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """Lower and upper bound, as two columns, between which a new target at each row lies with this probability."""
        core = self._fitted()
        return self._each(core.intervals, X, level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._is_baseline
        return tags


class WeightedForestClassifier(OnlineForestClassifier):
    """A classifier whose learner takes weights."""

    class_weight: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows as the first ones, one pass in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Labels of any kind: numbers, texts, truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts in the statistics of nodes, up to 2^20. Rows of weight 0 are left out, and weights below 2^-20 count
            as that. In the geometry a row is one point however much it counts.
        """
        return self._fit(X, y, None, sample_weight, _by_label(self.class_weight, y))

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any, class_weight: Any) -> Self:
        given = self.class_weight if class_weight is None else class_weight
        return super()._partial_fit(X, y, classes, sample_weight, given)


def _by_label(class_weight: Any, y: Any) -> Any:
    """Weights of labels; those that balance the labels of these rows if it is ``"balanced"``."""
    if not isinstance(class_weight, str) or class_weight != "balanced":
        return class_weight
    y = column_or_1d(y)
    labels = np.unique(y)
    return dict(zip(labels.tolist(), compute_class_weight("balanced", classes=labels, y=y), strict=True))


class WeightedForestRegressor(OnlineForestRegressor):
    """A regressor whose learner takes weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn the rows as the first ones, one pass in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Numbers within ±1e100.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts in the statistics of nodes, up to 2^20. Rows of weight 0 are left out, and weights below 2^-20 count
            as that. In the geometry a row is one point however much it counts.
        """
        return self._fit(X, y, sample_weight)
