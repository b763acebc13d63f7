"""Learners of other libraries, called batch by batch by the Rust library.

Each method gets rows in an array of its own, `float32`, and targets as numbers of classes or as values. It returns its
predictions, one row of probabilities or one number a row, with the time of the learner's calls: rows are converted
before and predictions after them. A row of zeros is not a prediction, which classes have before anything is learned.
"""

from __future__ import annotations

import copy
import inspect
import os
import pickle
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count, repeat
from time import perf_counter, process_time
from typing import Any, ClassVar

import numpy as np

from online_forests.compare._data import Table
from online_forests.compare._follow import TimeLimit

# Predictions, and seconds of the clock and of the processor.
Timed = tuple[Any, Any]
# A sum of probabilities that differs from 1 by no more than this is 1.
ROUNDING = 1e-9


def clock() -> Any:
    """Returns seconds of the clock, and of the processor in all threads."""
    return np.array([perf_counter(), process_time()])


def guarded(work: Callable[[], Any]) -> tuple[Any, str | None]:
    """Returns what the work makes, and why it failed. What learners do not raise, such as Ctrl-C, is raised again.

    A process that a learner forked and that returned from it ends here: it has the other's files, but not its threads.
    """
    own = os.getpid()
    made = reason = None
    try:
        made = work()
    except (Exception, SystemExit, GeneratorExit, TimeLimit) as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__qualname__}: {error} ({os.path.basename(place.filename)}, line {place.lineno})"
    finally:
        if os.getpid() != own:
            os._exit(1)
    return made, reason


class Adapter:
    """What all adapters have: labels for classes, and predictions as an array."""

    # Whether the learner sees all training rows at once.
    offline: ClassVar[bool] = False

    def __init__(self, model: Any, table: Table, features: int) -> None:
        self.model = model
        self.table = table
        same = len(table.features) == features
        self.names = table.features if same else [f"x{number}" for number in range(1, features + 1)]
        self.learned = 0

    def size(self) -> int | None:
        """Returns the pickled size, if it can be pickled."""
        try:
            return len(pickle.dumps(self.model, protocol=pickle.HIGHEST_PROTOCOL))
        except Exception:
            return None

    def learn(self, rows: Any, targets: Any) -> Timed:
        """Learns a batch, and predicts nothing."""
        raise NotImplementedError

    def predict(self, rows: Any) -> Timed:
        """Predicts a batch."""
        raise NotImplementedError

    def predict_then_learn(self, rows: Any, targets: Any) -> Timed:
        """Predicts each row, then learns it."""
        raise NotImplementedError

    def call(self, method: str, width: int, rows: Any, targets: Any) -> tuple[Timed | None, str | None]:
        """Returns predictions of `width` numbers a row, with the time of the calls; and why the learner failed."""
        return guarded(lambda: self._called(method, width, *([rows] if targets is None else [rows, targets])))

    def _called(self, method: str, width: int, rows: Any, *targets: Any) -> Timed:
        before = self.learned
        array, seconds = getattr(self, method)(rows, *targets)
        if array is None:
            return np.zeros((0, 0)), seconds
        if array.shape != (len(rows), width):
            raise ValueError(
                f"expected {len(rows)} predictions of {width} numbers, "
                f"but the learner returned an array of shape {array.shape}"
            )
        what = "the prediction" if self.table.classes is None else "a probability"
        if not (finite := np.isfinite(array).all(axis=1)).all():
            raise ValueError(
                f"{what} is not a finite number: {array[row := int(np.argmin(finite))]} in row {row} of the batch"
            )
        if self.table.classes is None:
            return array, seconds
        if (negative := (array < 0).any(axis=1)).any():
            raise ValueError(f"{what} is negative: {array[row := int(np.argmax(negative))]} in row {row} of the batch")
        sums = array.sum(axis=1, keepdims=True)
        # Before the first row is learned, there may be no prediction.
        unlearned = 0 if before else len(array) if not targets else 1
        if (nothing := sums[unlearned:, 0] == 0).any():
            row = unlearned + int(np.argmax(nothing))
            raise ValueError(f"no class has a probability in row {row} of the batch, though rows were learned")
        return np.where((sums > 0) & (np.abs(sums - 1) > ROUNDING), array / np.where(sums > 0, sums, 1), array), seconds

    def labels(self, targets: Any) -> list[Any]:
        """Returns targets as the learner knows them."""
        classes = self.table.classes
        return targets.tolist() if classes is None else [classes[target] for target in targets.tolist()]

    def scored(self, predicted: Sequence[Any], method: str, learned: Iterable[int]) -> Any:
        """Returns single predictions as an array; `learned` counts the rows before each.

        A prediction may be None before the first row is learned only.
        """
        width = 1 if self.table.classes is None else len(self.table.classes)
        array = np.zeros((len(predicted), width))
        for row, (value, before) in enumerate(zip(predicted, learned)):  # noqa: B905
            if value is None or (isinstance(value, Mapping) and not value):
                if before:
                    raise ValueError(f"{method} returned {value!r} after {before} rows")
            elif self.table.classes is None:
                array[row, 0] = value
            elif isinstance(value, Mapping):
                for label, share in value.items():
                    array[row, self.table.index(label)] = share
            else:
                array[row, self.table.index(value)] = 1.0
        return array


