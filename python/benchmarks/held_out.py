"""Errors of the offline learners of other libraries, at their defaults, on the rows of an item of `cargo xtask-all reproduce`.

    cargo xtask-all reproduce residual-forest/classes-and-numbers --scale full --rows ROWS
    python python/benchmarks/held_out.py ROWS xtask/experiments/residual-forest/peers.csv --seeds 10

Lines of the output are name of the data, learner, seed and values, as the item reads them. A line that is already there is not measured again.
One thread; times are processor time in seconds. Needs CatBoost, LightGBM, scikit-learn and XGBoost.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

# Before the libraries are loaded, which read it.
os.environ["OMP_NUM_THREADS"] = "1"

import numpy as np
from catboost import CatBoostClassifier, CatBoostRegressor
from lightgbm import LGBMClassifier, LGBMRegressor
from sklearn import ensemble
from sklearn.model_selection import GridSearchCV, KFold, StratifiedKFold
from xgboost import XGBClassifier, XGBRegressor

COLUMNS = ["panel", "series", "seed", "log_loss", "rmse", "accuracy", "learn_seconds", "predict_seconds"]
# The least probability in the log loss, as in the crate `comparison`.
FLOOR = 1e-15


@dataclass
class Rows:
    """Rows to learn and to test."""

    classes: bool
    train: tuple[Any, Any]
    test: tuple[Any, Any]


@lru_cache(1)
def read(stem: str) -> Rows:
    def part(name: str) -> tuple[Any, Any]:
        table = np.loadtxt(f"{stem}.{name}.csv", delimiter=",", skiprows=1, ndmin=2)
        return table[:, :-1].astype(np.float32), table[:, -1]

    with Path(f"{stem}.train.csv").open(encoding="utf-8") as file:
        classes = file.readline().rstrip().endswith("class")
    return Rows(classes, part("train"), part("test"))


def forest(kind: str) -> Callable[[bool, int], Any]:
    def build(classes: bool, seed: int) -> Any:
        task = "Classifier" if classes else "Regressor"
        return getattr(ensemble, kind + task)(n_estimators=100, random_state=seed, n_jobs=1)

    return build


def histogram(classes: bool, seed: int) -> Any:
    kind = ensemble.HistGradientBoostingClassifier if classes else ensemble.HistGradientBoostingRegressor
    return kind(random_state=seed)


def lightgbm(classes: bool, seed: int) -> Any:
    return (LGBMClassifier if classes else LGBMRegressor)(random_state=seed, n_jobs=1, verbose=-1)


def xgboost(classes: bool, seed: int) -> Any:
    return (XGBClassifier if classes else XGBRegressor)(random_state=seed, n_jobs=1)


def catboost(classes: bool, seed: int) -> Any:
    kind = CatBoostClassifier if classes else CatBoostRegressor
    return kind(random_seed=seed, thread_count=1, verbose=False, allow_writing_files=False)


def tuned(build: Callable[[bool, int], Any], grid: dict[str, list[Any]]) -> Callable[[bool, int], Any]:
    """The best of a grid by three folds of the training rows."""

    def search(classes: bool, seed: int) -> Any:
        folds = (StratifiedKFold if classes else KFold)(3, shuffle=True, random_state=seed)
        score = "neg_log_loss" if classes else "neg_root_mean_squared_error"
        return GridSearchCV(build(classes, seed), grid, cv=folds, scoring=score)

    return search


HISTOGRAM_GRID = {"learning_rate": [0.05, 0.1], "max_leaf_nodes": [15, 31], "max_iter": [200, 500]}
LIGHTGBM_GRID = {"learning_rate": [0.03, 0.1], "num_leaves": [15, 31], "n_estimators": [200, 500]}


@dataclass
class Learner:
    build: Callable[[bool, int], Any]
    # Whether the seed has no effect, given the number of rows: then one run stands for all seeds of the same rows.
    is_fixed: Callable[[int], bool] = lambda _: False
    # The number of seeds at most.
    most: int = 10


LEARNERS = {
    "extra trees": Learner(forest("ExtraTrees")),
    "random forest": Learner(forest("RandomForest")),
    # It draws rows to stop early only above 10,000 rows.
    "HistGradientBoosting": Learner(histogram, is_fixed=lambda rows: rows <= 10_000),
    "LightGBM": Learner(lightgbm, is_fixed=lambda _: True),
    "XGBoost": Learner(xgboost, is_fixed=lambda _: True),
    "CatBoost": Learner(catboost),
    "HistGradientBoosting, tuned": Learner(tuned(histogram, HISTOGRAM_GRID), most=3),
    "LightGBM, tuned": Learner(tuned(lightgbm, LIGHTGBM_GRID), most=3),
}


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def score(model: Any, rows: Rows) -> tuple[dict[str, float], float]:
    features, truth = rows.test
    if not rows.classes:
        predictions, seconds = timed(lambda: model.predict(features))
        return {"rmse": float(np.sqrt(np.mean((predictions - truth) ** 2)))}, seconds
    probabilities, seconds = timed(lambda: model.predict_proba(features))
    assert np.array_equal(model.classes_, np.arange(probabilities.shape[1]))
    of_truth = probabilities[np.arange(len(truth)), truth.astype(int)]
    right = probabilities.argmax(axis=1) == truth
    return {"log_loss": float(-np.log(np.maximum(of_truth, FLOOR)).mean()), "accuracy": float(right.mean())}, seconds


def measure(learner: Learner, rows: Rows, seed: int) -> dict[str, float]:
    features, targets = rows.train
    targets = targets.astype(int) if rows.classes else targets
    model = learner.build(rows.classes, seed)
    _, learning = timed(lambda: model.fit(features, targets))
    values, predicting = score(model, rows)
    return values | {"learn_seconds": learning, "predict_seconds": predicting}


class Output:
    """The lines so far, and a file to which more are appended."""

    def __init__(self, path: Path) -> None:
        lines = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
        self.lines = {(line["panel"], line["series"], int(line["seed"])): line for line in lines}
        self.file = path.open("a", newline="", encoding="utf-8")
        self.writer = csv.DictWriter(self.file, COLUMNS, lineterminator="\n")
        if not lines:
            self.writer.writeheader()

    def add(self, key: tuple[str, str, int], values: dict[str, Any]) -> None:
        short = {name: f"{value:.6g}" if isinstance(value, float) else value for name, value in values.items()}
        self.lines[key] = dict(zip(COLUMNS, key, strict=False)) | short
        self.writer.writerow(self.lines[key])
        self.file.flush()


def run(folder: Path, output: Output, panel: str, series: str, seed: int) -> None:
    key = (panel, series, seed)
    learner, own = LEARNERS[series], folder / f"{panel}-{seed}"
    if key in output.lines or seed >= learner.most:
        return
    fixed = not Path(f"{own}.train.csv").exists()
    rows = read(f"{folder / panel}-0" if fixed else str(own))
    first = output.lines.get((panel, series, 0))
    if fixed and first and learner.is_fixed(len(rows.train[1])):
        output.add(key, {name: first[name] for name in COLUMNS[3:] if first.get(name)})
    else:
        output.add(key, measure(learner, rows, seed))


def main() -> None:
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path, help="the folder that `reproduce --rows` wrote")
    parser.add_argument("out", type=Path)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--panels", nargs="*", help="all by default")
    parser.add_argument("--learners", nargs="*", default=[name for name in LEARNERS if "tuned" not in name])
    args = parser.parse_args()
    found = sorted(path.name.removesuffix("-0.train.csv") for path in args.rows.glob("*-0.train.csv"))
    output = Output(args.out)
    for seed in range(args.seeds):
        for panel in args.panels or found:
            for series in args.learners:
                run(args.rows, output, panel, series, seed)
                print(seed, series, panel, file=sys.stderr)


if __name__ == "__main__":
    main()
