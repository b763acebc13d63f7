"""Time of learning and predicting: Rust beside the ways of calling it from Python, on the same rows in one run.

    python python/benchmarks/python_beside_rust.py > docs/results/python/speed.md

Friedman's function with 5 features, 16,000 rows to learn and 4,000 to predict, 10 trees, one thread. Each time is the minimum over
several runs that alternate, so that other load on the machine falls on all of them. Rust alone is `benchmarks/learn.rs`, which cargo
builds, or the program that --rust names.
"""

from __future__ import annotations

import argparse
import contextlib
import pathlib
import subprocess
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from online_forests import Regressor, river
from online_forests.sklearn import AMFRegressor, MondrianRegressor

ROWS, TEST, TREES = 16_000, 4_000, 10


def friedman(rows: int, seed: int) -> tuple[Any, Any]:
    """Friedman 1991: five features on [0, 1], noise of variance 1."""
    random = np.random.default_rng(seed)
    x = random.random((rows, 5), dtype=np.float32)
    y = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, (y + random.normal(size=rows)).astype(np.float64)


class Timed:
    """A learner's times."""

    def __init__(self, name: str, make: Callable[[], Any] | None, learn: Any, predict: Any) -> None:
        self.name, self.make, self.learn, self.predict = name, make, learn, predict
        self.learning: list[float] = []
        self.predicting: list[float] = []

    def run(self, train: Any, test: Any) -> None:
        assert self.make is not None
        model = self.make()
        start = time.perf_counter()
        self.learn(model, *train)
        learned = time.perf_counter()
        self.predict(model, test[0])
        end = time.perf_counter()
        self.learning.append(learned - start)
        self.predicting.append(end - learned)


def ours(algorithm: str, estimator: Any, model: Any) -> list[Timed]:
    """The core, which is Rust but for the call; scikit-learn's estimator; River's model by frames and by dictionaries."""
    import pandas as pd

    def frame(x: Any) -> Any:
        return pd.DataFrame(x, columns=list("abcde"), copy=False)

    return [
        Timed(
            f"{algorithm}, core",
            lambda: Regressor(algorithm, 5, trees=TREES, threads=1),
            lambda core, x, y: core.learn(x, y),
            lambda core, x: core.predict(x),
        ),
        Timed(
            f"{algorithm}, partial_fit",
            lambda: estimator(n_estimators=TREES, n_jobs=1),
            lambda forest, x, y: forest.partial_fit(x, y),
            lambda forest, x: forest.predict(x),
        ),
        Timed(
            f"{algorithm}, learn_many",
            lambda: model(**{model._trees: TREES}, n_jobs=1),
            lambda forest, x, y: forest.learn_many(frame(x), pd.Series(y)),
            lambda forest, x: forest.predict_many(frame(x)),
        ),
        Timed(
            f"{algorithm}, learn_one",
            lambda: model(**{model._trees: TREES}, n_jobs=1),
            learn_dictionaries,
            predict_dictionaries,
        ),
    ]


def dictionaries(x: Any) -> list[dict[str, float]]:
    key = id(x)
    if key not in _DICTIONARIES:
        _DICTIONARIES[key] = [dict(zip("abcde", row, strict=True)) for row in x.tolist()]
    return _DICTIONARIES[key]


_DICTIONARIES: dict[int, list[dict[str, float]]] = {}


def learn_dictionaries(model: Any, x: Any, y: Any) -> None:
    for features, target in zip(dictionaries(x), y.tolist(), strict=True):
        model.learn_one(features, target)


def predict_dictionaries(model: Any, x: Any) -> list[float]:
    return [model.predict_one(features) for features in dictionaries(x)]


class Rust(Timed):
    """Rust alone, on the same rows: a program that runs once for each line that it is sent."""

    def __init__(self, algorithm: str, program: Any) -> None:
        super().__init__(f"{algorithm}, Rust", None, None, None)
        self.algorithm, self.program = algorithm, program

    def run(self, train: Any, test: Any) -> None:
        print(self.algorithm, file=self.program.stdin, flush=True)
        learning, predicting = map(float, self.program.stdout.readline().split())
        self.learning.append(learning)
        self.predicting.append(predicting)


@contextlib.contextmanager
def rust_program(path: str | None, train: Any, test: Any) -> Any:
    """The program, started with these rows."""
    manifest = pathlib.Path(__file__).parents[1] / "Cargo.toml"
    built = ["cargo", "run", "--release", "--quiet", "--manifest-path", str(manifest), "--example", "learn", "--"]
    with tempfile.NamedTemporaryFile() as file:
        file.write(train[0].tobytes() + test[0].tobytes() + train[1].tobytes() + test[1].tobytes())
        file.flush()
        command = ([path] if path else built) + ["5", str(ROWS), str(TEST), file.name]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            yield program
            program.communicate()


def per_row(train: Any) -> tuple[float, float]:
    """Seconds a row of a core that learns rows of arrays one by one, and of River's model that learns dictionaries.

    The learner is a mean, which costs nothing: what is left is the way there.
    """
    model = river.MeanRegressor()
    samples = list(zip(dictionaries(train[0]), train[1].tolist(), strict=True))
    times = []
    for _ in range(10):
        start = time.perf_counter()
        for features, target in samples:
            model.learn_one(features, target)
        learned = time.perf_counter()
        for features, _ in samples:
            model.predict_one(features)
        times.append(((learned - start) / len(samples), (time.perf_counter() - learned) / len(samples)))
    return min(time for time, _ in times), min(time for _, time in times)


def ratio(times: list[float], others: list[float]) -> float:
    """How many times as long it took, by the same seconds that the page states."""
    return min(times) / min(others)


def print_page(families: list[list[Timed]]) -> None:
    print("# Python beside Rust\n")
    print(f"Friedman's function with 5 features, {ROWS:,} rows learned and {TEST:,} predicted, 10 trees, one thread. Seconds are the minimum over runs")
    print("that alternate between the learners, and ratios are those of these seconds. [Beside other libraries](../peers/README.md) is a page of its own.")
    print("Written by `python python/benchmarks/python_beside_rust.py`.\n")
    print("| learner | learning (s) | ratio to Rust | predicting (s) | ratio to Rust |\n|---|---|---|---|---|")
    for rust, *in_python in families:
        for timed in [rust, *in_python]:
            learning, predicting = ratio(timed.learning, rust.learning), ratio(timed.predicting, rust.predicting)
            print(f"| {timed.name} | {min(timed.learning):.4f} | {learning:.2f} | {min(timed.predicting):.4f} | {predicting:.2f} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rust", help="the program of benchmarks/learn.rs, if it is built already")
    arguments = parser.parse_args()
    train, test = friedman(ROWS, 1), friedman(TEST, 2)
    dictionaries(train[0]), dictionaries(test[0])
    with rust_program(arguments.rust, train, test) as program:
        families = [
            [Rust("mondrian", program), *ours("mondrian", MondrianRegressor, river.MondrianRegressor)],
            [Rust("amf", program), *ours("amf", AMFRegressor, river.AMFRegressor)],
        ]
        all_timed = [timed for family in families for timed in family]
        for _ in range(arguments.runs):
            for timed in all_timed:
                timed.run(train, test)
    print_page(families)
    learning, predicting = per_row(train)
    print("\nConverting a dictionary to a row and calling the learner, measured with one that only computes a mean:")
    print(f"{learning * 1e6:.2f} µs to learn, {predicting * 1e6:.2f} µs to predict.")


if __name__ == "__main__":
    main()
