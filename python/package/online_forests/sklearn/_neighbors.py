"""Points near a query, in the shape of a neighbours class of scikit-learn."""

from __future__ import annotations

from typing import Any, Self

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

from online_forests import _core
from online_forests._around import learned
from online_forests._parameters import seed_of
from online_forests.sklearn._base import _DTYPES


class BoundaryNeighbors(BaseEstimator):
    """Approximate nearest neighbours by a boundary forest, to which points are added one after another.

    Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online Supervised and Unsupervised
    Learning, AAAI 2015.

    Parameters
    ----------
    n_neighbors : int, default=5
        Neighbours that are asked for by default.
    max_children : int or None, default=50
        Children a node may have (k), at least 2; no limit if None.
    metric : {"euclidean", "squared-euclidean", "manhattan", "cosine"}, default="euclidean"
        Distance between points (d).
    n_estimators : int, default=10
        Number of trees, each of which finds one point: there are at most as many neighbours.
    random_state : int, RandomState instance or None, default=0
        Seed of the trees.

    Examples
    --------
    >>> import numpy as np
    >>> from online_forests.sklearn import BoundaryNeighbors
    >>> points = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    >>> distances, indices = BoundaryNeighbors(n_neighbors=1).fit(points).kneighbors([[0.9, 0.0]])
    >>> indices.tolist()
    [[1]]
    """

    _core: Any

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        max_children: int | None = 50,
        metric: str = "euclidean",
        n_estimators: int = 10,
        random_state: Any = 0,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.max_children = max_children
        self.metric = metric
        self.n_estimators = n_estimators
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> Self:
        """Store the points, and no others."""
        rows = self._first_rows(X)
        core = self._new_core(rows.shape[1])
        try:
            core.learn(rows)
        finally:
            if not core.is_empty:
                self._core = core
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Store the points after all others."""
        if self.__sklearn_is_fitted__():
            self._core.learn(validate_data(self, X, dtype=_DTYPES, reset=False))
            return self
        rows = self._first_rows(X)
        # In one step: threads that come with the first points have the same core.
        core = self.__dict__.setdefault("_core", self._new_core(rows.shape[1]))
        try:
            core.learn(rows)
        finally:
            if core.is_empty:
                self.__dict__.pop("_core", None)
        return self

    def _first_rows(self, X: Any) -> Any:
        # What validation finds is a finding about these rows: the estimator has it from the core, once they are stored.
        return validate_data(type(self).__new__(type(self)), X, dtype=_DTYPES, reset=True)

    def __sklearn_is_fitted__(self) -> bool:
        core = self.__dict__.get("_core")
        return core is not None and not core.is_empty

    @learned
    def n_features_in_(self, core: Any) -> int:
        """Number of features of a point."""
        return int(core.features)

    @learned
    def n_samples_fit_(self, core: Any) -> int:
        """Number of points stored."""
        return len(core)

    def _new_core(self, features: int) -> Any:
        return _core.Retriever(
            features,
            trees=self.n_estimators,
            seed=seed_of(self.random_state),
            max_children=self.max_children,
            metric=self.metric,
        )

    def kneighbors(self, X: Any, n_neighbors: int | None = None, return_distance: bool = True) -> Any:
        """Distances and numbers of stored points near each row, closest first.

        Numbers count points in the order in which they were stored. The trees may find fewer points than asked for;
        then distances are infinite and numbers -1.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=_DTYPES, reset=False)
        wanted = self.n_neighbors if n_neighbors is None else n_neighbors
        if wanted < 1:
            raise ValueError(f"n_neighbors must be at least 1, but is {wanted}")
        distances, indices = self._core.kneighbors(rows, wanted)
        return (distances, indices) if return_distance else indices
