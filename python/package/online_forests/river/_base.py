"""Base classes of the models of River."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river import base

from online_forests import _core
from online_forests._around import AroundCore
from online_forests._frames import Frame
from online_forests._parameters import class_cap_of, features_for, seed_of, threads_of, trees_of

if TYPE_CHECKING:
    import pandas as pd


class OnlineForest(AroundCore, base.Estimator):
    """A model around a learner of the core, which is empty before the first sample and made for its features."""

    _names: ClassVar[dict[str, Any]] = {}
    _trees: ClassVar[str] = "n_models"

    _core: Any = None

    def __post_init__(self) -> None:
        self._warned = False
        # Wrong parameters are an error here, not at the first sample.
        self._new_core(features_for(self._values()))

    def _new_core(self, features: int, **names: Any) -> Any:
        settings: dict[str, Any] = {"threads": threads_of(self.n_jobs)}
        if not self._is_baseline:
            settings |= {"trees": trees_of(self._trees, getattr(self, self._trees)), "seed": seed_of(self.seed)}
        return self._core_class(self._text(), features, **settings, **class_cap_of(self), **self._names, **names)

    def _begun(self, names: Any) -> Any:
        """Returns the learner, which is made for features of these names at first."""
        if self._core is not None:
            return nullcontext(self._core)
        return self._first_rows(self._new_core(max(self.columns or len(names), 1), columns=()))

    def _learn_one(self, x: dict[Any, Any], y: Any, w: float) -> None:
        core = self._core
        if core is None:
            with self._begun(x) as core:
                self._warn_unless(core.learn_dict(x, y, w))
        elif not core.learn_dict(x, y, w):
            self._warn_unless(False)

    def _learn_frame(self, frame: Frame, targets: Any, weights: Any, labels: tuple[Any, ...] | None = None) -> None:
        """Learn the rows of a frame, whose new features have columns if there are any for them."""
        is_learned = all_read = False
        with self._begun(frame.names) as core:
            while not is_learned:  # Otherwise another thread came in between with new features.
                columns, width, all_read = core.columns_for(frame.names)
                is_learned = core.learn_named(
                    frame.rows(core, columns, width), targets, weights, labels=labels, columns=columns
                )
            self._warn_unless(all_read)

    def _warn_unless(self, all_read: bool) -> None:
        if not all_read and not self._warned:
            self._warned = True
            warnings.warn(
                f"{type(self).__name__} has {self._core.features} columns, which are taken, "
                "and does not read features that appear later; give `columns` to leave room for them",
                stacklevel=4,
            )

    def _predicted(self, frame: Frame) -> Any:
        """Returns the predictions for a frame, whose new features are not read."""
        core = self._core
        while True:
            columns, width, _ = core.columns_for([])
            try:
                return core.predict(frame.rows(core, columns, width))
            except ValueError:
                if width == core.features:  # Otherwise another thread came in between with new features.
                    raise

    def _is_empty(self) -> bool:
        return self._core is None or self._core.is_empty

    def _fitted(self) -> Any:
        if self._is_empty():
            raise ValueError(f"{type(self).__name__} has learned nothing yet")
        return self._core

    def forget(self, arrival: int) -> None:
        """Forget one sample.

        The trees are then as if the sample had never been learned; with ``recheck`` above 0, they keep their cuts until
        they choose them again. A residual forest also keeps the weights of its parts until it fits them again.

        Parameters
        ----------
        arrival
            The number of samples that were learned before it.
        """
        self._fitted().forget(arrival)

    def feature_importances(self) -> dict[Any, float]:
        """Return the share of each feature in the separation of targets, together 1.

        Shares depend on the scale of the features.
        """
        core = self._fitted()
        return dict(zip(core.columns, core.feature_importances().tolist(), strict=False))

    def export_tree(self, tree: int = 0, format: str = "json", max_depth: int | None = None) -> str:
        """Return a tree as text: ``json``, or ``dot`` for Graphviz."""
        return str(self._fitted().exported(tree, format, max_depth, *self._texts()))

    def decision_path_text(self, x: dict[Any, Any], tree: int = 0) -> str:
        """Return the path of a sample through a tree, in words."""
        row = self._row(x)[0].tolist()
        return str(self._fitted().decision_path(tree, row, *self._texts()))

    def _texts(self) -> tuple[list[str], list[str]]:
        """Returns the names of features and of classes."""
        core = self._fitted()
        return [str(name) for name in core.columns], [str(label) for label in core.known_labels or ()]

    def _row(self, x: dict[Any, Any]) -> Any:
        """Returns a sample as an array of one row; features without a column are not read."""
        return self._fitted().row(x)

    def _contributions(self, x: dict[Any, Any]) -> tuple[list[Any], Any]:
        """Returns the names of features with `None` at the end, and the contribution of each to each output."""
        core = self._fitted()
        parts = core.feature_contributions(self._row(x))[0]
        names = core.columns
        # Columns without a name hold nothing but 0.
        return [*names, None], parts[[*range(len(names)), -1]]

    def footprint(self) -> dict[str, int]:
        """Return the numbers of ``nodes`` and ``stored_samples``, and the ``bytes`` of memory that the forest takes."""
        footprint: dict[str, int] = {"nodes": 0, "stored_samples": 0, "bytes": 0}
        return footprint if self._is_empty() else dict(self._core.footprint())


class OnlineForestClassifier(OnlineForest, base.MiniBatchClassifier):
    """A classifier around a learner of the core. Classes are the labels in the order of their first samples."""

    _core_class: ClassVar[Any] = _core.Classifier

    _names: ClassVar[dict[str, Any]] = {"labels": ()}

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: dict[Any, Any], y: Any, *, w: float = 1.0) -> None:
        """Learn a sample.

        Parameters
        ----------
        x
            The features: numbers and, in learners that support categories, words.
        y
            The label: any object that can be hashed.
        w
            The weight: as many copies of the sample at once. Learners without weights raise a TypeError unless it is 1.
        """
        self._learn_one(x, y, w)

    def predict_proba_one(self, x: dict[Any, Any]) -> dict[Any, float]:
        """Predict the probability of each label learned so far; returns no labels before the first sample."""
        core = self._core
        prediction: dict[Any, float] = {} if core is None else core.predict_dict(x)
        return prediction

    def predict_one(self, x: dict[Any, Any]) -> Any:
        """Predict the most probable label; returns None before the first sample."""
        core = self._core
        return None if core is None else core.predict_label_dict(x)

    def feature_contributions_one(self, x: dict[Any, Any]) -> dict[Any, dict[Any, float]]:
        """Return what each feature contributes to the probability of each label.

        These are Shapley values by path-dependent TreeSHAP. The entry ``None`` is the probability where no feature is
        known; together, the entries are what :meth:`predict_proba_one` returns.
        """
        names, parts = self._contributions(x)
        labels = self._core.known_labels[: parts.shape[1]]
        return {
            label: dict(zip(names, column.tolist(), strict=True)) for label, column in zip(labels, parts.T, strict=True)
        }

    def learn_many(self, X: pd.DataFrame, y: pd.Series, *, w: pd.Series | float = 1.0) -> None:
        """Learn the rows of a frame, one after another; ``w`` is one weight for all rows, or one for each."""
        frame = Frame(X)
        targets = _list(y)
        if not targets and not len(frame):
            return
        codes: dict[Any, int] = {}
        indices = np.array([codes.setdefault(label, len(codes)) for label in targets], dtype=np.uint32)
        self._learn_frame(frame, indices, _weights(w, len(frame)), tuple(codes))

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """Predict the probability of each label for each row of a frame."""
        frame = Frame(X)
        if self._is_empty():
            return frame.frame({})
        probabilities = self._predicted(frame).T
        # Labels are only ever added behind those before.
        labels = self._core.known_labels[: len(probabilities)]
        return frame.frame(dict(zip(labels, probabilities, strict=True)))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Predict the most probable label of each row of a frame."""
        frame = Frame(X)
        if self._is_empty():
            return frame.series([])
        classes = self._predicted(frame).argmax(axis=1)
        labels = self._core.known_labels
        return frame.series([labels[index] for index in classes])


