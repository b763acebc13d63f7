"""Error and memory of the learners of other libraries beside ours, on the same rows, at the libraries' defaults.

    python python/benchmarks/peers.py > docs/results/python/peers.md

Nothing is timed, so other programs on the machine change no figure but, by a little, the memory. Each learner runs in a process of its own,
whose resident memory is read before and after it learns. Needs onelearn, LightGBM, River and scikit-learn.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import platform
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from compare import ROWS, TEST, friedman
from lightgbm import LGBMRegressor
from river.forest import AMFRegressor as RiverAMF
from river.forest import ARFRegressor as RiverARF
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor

from online_forests.sklearn import AMFRegressor, DynamicExtraTreesRegressor, MondrianRegressor, ResidualForestRegressor

with contextlib.suppress(ImportError), warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import numpy.core.numeric

    # onelearn 0.3 looks for this where numpy 1 had it.
    numpy.core.numeric.ComplexWarning = np.exceptions.ComplexWarning
from onelearn import AMFRegressor as OnelearnAMF

DRAWS = 3
Learn = Callable[[Any, Any, Any], Any]


def by_rows(model: Any, x: Any, y: Any) -> None:
    for row, target in zip(x.tolist(), y.tolist(), strict=True):
        model.learn_one(dict(enumerate(row)), target)


def batches(model: Any, x: Any, y: Any) -> None:
    for start in range(0, len(x), 1000):
        model.partial_fit(x[start : start + 1000], y[start : start + 1000])


def at_once(model: Any, x: Any, y: Any) -> None:
    model.fit(x, y)


def learners(seed: int) -> list[tuple[str, str, Any, Learn]]:
    """Library, settings other than the defaults, learner, and how it learns."""
    ten = {"n_estimators": 10, "random_state": seed, "n_jobs": 1}
    hundred = {**ten, "n_estimators": 100}
    return [
        ("online-forests", "10 trees", AMFRegressor(**ten), batches),
        ("River", "10 trees", RiverAMF(n_estimators=10, seed=seed), by_rows),
        ("onelearn", "10 trees", OnelearnAMF(n_estimators=10, random_state=seed, verbose=False), batches),
        ("online-forests", "10 trees", MondrianRegressor(**ten), batches),
        ("River", "10 trees", RiverARF(n_models=10, seed=seed), by_rows),
        ("online-forests", "100 trees", DynamicExtraTreesRegressor(**hundred), batches),
        ("scikit-learn", "100 trees", ExtraTreesRegressor(random_state=seed, n_jobs=1), at_once),
        ("online-forests", "100 trees", ResidualForestRegressor(**hundred), batches),
        ("scikit-learn", "up to 100 trees", HistGradientBoostingRegressor(random_state=seed), at_once),
        ("LightGBM", "100 trees", LGBMRegressor(random_state=seed, n_jobs=1, verbose=-1), at_once),
    ]


def resident() -> float:
    """MB of memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def run(task: tuple[int, int]) -> tuple[float, float]:
    """The error against targets with noise, and the memory that learning has taken."""
    index, seed = task
    (x, y), (test, truth) = friedman(ROWS, 2 * seed + 1), friedman(TEST, 2 * seed + 2)
    _, _, model, learn = learners(seed)[index]
    before = resident()
    learn(model, x, y)
    memory = resident() - before
    rows = [dict(enumerate(row)) for row in test.tolist()]
    predictions = [model.predict_one(row) for row in rows] if learn is by_rows else model.predict(test)
    return float(np.sqrt(np.mean((np.asarray(predictions).reshape(-1) - truth) ** 2))), memory


def main() -> None:
    warnings.simplefilter("ignore")
    names = ("onelearn", "river", "scikit-learn", "lightgbm")
    print("# Error and memory beside other libraries\n")
    print(f"Friedman's function of 5 features with noise of variance 1, targets as they are (not scaled): {ROWS:,} rows learned, {TEST:,} predicted.")
    print("All learners have their library's defaults except for the number of trees that the table names. RMSE is against the targets with their")
    print(f"noise, so that 1 is the best possible: the mean of {DRAWS} draws of the data, and the standard deviation over them. Memory is by how much")
    print("the process grew while it learned (the median over the draws). *One pass*: each row is learned once, in the order of the stream.")
    print("Written by `python python/benchmarks/peers.py`; times are on [another page](speed.md).\n")
    print(f"online-forests {version('online-forests')}, {', '.join(f'{name} {version(name)}' for name in names)}, Python {platform.python_version()}.\n")
    print("| library | learner | trees | learns | RMSE | memory (MB) |\n|---|---|---|---|---|---|")
    # onelearn compiles what it runs, which is not memory of the forest.
    batches(OnelearnAMF(n_estimators=1, verbose=False), *friedman(10, 0))
    context = multiprocessing.get_context("fork")
    for index, (library, trees, model, learn) in enumerate(learners(0)):
        errors, memory = [], []
        for seed in range(DRAWS):
            with context.Pool(1) as pool:
                error, megabytes = pool.map(run, [(index, seed)])[0]
            errors.append(error)
            memory.append(megabytes)
        learns = "all rows at once" if learn is at_once else "one pass"
        print(
            f"| {library} | `{type(model).__name__}` | {trees} | {learns} | {np.mean(errors):.3f} ± {np.std(errors, ddof=1):.3f} | {np.median(memory):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
