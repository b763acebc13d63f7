"""Memory: as the footprint says, and nothing leaks."""

from __future__ import annotations

import gc
import pickle

import pytest
from conftest import FULL, data

from online_forests import Classifier, Regressor
from online_forests._core import Columns, Labels


def resident() -> int:
    """Bytes of the process that are in memory."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * 4096


linux = pytest.mark.skipif(not __import__("os").path.exists("/proc/self/statm"), reason="only Linux tells")


@linux
def test_models_that_are_dropped_leave_nothing():
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
    make(10_000 if FULL else 1000)
    assert resident() - before < 8 << 20


@linux
def test_learning_from_dictionaries_takes_what_the_footprint_says():
    rows = 1_000_000 if FULL else 20_000
    forest, columns, labels = Classifier("mondrian:max_nodes=1000", 3), Columns(["a", "b", "c"]), Labels([])
    x, y = data(1000)
    samples = [({"a": a, "b": b, "c": c}, bool(target)) for (a, b, c), target in zip(x.tolist(), y, strict=True)]

    def learn(count):
        for number in range(count):
            features, label = samples[number % 1000]
            forest.learn_dict(features, label, columns, labels)
            forest.predict_dict(features, columns, labels)

    learn(5000)
    before, footprint = resident(), forest.footprint()["bytes"]
    learn(rows)
    grown = forest.footprint()["bytes"] - footprint
    assert forest.samples_seen == rows + 5000
    assert resident() - before < grown + (4 << 20)


@linux
def test_a_model_takes_what_its_footprint_says():
    x, y = data(50_000)
    before = resident()
    forest = Regressor("mondrian", 3, threads=1)
    forest.learn(x, y)
    taken, footprint = resident() - before, forest.footprint()["bytes"]
    assert 0.8 * footprint < taken < 1.3 * footprint + (8 << 20)
