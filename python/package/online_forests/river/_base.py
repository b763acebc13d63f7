"""What all models of River do."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from river import base

from online_forests import _core
from online_forests._frames import Frame
from online_forests._parameters import algorithm_text, features_for, reservoir_of, seed_of, threads_of

if TYPE_CHECKING:
    import pandas as pd


class OnlineForest(base.Estimator):
    """A model around a learner of the core, which is made for the features of the first sample."""

    _algorithm: ClassVar[str]
    _defaults: ClassVar[dict[str, Any]]
    _is_baseline: ClassVar[bool] = False
    _core_class: ClassVar[Any]

    def _start(self) -> None:
        self._core: Any = None
        self._columns: Any = None
        self._warned = False
        # Wrong parameters are an error here, not at the first sample.
        self._new_core(features_for(self._values()))

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._defaults}

    def _new_core(self, features: int) -> Any:
        settings: dict[str, Any] = {"threads": threads_of(self.n_jobs)}
        if not self._is_baseline:
            settings |= {"trees": self.n_models, "seed": seed_of(self.seed)}
        text = algorithm_text(self._algorithm, self._values(), self._defaults)
        return self._core_class(text, features, **settings, **reservoir_of(self))

    def _parts_for(self, names: list[Any]) -> tuple[Any, Any]:
        """Learner and columns, which are new if these are the names of the first sample."""
        if self._core is not None:
            return self._core, self._columns
        columns, _ = _core.Columns([], max(self.columns or len(names), 1)).extended(names, False)
        return self._new_core(columns.width), columns

    def _learned(self, core: Any, columns: Any, all_read: bool) -> None:
        self._core, self._columns = core, columns
        if not all_read and not self._warned:
            self._warned = True
            warnings.warn(
                f"{type(self).__name__} has {columns.width} columns, which are taken, and does not read features that "
                "appear later; give `columns` to leave room for them",
                stacklevel=3,
            )

    def _table(self, frame: Frame) -> tuple[Any, Any, Any, bool]:
        """Learner, columns, the rows of a frame, and whether every feature has a column."""
        core, columns = self._parts_for(frame.names)
        columns, all_read = columns.extended(frame.names, "widen" in core.capabilities)
        return core, columns, frame.rows(columns.names, columns.width), all_read

    def _asked(self, X: Any) -> tuple[Frame, Any]:
        """The rows of a frame, whose new features are not read."""
        frame = Frame(X)
        return frame, frame.rows(self._columns.names, self._columns.width)

    def footprint(self) -> dict[str, int]:
        """Nodes, samples that are held, and bytes of memory."""
        footprint: dict[str, int] = {"nodes": 0, "stored_samples": 0, "bytes": 0}
        return footprint if self._core is None else dict(self._core.footprint())


def _dict(x: Any) -> Any:
    """A dictionary, which some transformers of River only look like."""
    return x if isinstance(x, dict) else dict(x)


class OnlineForestClassifier(OnlineForest, base.MiniBatchClassifier):
    """A classifier around a learner of the core. Classes are the labels in the order of their first samples."""

    _core_class: ClassVar[Any] = _core.Classifier

    def _start(self) -> None:
        super()._start()
        self._labels = _core.Labels([])

    @property
    def _multiclass(self) -> bool:
        return True

    def learn_one(self, x: dict[Any, Any], y: Any, *, w: float = 1.0) -> None:
        """Learn a sample: a dictionary of numbers, and a label; a weight ``w`` stands for ``w`` copies of it at once.

        A learner that takes no weights raises a TypeError for those other than 1.
        """
        x = _dict(x)
        core, columns = (self._core, self._columns) if self._core is not None else self._parts_for(list(x))
        all_read = core.learn_dict(x, y, columns, self._labels, w)
        if not all_read or self._core is None:
            self._learned(core, columns, all_read)

    def predict_proba_one(self, x: dict[Any, Any], **_: Any) -> dict[Any, float]:
        """The probability of each label learned so far; none before the first sample."""
        if self._core is None:
            return {}
        answer: dict[Any, float] = self._core.predict_dict(_dict(x), self._columns, self._labels)
        return answer

    def predict_one(self, x: dict[Any, Any], **_: Any) -> Any:
        """The most probable label; None before the first sample."""
        if self._core is None:
            return None
        return self._core.predict_label_dict(_dict(x), self._columns, self._labels)

    def learn_many(self, X: pd.DataFrame, y: pd.Series, *, w: pd.Series | float = 1.0) -> None:
        """Learn the rows of a frame, one after another; ``w`` is the weight of all, or of each."""
        frame, targets = Frame(X), _list(y)
        if not targets and not len(frame):
            return
        core, columns, rows, all_read = self._table(frame)
        labels = _core.Labels(self._labels.labels)
        classes = np.array([labels.class_of(label) for label in targets], dtype=np.uint32)
        core.learn_wide(rows, classes, _weights(w, len(frame)))
        self._labels = labels
        self._learned(core, columns, all_read)

    def predict_proba_many(self, X: pd.DataFrame) -> pd.DataFrame:
        """The probability of each label, a row for each row."""
        if self._core is None:
            return Frame(X).frame({})
        frame, rows = self._asked(X)
        return frame.frame(dict(zip(self._labels.labels, self._core.predict(rows).T, strict=True)))

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The most probable label of each row."""
        if self._core is None:
            return Frame(X).series([])
        frame, rows = self._asked(X)
        labels = self._labels.labels
        return frame.series([labels[index] for index in self._core.labels(rows)])


class OnlineForestRegressor(OnlineForest, base.MiniBatchRegressor):
    """A regressor around a learner of the core."""

    _core_class: ClassVar[Any] = _core.Regressor

    def learn_one(self, x: dict[Any, Any], y: float, *, w: float = 1.0) -> None:
        """Learn a sample: a dictionary of numbers, and a number; a weight ``w`` stands for ``w`` copies of it at once.

        A learner that takes no weights raises a TypeError for those other than 1.
        """
        x = _dict(x)
        core, columns = (self._core, self._columns) if self._core is not None else self._parts_for(list(x))
        all_read = core.learn_dict(x, y, columns, w)
        if not all_read or self._core is None:
            self._learned(core, columns, all_read)

    def predict_one(self, x: dict[Any, Any], **_: Any) -> float:
        """The mean; 0 before the first sample."""
        if self._core is None:
            return 0.0
        answer: float = self._core.predict_dict(_dict(x), self._columns)
        return answer

    def learn_many(self, X: pd.DataFrame, y: pd.Series, *, w: pd.Series | float = 1.0) -> None:
        """Learn the rows of a frame, one after another; ``w`` is the weight of all, or of each."""
        frame, targets = Frame(X), np.asarray(y)
        if not len(targets) and not len(frame):
            return
        core, columns, rows, all_read = self._table(frame)
        core.learn_wide(rows, targets, _weights(w, len(frame)))
        self._learned(core, columns, all_read)

    def predict_many(self, X: pd.DataFrame) -> pd.Series:
        """The mean at each row."""
        if self._core is None:
            frame = Frame(X)
            return frame.series(np.zeros(len(frame)))
        frame, rows = self._asked(X)
        return frame.series(self._core.predict(rows)[:, 0])


def _weights(w: Any, rows: int) -> Any:
    """The weight of each row; ``None`` if all are 1, which every learner takes."""
    if np.ndim(w):
        return np.asarray(w)
    return None if w == 1 else np.full(rows, w)


def _list(y: Any) -> list[Any]:
    for method in ("tolist", "to_list", "to_pylist"):
        if hasattr(y, method):
            values: list[Any] = getattr(y, method)()
            return values
    return list(y)
