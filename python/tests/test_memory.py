"""Memory: as the footprint says, and nothing leaks.

Each is measured in a process of its own: what other tests have freed is taken again before any page is new.
"""

from __future__ import annotations

import gc
import multiprocessing
import pathlib
import pickle
from collections.abc import Callable

import pytest
from conftest import FULL, data

from online_forests import Classifier, Regressor


def resident() -> int:
    """Bytes of the process that are in memory."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


def alone(measure: Callable[..., tuple[int, int]], *arguments: int) -> tuple[int, int]:
    """Bytes taken, and those that the footprint reports, in a process that has done nothing else."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, arguments)


linux = pytest.mark.skipif(not pathlib.Path("/proc/self/statm").exists(), reason="only Linux reports it")


def models_made_and_dropped(models: int) -> tuple[int, int]:
    x, y = data(50)

    def make(models):
        for _ in range(models):
            forest = Classifier("mondrian", 3)
            forest.learn(x, y)
            forest.learn(x, y, x[:, 0] + 0.5)
            forest.predict(x)
            pickle.loads(pickle.dumps(forest))
            with pytest.raises(ValueError):
                forest.learn(x[:, :1], y)

    make(200)
    before = resident()
    make(models)
    return resident() - before, 0


@linux
def test_models_that_are_dropped_leave_nothing():
    taken, _ = alone(models_made_and_dropped, 10_000 if FULL else 1000)
    assert taken < 8 << 20


def dictionaries_learned(rows: int) -> tuple[int, int]:
    forest = Classifier("mondrian:max_nodes=1000", 3, labels=(), columns=("a", "b", "c"))
    x, y = data(1000)
    samples = [({"a": a, "b": b, "c": c}, bool(target)) for (a, b, c), target in zip(x.tolist(), y, strict=True)]

    def learn(count):
        for number in range(count):
            features, label = samples[number % 1000]
            forest.learn_dict(features, label)
            forest.predict_dict(features)

    learn(5000)
    before, footprint = resident(), forest.footprint()["bytes"]
    learn(rows)
    assert forest.samples_seen == rows + 5000
    return resident() - before, forest.footprint()["bytes"] - footprint


@linux
def test_learning_from_dictionaries_takes_what_the_footprint_says():
    taken, footprint = alone(dictionaries_learned, 1_000_000 if FULL else 20_000)
    assert taken < footprint + (4 << 20)


def a_model_learned(rows: int) -> tuple[int, int]:
    x, y = data(rows)
    before = resident()
    forest = Regressor("mondrian", 3, threads=1)
    forest.learn(x, y)
    return resident() - before, forest.footprint()["bytes"]


@linux
def test_a_model_takes_what_its_footprint_says():
    taken, footprint = alone(a_model_learned, 50_000)
    assert 0.8 * footprint < taken < 1.3 * footprint + (8 << 20)
