"""Regressors for scikit-learn."""

from __future__ import annotations

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

    def _is_learned(self, core: Any, begin: Any, X: Any, y: Any, sample_weight: Any) -> bool:
        rows, y, names = self._checked(core, X, y, y_numeric=True)
        first = self._new_core(rows.shape[1], columns=names) if core is None else None
        rows, y, weights = rows_with_weight(rows, y, sample_weight)
        return self._learn_rows(nullcontext(core) if first is None else begin(first), rows, y, weights, names)

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """The mean at each row; with ``return_std``, the standard deviation of a new target as well.

        Only learners with variances know the deviation: ``conformal``, and forests with ``labels="hierarchical"``.
        """
        core = self._fitted()
        if return_std:
            means, variances = self._each(core.means_and_variances, X).T
            return means, np.sqrt(variances)
        return self._each(core.predict, X)[:, 0]

    @requires("explain")
    def feature_contributions(self, X: Any) -> Any:
        """What each feature adds to the prediction: an array of rows and features.

        Behind the features is the prediction where none is known; the sum of a row is its prediction. They are Shapley
        values of each tree by path-dependent TreeSHAP. An oblique cut is known or not as a whole, and what it adds is
        shared among its features by the absolute values of their coefficients.
        """
        core = self._fitted()
        return self._each(core.feature_contributions, X)[:, :, 0]

    @requires("intervals")
    def predict_interval(self, X: Any, level: float = 0.9) -> Any:
        """Lower and upper bound, as two columns, between which a new target at each row lies with this probability."""
        core = self._fitted()
        return self._each(core.intervals, X, level)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = self._is_baseline
        return tags


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
