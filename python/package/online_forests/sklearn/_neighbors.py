"""Points near a query, in the shape of a neighbours class of scikit-learn."""

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
        Number of neighbours that :meth:`kneighbors` returns by default.
    max_children : int or None, default=50
        Maximum number of children of a node (k), at least 2; unlimited if None.
    metric : {"euclidean", "squared-euclidean", "manhattan", "cosine"}, default="euclidean"
        Distance between points (d).
    n_estimators : int, default=10
        Number of trees. Each finds one point, so there are at most as many neighbours.
    random_state : int, RandomState instance or None, default=0
        Seed of the trees.

    Attributes
    ----------
    n_features_in_ : int
        Number of features of a point.
    n_samples_fit_ : int
        Number of points stored.

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
        """Store these points in place of all others."""
        rows = self._first_rows(X)
        core = self._new_core(rows.shape[1])
        try:
            core.learn(rows)
        finally:
            if not core.is_empty:
                self._core = core
        return self

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Store more points."""
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
        """Return stored points near each row, closest first.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
            The queries.
        n_neighbors : int, optional
            The number of points for each query; by default the parameter of the estimator.
        return_distance : bool, default=True
            Return the distances, too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            With ``return_distance``. Infinite where the trees find fewer points.
        indices : ndarray of shape (n_queries, n_neighbors)
            The indices of the points in the order in which they were stored; -1 where the trees find fewer.
        """
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=_DTYPES, reset=False)
        wanted = self.n_neighbors if n_neighbors is None else n_neighbors
        if wanted < 1:
            raise ValueError(f"n_neighbors must be at least 1, but is {wanted}")
        distances, indices = self._core.kneighbors(rows, wanted)
        return (distances, indices) if return_distance else indices