class OneByOne(Adapter):
    """`learn_one` and `predict_one` or `predict_proba_one`, of dictionaries."""

    def __init__(self, model: Any, table: Table, features: int) -> None:
        super().__init__(model, table, features)
        has_shares = table.classes is not None and hasattr(model, "predict_proba_one")
        self.method = "predict_proba_one" if has_shares else "predict_one"

    def learn(self, rows: Any, targets: Any) -> Timed:
        learn = self.model.learn_one
        pairs = list(zip(self._dicts(rows), self.labels(targets), strict=True))
        begin = clock()
        for row, target in pairs:
            learn(row, target)
        seconds = clock() - begin
        self.learned += len(pairs)
        return None, seconds

    def predict(self, rows: Any) -> Timed:
        predict, dicts = self._predict(rows), self._dicts(rows)
        begin = clock()
        predicted = [predict(row) for row in dicts]
        seconds = clock() - begin
        return self.scored(predicted, self.method, repeat(self.learned)), seconds

    def predict_then_learn(self, rows: Any, targets: Any) -> Timed:
        predict, learn = self._predict(rows), self.model.learn_one
        pairs = list(zip(self._dicts(rows), self.labels(targets), strict=True))
        predicted = []
        begin = clock()
        for row, target in pairs:
            predicted.append(predict(row))
            learn(row, target)
        seconds = clock() - begin
        array = self.scored(predicted, self.method, count(self.learned))
        self.learned += len(pairs)
        return array, seconds

    def _dicts(self, rows: Any) -> list[dict[str, float]]:
        names = self.names
        return [dict(zip(names, row, strict=True)) for row in rows.tolist()]

    def _predict(self, rows: Any) -> Callable[[Any], Any]:
        """Returns the method that predicts. A first call finds out whether a classifier of River has probabilities."""
        if self.method == "predict_proba_one" and not self.learned:
            try:
                copy.deepcopy(self.model).predict_proba_one(self._dicts(rows[:1])[0])
            except NotImplementedError:
                self.method = "predict_one"
            except Exception:
                # Whatever else it is, the call that counts reports it.
                pass
        method: Callable[[Any], Any] = getattr(self.model, self.method)
        return method


class InBatches(Adapter):
    """`partial_fit` and `predict` or `predict_proba`, of arrays."""

    def __init__(self, model: Any, table: Table, features: int) -> None:
        super().__init__(model, table, features)
        has_shares = table.classes is not None and hasattr(model, "predict_proba")
        self.method = "predict_proba" if has_shares else "predict"
        self._labels = None if table.classes is None else _array(table.classes)

    def learn(self, rows: Any, targets: Any) -> Timed:
        learn, labels = self._learn(), self._of(targets)
        begin = clock()
        learn(rows, labels)
        seconds = clock() - begin
        self.learned += len(rows)
        return None, seconds

    def predict(self, rows: Any) -> Timed:
        predict = getattr(self.model, self.method)
        if not self.learned:
            return self.nothing(rows), np.zeros(2)
        begin = clock()
        predicted = predict(rows)
        seconds = clock() - begin
        return self.array(predicted, len(rows)), seconds

    def predict_then_learn(self, rows: Any, targets: Any) -> Timed:
        """Row by row, since every row is predicted by what was learned before it."""
        arrays = []
        seconds = np.zeros(2)
        for at in range(len(rows)):
            predicted, more = self.predict(rows[at : at + 1])
            arrays.append(predicted)
            seconds = seconds + more + self.learn(rows[at : at + 1], targets[at : at + 1])[1]
        return np.concatenate(arrays), seconds

    def nothing(self, rows: Any) -> Any:
        """Returns no predictions."""
        return np.zeros((len(rows), 1 if self._labels is None else len(self._labels)))

    def array(self, predicted: Any, rows: int) -> Any:
        """Returns what the learner predicted as an array, its columns in the order of the classes."""
        predicted = np.asarray(predicted)
        if len(predicted.shape) == 0 or len(predicted) != rows:
            raise ValueError(f"{self.method} returned an array of shape {predicted.shape} for {rows} rows")
        if self._labels is None:
            return predicted.reshape(rows, -1).astype(np.float64)
        if self.method == "predict":
            return self.scored(predicted.reshape(rows).tolist(), self.method, repeat(self.learned))
        classes = getattr(self.model, "classes_", self._labels)
        if predicted.shape != (rows, len(classes)):
            raise ValueError(
                f"predict_proba returned an array of shape {predicted.shape} for {rows} rows and {len(classes)} classes"
            )
        array = np.zeros((rows, len(self._labels)))
        array[:, [self.table.index(label) for label in np.asarray(classes).tolist()]] = predicted
        return array

    def _of(self, targets: Any) -> Any:
        return targets if self._labels is None else self._labels[targets]

    def _learn(self) -> Callable[[Any, Any], Any]:
        learn: Callable[..., Any] = self.model.partial_fit
        if self.learned or self._labels is None or "classes" not in inspect.signature(learn).parameters:
            return learn
        return lambda rows, labels: learn(rows, labels, classes=self._labels)


