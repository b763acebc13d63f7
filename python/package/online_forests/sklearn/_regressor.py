"""Regressors for scikit-learn."""

from contextlib import nullcontext
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import RegressorMixin

from online_forests import _core
from online_forests.sklearn._base import OnlineForest, requires
from online_forests.sklearn._weights import rows_with_weight


class OnlineForestRegressor(RegressorMixin, OnlineForest):
    """A regressor around a learner of the core."""

    _core_class: ClassVar[Any] = _core.Regressor

    def fit(self, X: Any, y: Any) -> Self:
        """Forget what was learned and learn the rows, in one pass and in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The targets, from -1e100 to 1e100.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, None)

    def partial_fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn more rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The targets.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts, from 2^-20 to 2^20: in the statistics of nodes, not in the geometry, where copies
            of a row are one point. A learner that takes no weights raises a TypeError; ``"weights"`` is among the
            capabilities of those that do.

        Returns
        -------
        self : object
        """
        return self._partial_fit(X, y, sample_weight)

    def _is_learned(self, core: Any, begin: Any, X: Any, y: Any, sample_weight: Any) -> bool:
        rows, y, names = self._checked(core, X, y, y_numeric=True)
        first = self._new_core(rows.shape[1], columns=names) if core is None else None
        rows, y, weights = rows_with_weight(rows, y, sample_weight)
        return self._learn_rows(nullcontext(core) if first is None else begin(first), rows, y, weights, names)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Predict the mean of the targets at each row.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        return_std : bool, default=False
            Return the standard deviation of a new target at each row, too. Only learners that estimate variances do:
            ``conformal``, and forests with ``labels="hierarchical"``; others raise a TypeError.

        Returns
        -------
        means : ndarray of shape (n_samples,)
        deviations : ndarray of shape (n_samples,)
            With ``return_std``.
        """
        core = self._fitted()
        if return_std:
            means, variances = self._each(core, "means_and_variances", X).T
            return means, np.sqrt(variances)
        return self._each(core, "predict", X)[:, 0]

    @requires("explain")
    def feature_contributions(self, X: Any) -> Any:
        """Return what each feature contributes to the prediction: Shapley values by path-dependent TreeSHAP.

        The contribution of an oblique cut is shared among its features in proportion to the absolute values of their
        coefficients.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.

        Returns
        -------
        contributions : ndarray of shape (n_samples, n_features + 1)
            The last column is the prediction where no feature is known; the sum of a row is what :meth:`predict`
            returns.
        """
        core = self._fitted()
        return self._each(core, "feature_contributions", X)[:, :, 0]

    @requires("intervals")
    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """Predict an interval that contains a new target at each row with a given probability.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        level : float, default=0.9
            The probability, between 0 and 1.

        Returns
        -------
        intervals : ndarray of shape (n_samples, 2)
            The lower and the upper bounds.
        """
        core = self._fitted()
        return self._each(core, "intervals", X, level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._is_baseline
        return tags


class WeightedForestRegressor(OnlineForestRegressor):
    """A regressor whose learner takes weights."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Forget what was learned and learn the rows, in one pass and in their order.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.
        y : array-like of shape (n_samples,)
            The targets, from -1e100 to 1e100.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts in the statistics of nodes, up to 2^20. Rows of weight 0 are left out, and weights
            below 2^-20 count as that. In the geometry a row is one point however much it counts.

        Returns
        -------
        self : object
        """
        return self._fit(X, y, sample_weight)
