"""Every learner beside River's and scikit-learn's: processor seconds to learn and to predict the same rows, and quality, as tables.

    python python/benchmarks/learners.py > docs/results/python/learners.md

Classification uses scikit-learn's digits (1,797 rows of 64 features), regression Friedman's function (6,000 rows of 5 features); a random third is
predicted and not learned. 10 trees. There is one thread, so processor seconds are what an idle machine takes. Learners of
River see a row at a time, as dictionaries; the others all rows in one call.
"""

from __future__ import annotations

import os
import platform
import time
import warnings
from collections.abc import Callable, Iterator
from typing import Any

# Before numpy is loaded.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import numpy as np
import river.ensemble
import river.forest
import river.linear_model
import river.naive_bayes
import river.neighbors
import river.tree
from sklearn import ensemble, linear_model, naive_bayes, neighbors
from sklearn.datasets import load_digits, make_friedman1
from sklearn.model_selection import train_test_split

import online_forests
import online_forests.sklearn as forests

Split = list[Any]


def of_sklearn(task: str) -> Iterator[tuple[str, Any]]:
    forest = {"n_estimators": 10, "random_state": 0, "n_jobs": 1}
    if task == "Classifier":
        yield "SGDClassifier", linear_model.SGDClassifier(random_state=0)
        yield "GaussianNB", naive_bayes.GaussianNB()
        yield "KNeighborsClassifier", neighbors.KNeighborsClassifier()
        yield "RandomForestClassifier (all rows at once)", ensemble.RandomForestClassifier(**forest)
        yield "ExtraTreesClassifier (all rows at once)", ensemble.ExtraTreesClassifier(**forest)
    else:
        yield "SGDRegressor", linear_model.SGDRegressor(random_state=0)
        yield "KNeighborsRegressor", neighbors.KNeighborsRegressor()
        yield "RandomForestRegressor (all rows at once)", ensemble.RandomForestRegressor(**forest)
        yield "ExtraTreesRegressor (all rows at once)", ensemble.ExtraTreesRegressor(**forest)


def of_river(task: str) -> Iterator[tuple[str, Any]]:
    if task == "Classifier":
        yield "AMFClassifier", river.forest.AMFClassifier(n_estimators=10, seed=0)
        yield "ARFClassifier", river.forest.ARFClassifier(n_models=10, seed=0)
        yield "HoeffdingTreeClassifier", river.tree.HoeffdingTreeClassifier()
        yield "GaussianNB", river.naive_bayes.GaussianNB()
        yield "KNNClassifier", river.neighbors.KNNClassifier()
    else:
        yield "AMFRegressor", river.forest.AMFRegressor(n_estimators=10, seed=0)
        yield "ARFRegressor", river.forest.ARFRegressor(n_models=10, seed=0)
        yield "HoeffdingTreeRegressor", river.tree.HoeffdingTreeRegressor()
        yield "KNNRegressor", river.neighbors.KNNRegressor()


def ours(task: str) -> Iterator[tuple[str, Any]]:
    for name in forests.__all__:
        if name.endswith(task):
            yield name, getattr(forests, name)(n_jobs=1)


def at_once(model: Any, split: Split) -> tuple[float, float, Any]:
    train, test, labels, _ = split
    return timed(lambda: model.fit(train, labels), lambda: model.predict(test))


def row_by_row(model: Any, split: Split) -> tuple[float, float, Any]:
    train, test, labels, _ = split
    train, test = ([dict(enumerate(row)) for row in rows.tolist()] for rows in (train, test))
    labels = labels.tolist()

    def learn() -> None:
        for x, y in zip(train, labels, strict=True):
            model.learn_one(x, y)

    return timed(learn, lambda: [model.predict_one(x) for x in test])


def timed(learn: Callable[[], Any], prediction: Callable[[], Any]) -> tuple[float, float, Any]:
    start = time.process_time()
    learn()
    learned = time.process_time()
    predictions = np.asarray(prediction())
    return learned - start, time.process_time() - learned, predictions


def quality(task: str, predictions: Any, truth: Any) -> str:
    if task == "Classifier":
        return f"{np.mean(predictions == truth):.4f}"
    return f"{np.sqrt(np.mean((predictions - truth) ** 2)):.4f}"


def table(task: str, split: Split, heading: str) -> None:
    print(f"\n## {heading}\n")
    print(f"| library | learner | learning (s) | predicting (s) | {'accuracy' if task == 'Classifier' else 'RMSE'} |\n|---|---|---|---|---|")
    libraries = [("online-forests", ours, at_once), ("scikit-learn", of_sklearn, at_once), ("River", of_river, row_by_row)]
    for library, learners, run in libraries:
        for name, model in learners(task):
            learning, predicting, predictions = run(model, split)
            print(f"| {library} | `{name}` | {learning:.3f} | {predicting:.3f} | {quality(task, predictions, split[3])} |", flush=True)


def main() -> None:
    warnings.simplefilter("ignore")
    version = online_forests.__version__
    print("# Learners side by side\n")
    print("Processor seconds and quality on the same rows, with unscaled targets and the libraries' defaults, except that forests have 10 trees.")
    print("`python/benchmarks/learners.py` describes the data; this page is written by")
    print(f"`python python/benchmarks/learners.py`. online-forests {version}, Python {platform.python_version()}, one run, one thread.")
    x, y = load_digits(return_X_y=True)
    table("Classifier", train_test_split(x / 16, y, test_size=1 / 3, random_state=0), "Classification: digits")
    x, y = make_friedman1(6000, n_features=5, noise=1.0, random_state=0)
    table("Regressor", train_test_split(x, y, test_size=1 / 3, random_state=0), "Regression: Friedman's function")


if __name__ == "__main__":
    main()
