"""Base class of estimators of scikit-learn and models of River."""

import copy
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Self

from online_forests import _core
from online_forests._parameters import algorithm_text, parameters_in


class learned:  # noqa: N801
    """A property that exists once something was learned and, with a capability, only for learners that have it.

    It gives way to an attribute of the object itself: the draft that scikit-learn's validation writes its findings
    into.
    """

    def __init__(self, read: Callable[[Any, Any], Any], capability: str | None = None) -> None:
        self._read, self._capability = read, capability
        self.__doc__ = read.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, estimator: Any, owner: type | None = None) -> Any:
        if estimator is None:
            return self
        core = estimator.__dict__.get("_core")
        if core is None or core.is_empty:
            raise AttributeError(f"{type(estimator).__name__} has no {self._name} before it has learned something")
        if self._capability is not None and self._capability not in core.capabilities:
            raise AttributeError(
                f"{type(estimator).__name__} has no {self._name}: {core.algorithm} cannot {self._capability}"
            )
        return self._read(estimator, core)


def reporter(name: str, every: float = 1.0) -> Callable[[int, int], None]:
    """Returns a function that writes to standard error how many rows are learned, at most once in ``every`` seconds."""
    last = time.monotonic()

    def report(done: int, rows: int) -> None:
        nonlocal last
        if time.monotonic() - last >= every:
            last = time.monotonic()
            print(f"[{name}] {done} of {rows} rows learned", file=sys.stderr, flush=True)

    return report


class AroundCore:
    """Parameters, and a learner of the core, which is made for the first rows.

    The learner holds all that was learned: trees, labels, names of features.
    """

    _algorithm: ClassVar[str]
    _defaults: ClassVar[dict[str, Any]]
    _is_baseline: ClassVar[bool] = False
    _core_class: ClassVar[Any]
    _trees: ClassVar[str]
    _core: Any

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._defaults}

    def _text(self) -> str:
        return algorithm_text(self._algorithm, self._values(), self._defaults)

    def _fitted(self) -> Any:
        raise NotImplementedError

    @contextmanager
    def _first_rows(self, core: Any) -> Iterator[Any]:
        """Shares the learner of the first rows among threads, and drops it if all rows are refused."""
        shared = self.__dict__.setdefault("_core", core)
        try:
            yield shared
        finally:
            if shared.is_empty:
                self.__dict__.pop("_core", None)
            else:
                self.__dict__.setdefault("_core", shared)

    def __copy__(self) -> Self:
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        if "_core" in twin.__dict__:
            twin._core = copy.copy(twin._core)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the learner to a file for Rust, for the program, and for :func:`online_forests.load`.

        The file has the parameters of the algorithm and all that was learned, but no labels and no names of features:
        :meth:`load` asks for them. ``pickle`` and ``joblib`` keep all of the object.
        """
        self._fitted().save(path)

    @classmethod
    def load(
        cls, path: str | os.PathLike[str], *, labels: Iterable[Any] | None = None, features: Iterable[Any] | None = None
    ) -> Self:
        """Load a learner that :meth:`save` or Rust has written.

        Parameters
        ----------
        path : path
            A file with a learner of the algorithm of this class; :func:`online_forests.load` reads those of any.
        labels : iterable, optional
            The labels of a classifier, in the order in which they became known: after ``fit``, that of ``classes_``. By
            default 0, 1, …
        features : iterable, optional
            The names of the features, in the order of their columns. Without names, only arrays are read, and no
            dictionaries.

        Returns
        -------
        object of this class
            With the parameters of the algorithm and the number of trees; others, such as a seed, have their defaults.
        """
        core = _core.load(path)
        algorithm, parameters = parameters_in(core.algorithm, cls._defaults)
        if algorithm != cls._algorithm or not isinstance(core, cls._core_class):
            raise ValueError(
                f"{path} holds {core!r}, which is not of the class {cls.__name__}; "
                "online_forests.load reads any learner"
            )
        names: dict[str, Any] = {"columns": None if features is None else tuple(features)}
        if isinstance(core, _core.Classifier):
            names["labels"] = tuple(range(core.width) if labels is None else labels)
            if len(names["labels"]) != core.width:
                raise ValueError(f"{path} has {core.width} classes, but {len(names['labels'])} labels are given")
        loaded = cls(**parameters, **({} if cls._is_baseline else {cls._trees: core.trees}))
        loaded._core = cls._core_class.from_bytes(core.to_bytes(), **names)
        return loaded