class AtOnce(InBatches):
    """`fit` and `predict` or `predict_proba`, of arrays."""

    offline = True

    def _learn(self) -> Callable[[Any, Any], Any]:
        learn: Callable[[Any, Any], Any] = self.model.fit
        return learn


class OfCapyMOA(Adapter):
    """`train` and `predict` or `predict_proba`, of instances of a schema."""

    def learn(self, rows: Any, targets: Any) -> Timed:
        train = self.model.train
        instances = self._labelled(rows, targets)
        begin = clock()
        for instance in instances:
            train(instance)
        seconds = clock() - begin
        self.learned += len(instances)
        return None, seconds

    def predict(self, rows: Any) -> Timed:
        from capymoa.core import Instance

        schema, predict = self.table.schema(), self._predict()
        instances = [Instance.from_array(schema, row) for row in rows.astype(np.float64)]
        begin = clock()
        predicted = [predict(instance) for instance in instances]
        seconds = clock() - begin
        shares = [self._shares(value) for value in predicted]
        return self.scored(shares, predict.__name__, repeat(self.learned)), seconds

    def predict_then_learn(self, rows: Any, targets: Any) -> Timed:
        predict, train = self._predict(), self.model.train
        instances = self._labelled(rows, targets)
        predicted = []
        begin = clock()
        for instance in instances:
            predicted.append(predict(instance))
            train(instance)
        seconds = clock() - begin
        shares = [self._shares(value) for value in predicted]
        array = self.scored(shares, predict.__name__, count(self.learned))
        self.learned += len(instances)
        return array, seconds

    def _predict(self) -> Callable[[Any], Any]:
        has_shares = self.table.classes is not None and hasattr(self.model, "predict_proba")
        method: Callable[[Any], Any] = self.model.predict_proba if has_shares else self.model.predict
        return method

    def _shares(self, value: Any) -> Any:
        """Returns what CapyMOA predicts, which numbers classes, by their names.

        A learner that abstains, which CapyMOA allows, votes for all alike.
        """
        classes = self.table.classes
        if classes is None:
            return value
        if value is None or (np.ndim(value) > 0 and not np.any(value)):
            return dict.fromkeys(classes, 1.0)
        if np.ndim(value) == 0:
            return classes[int(value)]
        shares = np.asarray(value, dtype=np.float64)
        return {classes[number]: share for number, share in enumerate(shares.tolist())}

    def _labelled(self, rows: Any, targets: Any) -> list[Any]:
        from capymoa.core import LabeledInstance, RegressionInstance

        schema = self.table.schema()
        make = RegressionInstance.from_array if self.table.classes is None else LabeledInstance.from_array
        return [
            make(schema, row, target) for row, target in zip(rows.astype(np.float64), targets.tolist(), strict=True)
        ]


def adapter_of(model: Any) -> type[Adapter] | None:
    """Returns the adapter for a learner; None for what is not one."""

    def has(*methods: str) -> bool:
        return all(callable(getattr(model, method, None)) for method in methods)

    kinds: list[tuple[tuple[str, str], type[Adapter]]] = [
        (("learn_one", "predict_one"), OneByOne),
        (("partial_fit", "predict"), InBatches),
        (("fit", "predict"), AtOnce),
        (("train", "predict"), OfCapyMOA),
    ]
    return next((adapter for methods, adapter in kinds if has(*methods)), None)


def _array(classes: Sequence[Any]) -> Any:
    """Returns labels as an array: of objects where numpy would make other labels of them."""
    array = np.array(classes)
    if array.tolist() == list(classes):
        return array
    objects = np.empty(len(classes), dtype=object)
    objects[:] = classes
    return objects
