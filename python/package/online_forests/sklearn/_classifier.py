"""Classifiers for scikit-learn."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from online_forests import _core
from online_forests._around import learned
from online_forests.sklearn._base import OnlineForest, requires
from online_forests.sklearn._labels import check_labels, label_array
from online_forests.sklearn._weights import label_weights, row_weights, rows_with_weight


class OnlineForestClassifier(ClassifierMixin, OnlineForest):
    """A classifier around a learner of the core.

    Classes of the core are numbers in the order in which labels became known; ``classes_`` is sorted.
    """

    _core_class: ClassVar[Any] = _core.Classifier

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn the rows, in one pass and in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The labels: numbers, texts or truth values.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, None, None, None)

    def partial_fit(
        self,
        X: Any,
        y: Any,
        classes: Any = None,
        sample_weight: Any = None,
        class_weight: Mapping[Any, float] | None = None,
    ) -> Self:
        """Learn more rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The labels.
        classes : array-like, default=None
            All labels there may be. If they are given with the first call, others are refused; if they never are, a
            label that is new becomes a class.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts, from 2^-20 to 2^20: in the statistics of nodes, not in the geometry, where copies
            of a row are one point. A learner that takes no weights raises a TypeError; ``"weights"`` is among the
            capabilities of those that do.
        class_weight : dict, default=None
            The factor of the weights of the rows of each label, 1 for labels that are left out. It holds for this call.

        Returns
        -------
        self : object
        """
        return self._partial_fit(X, y, classes, sample_weight, class_weight)

    def _is_learned(
        self, core: Any, begin: Any, X: Any, y: Any, classes: Any, sample_weight: Any, class_weight: Any
    ) -> bool:
        rows, y, names = self._checked(core, X, y)
        check_classification_targets(y)
        labels, index = np.unique(y, return_inverse=True)
        stated = None if classes is None else np.unique(column_or_1d(np.asarray(classes)))
        if core is None:
            # It knows the classes that are stated, or those of the rows.
            known = labels if stated is None else stated
            first = self._new_core(rows.shape[1], labels=tuple(known), closed=stated is not None, columns=names)
        elif stated is not None and not np.array_equal(stated, known := np.sort(label_array(core.known_labels))):
            raise ValueError(f"classes are {stated}, but were {known} in an earlier call")
        check_labels(first if core is None else core, labels)
        rows, index, weights = rows_with_weight(rows, index, row_weights(sample_weight, class_weight, labels, index))
        of_rows, index = np.unique(index, return_inverse=True)
        begun = begin(first) if core is None else nullcontext(core)
        return self._learn_rows(begun, rows, (tuple(labels[of_rows]), index), weights, names)

    def _learn_block(self, core: Any, block: Any, targets: Any, place: slice, weights: Any, **named: Any) -> bool:
        labels, index = targets
        return bool(core.learn_named(block, index[place], weights, labels=labels, **named))

    @learned
    def classes_(self, core: Any) -> Any:
        """The labels, sorted."""
        return np.sort(label_array(core.known_labels), kind="stable")

    def predict(self, X: Any) -> Any:
        """Predict the most probable label of each row.

        With the parameter ``recent``, every row is predicted as the next one of the stream: leave it out to predict a
        table.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
        """
        core = self._fitted()
        classes = self._each(core, "labels", X)
        # Labels are only ever added behind those before.
        labels: Any = label_array(core.known_labels)[classes]
        return labels

    def predict_proba(self, X: Any) -> Any:
        """Predict the probability of each label.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            In the order of ``classes_``. With the parameter ``recent``, every row is predicted as the next one of the
            stream.
        """
        core = self._fitted()
        return self._sorted(core, self._each(core, "predict", X))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithms of what :meth:`predict_proba` returns, −inf for a probability of 0."""
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @requires("explain")
    def feature_contributions(self, X: Any) -> Any:
        """Return what each feature contributes to the probability of each label.

        These are Shapley values by path-dependent TreeSHAP. The contribution of an oblique cut is shared among its
        features in proportion to the absolute values of their coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.

        Returns
        -------
        contributions : ndarray of shape (n_samples, n_features + 1, n_classes)
            The last entry of the second axis is the probability where no feature is known; the sum over that axis is
            what :meth:`predict_proba` returns.
        """
        core = self._fitted()
        return self._sorted(core, self._each(core, "feature_contributions", X))

    def _sorted(self, core: Any, of_classes: Any) -> Any:
        """Returns numbers for each class, along the last axis, in the order of ``classes_``."""
        labels = label_array(core.known_labels[: of_classes.shape[-1]])
        return of_classes[..., np.argsort(labels, kind="stable")]

    def _class_names(self) -> list[str] | None:
        return [str(label) for label in self._fitted().known_labels]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = self._is_baseline
        return tags


class WeightedForestClassifier(OnlineForestClassifier):
    """A classifier whose learner takes weights."""

    class_weight: Any

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget what was learned and learn the rows, in one pass and in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The labels: numbers, texts or truth values.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts in the statistics of nodes, up to 2^20. Rows of weight 0 are left out, and weights
            below 2^-20 count as that. In the geometry a row is one point however much it counts.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, None, sample_weight, label_weights(self.class_weight, y))

    def _partial_fit(self, X: Any, y: Any, classes: Any, sample_weight: Any, class_weight: Any) -> Self:
        given = self.class_weight if class_weight is None else class_weight
        return super()._partial_fit(X, y, classes, sample_weight, given)