class OnlineForestRegressor(OnlineForest, base.MiniBatchRegressor):
    """A regressor around a learner of the core."""

    _core_class: ClassVar[Any] = _core.Regressor

    def learn_one(self, x: dict[Any, Any], y: float, *, w: float = 1.0) -> None:
        """Learn a sample.

        Parameters
        ----------
        x
            The features: numbers and, in learners that support categories, words.
        y
            The target, from -1e100 to 1e100.
        w
            The weight: as many copies of the sample at once. Learners without weights raise a TypeError unless it is 1.
        """
        self._learn_one(x, y, w)

    def predict_one(self, x: dict[Any, Any]) -> float:
        """Predict the mean of the targets; returns 0 before the first sample."""
        core = self._core
        prediction: float = 0.0 if core is None else core.predict_dict(x)
        return prediction

    def feature_contributions_one(self, x: dict[Any, Any]) -> dict[Any, float]:
        """Return what each feature contributes to the prediction: Shapley values by path-dependent TreeSHAP.

        The entry ``None`` is the prediction where no feature is known; together, the entries are what
        :meth:`predict_one` returns.
        """
        names, parts = self._contributions(x)
        return dict(zip(names, parts[:, 0].tolist(), strict=True))

    def predict_interval_one(self, x: dict[Any, Any], level: float = 0.9) -> tuple[float, float]:
        """Predict the bounds between which a new target lies with this probability; for learners with intervals."""
        lower, upper = self._fitted().intervals(self._row(x), level)[0].tolist()
        return lower, upper

    def predict_interval_many(self, X: pd.DataFrame, level: float = 0.9) -> pd.DataFrame:
        """Predict such an interval for each row of a frame: the columns ``lower`` and ``upper``."""
        frame = Frame(X)
        core = self._fitted()
        lower, upper = core.intervals(frame.rows(core, core.columns, core.features), level).T
        return frame.frame({"lower": lower, "upper": upper})

    def learn_many(self, X: pd.DataFrame, y: pd.Series, *, w: pd.Series | float = 1.0) -> None:
        """Learn the rows of a frame, one after another; ``w`` is one weight for all rows, or one for each."""
        frame = Frame(X)
        targets = np.asarray(y)
        if not len(targets) and not len(frame):
            return
        self._learn_frame(frame, targets, _weights(w, len(frame)))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """Predict the mean of the targets at each row of a frame."""
        frame = Frame(X)
        return frame.series(np.zeros(len(frame)) if self._is_empty() else self._predicted(frame)[:, 0])


def _weights(w: Any, rows: int) -> Any:
    """Returns the weight of each row; ``None`` if all are 1, which every learner supports."""
    if np.ndim(w):
        return np.asarray(w)
    return None if w == 1 else np.full(rows, w)


def _list(y: Any) -> list[Any]:
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(y, method):
            values: list[Any] = getattr(y, method)()
            return values
    return list(y)
