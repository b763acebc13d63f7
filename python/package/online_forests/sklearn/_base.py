"""The base class of all estimators for scikit-learn."""

import contextlib
import copy
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.utils import check_array
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from online_forests._around import AroundCore, learned, reporter
from online_forests._parameters import class_cap_of, features_for, seed_of, threads_of, trees_of
from online_forests.sklearn._categories import read_words, with_categories
from online_forests.sklearn._sparse import blocks, by_blocks

# Other numbers become float64, which the core casts with a check.
_DTYPES: Any = (np.float64, np.float32)


def requires(capability: str) -> Any:
    """Returns a decorator of a method that an estimator has only if its learner has the capability."""

    def check(estimator: Any) -> bool:
        return capability in estimator._capabilities()

    return available_if(check)


class OnlineForest(AroundCore, BaseEstimator):
    """An estimator around a learner of the core, which is empty before the first sample."""

    _trees: ClassVar[str] = "n_estimators"

    def _new_core(self, features: int, **names: Any) -> Any:
        settings: dict[str, Any] = {"threads": threads_of(self.n_jobs)}
        if not self._is_baseline:
            settings |= {"trees": trees_of("n_estimators", self.n_estimators), "seed": seed_of(self.random_state)}
        return self._core_class(self._text(), features, **settings, **class_cap_of(self), **names)

    def _fit(self, *given: Any) -> Self:
        self._is_learned(None, self._in_place, *given)
        return self

    @contextlib.contextmanager
    def _in_place(self, core: Any) -> Iterator[Any]:
        """Replaces the learner by a new one once that has learned something, even if learning is interrupted."""
        try:
            yield core
        finally:
            if not core.is_empty:
                self._core = core
                self._learned_with = self._settings()

    def _settings(self) -> dict[str, Any]:
        """Returns the parameters that a learner keeps."""
        return self._values() | ({} if self._is_baseline else {"n_estimators": self.n_estimators})

    def _partial_fit(self, *given: Any) -> Self:
        settings = self._settings()
        for name, value in self.__dict__.get("_learned_with", settings).items():
            if settings[name] != value and self.__sklearn_is_fitted__():
                raise ValueError(
                    f"{name} was {value!r} when the first rows were learned, and is {settings[name]!r}; "
                    "fit starts again with it"
                )
        while not self._is_learned(self.__dict__.get("_core"), self._first_rows, *given):
            pass  # The first rows were those of another thread, and have other columns.
        self._learned_with = settings
        return self

    def _is_learned(self, core: Any, begin: Any, *given: Any) -> bool:
        raise NotImplementedError

    def _learn_rows(self, begun: Any, rows: Any, targets: Any, weights: Any, names: Any) -> bool:
        """Learns rows, in blocks if they are sparse; returns False if another thread was first with other columns."""
        with begun as core:
            # Only a fit has a core that is not the estimator's yet.
            named = {"columns": names, "progress": self._progress(), "at_once": core is not self.__dict__.get("_core")}
            for place, block in blocks(rows):
                part = None if weights is None else weights[place]
                while not self._learn_block(core, block, targets, place, part, **named):
                    if place.start == 0:
                        return False
        return True

    def _learn_block(self, core: Any, block: Any, targets: Any, place: slice, weights: Any, **named: Any) -> bool:
        return bool(core.learn_named(block, targets[place], weights, **named))

    def _each(self, core: Any, name: str, X: Any, *more: Any) -> Any:
        """Returns what a method of the core returns for rows."""
        return by_blocks(core, name, self._rows(X), *more)

    def _progress(self) -> Any:
        return reporter(type(self).__name__) if self.verbose else None

    def _checked(self, core: Any, X: Any, y: Any, **checks: Any) -> tuple[Any, Any, Any]:
        """Returns rows, targets and names of features after scikit-learn's validation."""
        first = core is None or core.is_empty
        # What validation finds is a finding about these rows: the estimator has it from the core, once they are
        # learned.
        seen = type(self).__new__(type(self)) if first else self
        X, words, finite = self._read(core, X)
        rows, y = validate_data(
            seen, X, y, accept_sparse="csr", dtype=_DTYPES, reset=first, ensure_all_finite=finite, **checks
        )
        names = getattr(seen, "feature_names_in_", None)
        return self._categories(rows, names, words), y, None if names is None else tuple(names)

    def _rows(self, X: Any) -> Any:
        X, words, finite = self._read(self._core, X)
        rows = validate_data(self, X, accept_sparse="csr", dtype=_DTYPES, reset=False, ensure_all_finite=finite)
        return self._categories(rows, getattr(self, "feature_names_in_", None), words)

    def _read(self, core: Any, X: Any) -> tuple[Any, list[int], Any]:
        """Returns rows for the validation, the columns that hold categories already, and whether NaN is allowed.

        Words are categories in the rows of a learner that takes them.
        """
        if not self._takes_missing_values(core):
            return X, [], True
        return *read_words(X, self._unfitted() if core is None else core), "allow-nan"

    def _categories(self, rows: Any, names: Any, words: list[int]) -> Any:
        features = getattr(self, "categorical_features", None)
        from_dtype = isinstance(features, str) and features == "from_dtype"
        return rows if features is None or from_dtype else with_categories(rows, features, names, words)

    def _unfitted(self) -> Any:
        return self._core_class(self._text(), features_for(self._values()))

    def _takes_missing_values(self, core: Any) -> bool:
        if core is None or core.is_empty:
            core = self._unfitted()
        return bool(core.takes_missing_values)

    def _fitted(self) -> Any:
        check_is_fitted(self)
        return self._core

    def __sklearn_is_fitted__(self) -> bool:
        core = self.__dict__.get("_core")
        return core is not None and not core.is_empty

    def _capabilities(self) -> frozenset[str]:
        core = self._core if self.__sklearn_is_fitted__() else self._unfitted()
        return frozenset(core.capabilities)

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
        """Return the numbers of ``nodes`` and ``stored_samples``, and the ``bytes`` of memory that the forest takes."""
        footprint: dict[str, int] = self._fitted().footprint()
        return footprint

    @requires("forget")
    def forget(self, arrival: int) -> Self:
        """Forget one sample.

        The trees are then as if the sample had never been learned; with ``recheck`` above 0, they keep their cuts until
        they choose them again. A residual forest also keeps the weights of its parts until it fits them again.

        Parameters
        ----------
        arrival : int
            The number of samples that were learned before it.

        Returns
        -------
        self : object
        """
        self._fitted().forget(arrival)
        return self

    def _importances(self, core: Any) -> Any:
        """The share of each feature in the separation of targets, together 1; depends on the scale of the features."""
        return core.feature_importances()

    feature_importances_ = learned(_importances, "explain")

    def _single_trees(self, core: Any) -> Any:
        """The trees as estimators, each a copy with its samples. The forest predicts the mean of their predictions."""
        # Parts of rows are not trees.
        if core.part != (0, core.trees, core.trees):
            raise AttributeError(f"{type(self).__name__} has no trees that predict by themselves")
        return [self._alone(core, tree) for tree in range(core.trees)]

    def _alone(self, core: Any, tree: int) -> Self:
        alone: Self = clone(self).set_params(n_estimators=1)
        alone._core = copy.copy(core)
        alone._core.keep_trees(tree, tree + 1)
        return alone

    estimators_ = learned(_single_trees)

    @requires("explain")
    def apply(self, X: Any) -> Any:
        """Return the leaf of each row in each tree.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            The features.

        Returns
        -------
        leaves : ndarray of shape (n_samples, n_estimators)
            Indices into the ``nodes`` of :meth:`export_tree`.
        """
        core = self._fitted()
        return self._each(core, "leaves", X)

    def _feature_names(self) -> list[str] | None:
        names = getattr(self, "feature_names_in_", None)
        return None if names is None else [str(name) for name in names]

    def _class_names(self) -> list[str] | None:
        return None

    @requires("explain")
    def export_tree(self, tree: int = 0, format: str = "json", max_depth: int | None = None) -> str:
        """Return a tree as text.

        Parameters
        ----------
        tree : int, default=0
            The index of the tree.
        format : {"json", "dot"}, default="json"
            JSON, or a graph for Graphviz.
        max_depth : int, optional
            Leave out nodes below this depth.

        Returns
        -------
        text : str
        """
        return str(self._fitted().exported(tree, format, max_depth, self._feature_names(), self._class_names()))

    @requires("explain")
    def decision_path_text(self, x: Any, tree: int = 0) -> str:
        """Return the path of a row through a tree, in words.

        Parameters
        ----------
        x : array, series, mapping, or frame of one row
            A series or mapping with names of features is read by its names, in any order.
        tree : int, default=0
            The index of the tree.

        Returns
        -------
        text : str
        """
        row = self._row(x)
        return str(self._fitted().decision_path(tree, row.tolist(), self._feature_names(), self._class_names()))

    def _row(self, x: Any) -> Any:
        names = self._feature_names()
        given = _named(x)
        if names is not None and given is not None:
            if different := set(names) ^ set(given):
                raise ValueError(
                    "the features of the row are not those of the rows learned: "
                    f"only one of them has {sorted(different)}"
                )
            x = [given[name] for name in names]
        elif getattr(x, "ndim", None) == 2:
            return self._rows(x)[0]
        finite = "allow-nan" if self._takes_missing_values(self._core) else True
        row = check_array(np.asarray(x).reshape(1, -1), dtype=_DTYPES, ensure_all_finite=finite)
        return self._categories(row, names, [])[0]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        # Estimators with wrong parameters, which are an error when they learn, have tags, too.
        with contextlib.suppress(TypeError, ValueError):
            tags.input_tags.allow_nan = self._takes_missing_values(self.__dict__.get("_core"))
        return tags


def _named(x: Any) -> dict[str, Any] | None:
    """Returns the values of a mapping, or of a series whose index has names."""
    if isinstance(x, Mapping):
        return dict(x)
    index = getattr(x, "index", None)
    if getattr(x, "ndim", None) != 1 or index is None or not all(isinstance(name, str) for name in index):
        return None
    return dict(zip(index, x, strict=True))
