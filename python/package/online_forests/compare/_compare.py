"""The comparison: its options, and what is handed to the Rust library."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args, get_type_hints

from online_forests import _core
from online_forests._parameters import threads_of
from online_forests.compare._command import command
from online_forests.compare._data import sources
from online_forests.compare._follow import Follow
from online_forests.compare._learners import described
from online_forests.compare._results import Results

Path = str | os.PathLike[str]


def compare(
    learners: Mapping[str, Any] | Iterable[str],
    data: Any,
    *,
    protocol: Literal["both", "holdout", "prequential", "kfold", "prequential-kfold", "delayed"] = "both",
    seeds: int = 5,
    trees: int = 10,
    metrics: Sequence[str] = (),
    out: Path | None = None,
    resume: bool = False,
    order: Literal["stream", "shuffled", "sorted", "sorted-descending"] | None = None,
    train: float | None = None,
    split: Literal["standard", "repeated", "chronological"] | None = None,
    folds: int | None = None,
    validation: Literal["cross", "split", "bootstrap"] | None = None,
    delay: int | None = None,
    scale: Literal["none", "minmax", "standard", "robust", "quantile"] = "minmax",
    weights: Literal["equal", "variances", "labels"] = "equal",
    components: int | None = None,
    n_jobs: int | None = None,
    max_memory: int | None = None,
    time_limit: float | None = None,
    data_dir: Path | None = None,
    progress: bool = True,
) -> Results:
    """Compare learners on data sets, and return the records of all runs.

    Parameters
    ----------
    learners : mapping of names to learners, or iterable of algorithms
        A learner is an algorithm of ours by name, such as ``"mondrian:budget=10"``, an object, or a function of the
        seed that returns one (a class is called with ``seed=`` or ``random_state=`` if it takes one of them). An object
        is copied for every run. It has one of

        - ``learn_one(x, y)`` and ``predict_one(x)``, perhaps ``predict_proba_one(x)``, where ``x`` is a dictionary of
          features (River);
        - ``partial_fit(X, y)`` and ``predict(X)``, perhaps ``predict_proba(X)``; ``partial_fit`` gets all ``classes``
          first if it takes them;
        - ``fit(X, y)`` and ``predict(X)``, perhaps ``predict_proba(X)``: it sees all training rows at once, so it takes
          part in the hold-out and in k-fold cross-validation only, marked as offline;
        - ``train(instance)`` and ``predict(instance)``, perhaps ``predict_proba(instance)`` (CapyMOA), made by a
          function of the seed and the schema.
    data : list
        Of a name, file, generator or number of OpenML (``"openml:61"``) as ``cargo xtask compare --data`` has it; of
        ``(X, y)`` or ``(name, X, y)``, with arrays, frames or lists; or of any iterable of ``(x, y)``, where ``x`` is a
        dictionary or a sequence, such as a data set of River or a stream of CapyMOA. Texts are classes, and so are
        whole numbers with at most 100 different values.
    protocol : {"both", "holdout", "prequential", "kfold", "prequential-kfold", "delayed"}
        Both are the hold-out, then the prequential protocol, which predicts every row before it is learned.
    seeds : int, default=5
        Repetitions, with the seeds 0, 1, …
    trees : int, default=10
        Of every forest of ours.
    metrics : sequence of str, default=()
        Columns of the tables; the first one ranks. Records have all metrics.
    out : path, optional
        The folder of runs, tables and page. By default a new temporary one, which ``results.folder`` names.
    resume : bool, default=False
        Run only what the folder has no record of. A learner is known by its name.
    order, train, split, folds, validation, delay, scale, weights, components
        As the options of ``cargo xtask compare`` (``components`` is ``--pca``), with the same defaults.
    n_jobs : int or None, default=None
        Threads that learn our forests: one if None, as many as cores if -1.
    max_memory : int, optional
        Bytes that a learner may hold: of one from Python, its pickled size, which is found before every batch then.
    time_limit : float, optional
        Seconds of a run. A run that takes longer is stopped: one from Python by an exception, so code that is not
        Python's own ends its call first.
    data_dir : path, optional
        The folder of named sets; by default that of the variable ``FOREST_DATA``, or ``data``.
    progress : bool, default=True
        Show progress on standard error.

    Returns
    -------
    Results
        A learner that raises, or whose predictions cannot be scored, has records with the reason.

    Notes
    -----
    The time of a learner of Python is that of its own calls, as of ours, of the clock and of the processor: rows are
    converted before and after. Its size is the pickled size, if it can be pickled. Of our algorithms, it is the time
    that passes inside the learner, and the memory that it holds. A learner that predicts classes without probabilities
    counts as certain of them; probabilities are divided by their sum.

    Ctrl-C ends the run, writes the report of those before it and raises ``KeyboardInterrupt``; ``resume=True`` with the
    same ``out`` does the others.
    """
    _check_words(protocol=protocol, order=order, split=split, validation=validation, scale=scale, weights=weights)
    if time_limit is not None and not 0 < time_limit < math.inf:
        raise ValueError(f"time_limit must be a number of seconds above 0, but is {time_limit}")
    if resume and out is None:
        raise ValueError("resume=True needs the folder to resume: pass out")
    out = tempfile.mkdtemp(prefix="online-forests-compare-") if out is None else out
    request = {
        "protocol": protocol,
        "order": order,
        "train": train,
        "split": split,
        "folds": folds,
        "validation": validation,
        "delay": delay,
        "scaling": scale,
        "weights": weights,
        "components": components,
        "metrics": list(metrics),
        "seeds": seeds,
        "trees": trees,
        "threads": threads_of(n_jobs) or None,
        "out": os.fspath(out),
        "resume": resume,
        "data_dir": None if data_dir is None else os.fspath(data_dir),
        "max_memory": max_memory,
        "time_limit": time_limit,
    }
    return run(learners, data, request, progress=progress)


def run(
    learners: Mapping[str, Any] | Iterable[str], data: Any, request: Mapping[str, Any], *, progress: bool = True
) -> Results:
    """Runs a comparison by a request in the words of the Rust library."""
    opened = sources(data)
    follow = Follow(shown=progress, time_limit=request["time_limit"])
    options = json.dumps({**request, "command": command()}, default=int)
    with follow:
        folder = _core.compare(described(learners, opened[0]), opened, options, follow)
    return Results(folder, request["metrics"])


def _check_words(**options: str | None) -> None:
    """Refuses what is not one of the words of an option."""
    hints = get_type_hints(compare)
    for option, value in options.items():
        known = [
            word
            for hint in (hints[option], *get_args(hints[option]))
            for word in get_args(hint)
            if isinstance(word, str)
        ]
        if value is not None and value not in known:
            raise ValueError(
                f"{option} must be one of {', '.join(map(json.dumps, dict.fromkeys(known)))}, but is {value!r}"
            )
