"""Threads and processes of Python: readers see whole blocks with their names, and every row is learned once."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import threading
import time

import numpy as np
import pandas as pd
import pytest
from conftest import data

import online_forests.river as models
import online_forests.sklearn as forests
from online_forests import Regressor


def at_once(*works, again=True):
    """Runs works in threads, all but the first again until that one ends; failures of any are raised here."""
    failures, ended = [], threading.Event()

    def run(number, work):
        try:
            work()
            while again and number and not ended.is_set():
                work()
        except BaseException as failure:
            failures.append(failure)
        finally:
            if not number:
                ended.set()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_other_threads_predict_between_the_blocks_of_a_batch():
    x, y = data(20_000)
    forest, seen = Regressor("mondrian", 3, threads=1), []
    forest.learn(x[:10], y[:10])

    def predict():
        forest.predict(x[:5])
        seen.append(forest.samples_seen)

    def learn():
        # Until predictions were made within batches: on a busy machine, a thread may have to wait for long.
        end = time.monotonic() + 300
        while len({rows for rows in seen if (rows - 10) % len(x)}) <= 3:
            assert time.monotonic() < end, seen
            forest.learn(x, y)

    at_once(learn, predict)
    assert seen == sorted(seen)


def test_predictions_of_many_rows_are_of_one_moment():
    x, y = data(10_000)
    forest = forests.MondrianClassifier(n_estimators=3, random_state=0).fit(x[:100], y[:100])
    many, counts = np.tile(x[:1], (30_000, 1)), []

    def predict():
        predicted = forest.predict_proba(many)
        assert (predicted == predicted[0]).all()
        counts.append(len(predicted))

    at_once(
        lambda: [forest.partial_fit(x[at : at + 1000], y[at : at + 1000]) for at in range(0, 10_000, 1000)], predict
    )
    assert counts and set(counts) == {30_000}


def test_the_first_rows_of_four_threads_are_all_learned():
    x, y = data(2000)
    for _ in range(5):
        estimator, model = (
            forests.MondrianClassifier(n_estimators=10, random_state=0),
            models.MondrianClassifier(seed=0),
        )
        barrier = threading.Barrier(4)

        def learn(part, estimator=estimator, model=model, barrier=barrier):
            barrier.wait()
            estimator.partial_fit(x[part], y[part])
            model.learn_many(pd.DataFrame(x[part], columns=list("abc")), pd.Series(y[part]))

        at_once(*(lambda part=part: learn(part) for part in np.split(np.arange(2000), 4)), again=False)
        assert estimator.samples_seen_ == 2000 and model._core.samples_seen == 2000


def check(forest):
    """What belongs together is together: labels, classes and columns of what is learned."""
    core = forest._core
    assert len(core.known_labels) >= core.width == core.predict(np.zeros((1, core.features))).shape[1]
    assert len(core.columns) <= core.features and core.samples_seen >= 100


@pytest.mark.parametrize("library", ["sklearn", "river"])
def test_who_predicts_and_copies_while_classes_and_features_come_sees_what_belongs_together(library):
    x, y = data(100)
    frame = pd.DataFrame(x, columns=list("abc"))
    if library == "sklearn":
        forest = forests.MondrianClassifier(n_jobs=1).fit(frame, y)
    else:
        forest = models.MondrianClassifier(n_jobs=1)
        forest.learn_many(frame, pd.Series(y))

    def learn():
        for label in range(2, 40):
            labels = np.where(y == 1, label, 0)
            if library == "sklearn":
                forest.partial_fit(frame, labels)
            else:
                forest.learn_many(frame.assign(**{f"new{label}": 1.0}), pd.Series(labels))
                forest.learn_one({"a": 0.1, f"late{label}": 1.0}, f"text{label}")

    def predict():
        if library == "sklearn":
            np.testing.assert_allclose(forest.predict_proba(frame[:20]).sum(axis=1), 1)
            assert set(forest.predict(frame[:20])) <= set(range(40)) and (np.diff(forest.classes_) > 0).all()
        else:
            assert sum(forest.predict_proba_one({"a": 0.5, "b": 0.5}).values()) == pytest.approx(1)
            np.testing.assert_allclose(forest.predict_proba_many(frame[:5]).sum(axis=1), 1)
            forest.predict_one({"a": 0.5})

    def copied():
        for other in (pickle.loads(pickle.dumps(forest)), copy.deepcopy(forest), copy.copy(forest)):
            check(other)

    at_once(learn, predict, copied)
    if library == "sklearn":
        assert list(forest.classes_) == list(range(40))
    else:
        assert len(forest._core.columns) == 3 + 2 * 38 and len(forest._core.known_labels) == 2 + 2 * 38


def test_labels_that_two_threads_bring_are_classes_of_their_own():
    forest = forests.MondrianClassifier(n_jobs=1)
    barrier = threading.Barrier(2)

    def learn(side):
        for place in range(40):
            barrier.wait()
            forest.partial_fit(np.tile([[place, 100.0 * side]], (3, 1)), [f"{side}-{place}"] * 3)

    at_once(lambda: learn(0), lambda: learn(1), again=False)
    places = [(place, side) for place in range(40) for side in (0, 1)]
    predicted = forest.predict([[place, 100.0 * side] for place, side in places])
    assert list(predicted) == [f"{side}-{place}" for place, side in places] and len(forest.classes_) == 80


def test_labels_of_rows_to_come_give_way_to_those_of_another_thread():
    """Between two blocks of a batch whose last row has a new label, another label is learned."""
    x, y = data(3000)
    forest = forests.MondrianClassifier(n_jobs=1).fit(x[:100], np.where(y[:100] == 1, "b", "a"))
    labels = np.where(y == 1, "b", "a").astype(object)
    labels[-1] = "late"
    other = []

    def between_blocks(done, rows):
        if not other:
            other.append(
                threading.Thread(
                    target=lambda: forest._core.learn_named(np.full((50, 3), 9.0), [0] * 50, labels=("other",))
                )
            )
            other[0].start()
            other[0].join()

    forest._progress = lambda: between_blocks
    forest.partial_fit(x, labels)
    assert forest._core.known_labels == ("a", "b", "other", "late") and forest.samples_seen_ == 3150
    assert forest.predict([[9.0, 9.0, 9.0]]) == ["other"] and forest.predict(x[-1:]) == ["late"]
    assert forest.score(x[:-1], labels[:-1]) > 0.95


def test_neighbours_are_copied_and_asked_while_another_thread_adds_points():
    x, _ = data(2000)
    neighbors = forests.BoundaryNeighbors(n_neighbors=1).fit(x[:100])

    def ask():
        assert neighbors.kneighbors(x[:5])[1].shape == (5, 1)
        assert pickle.loads(pickle.dumps(neighbors)).n_samples_fit_ >= 100

    at_once(lambda: [neighbors.partial_fit(part) for part in np.split(x, 20)], ask, ask)
    assert neighbors.n_samples_fit_ == 2100


def learned(algorithm, trees):
    """Learns rows in a batch and one by one: threads share the work of hundreds of trees, and of copies built again."""
    x, y = data(1000)
    forest = Regressor(algorithm, 3, trees=trees, seed=1)
    forest.learn(x, y)
    for row in range(40):
        forest.learn(x[row : row + 1], y[row : row + 1])
    return forest.predict(x[:1]).tobytes() + forest.to_bytes()


def learned_in_child(queue, algorithm, trees):
    queue.put(learned(algorithm, trees))


@pytest.mark.parametrize("method", [method for method in ("fork", "spawn") if method == "spawn" or hasattr(os, "fork")])
@pytest.mark.parametrize(("algorithm", "trees"), [("mondrian", 600), ("adaptive", 10)])
def test_a_child_process_learns_the_same(method, algorithm, trees):
    here = learned(algorithm, trees)  # starts the threads that a forked child does not have
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=learned_in_child, args=(queue, algorithm, trees), daemon=True)
    child.start()
    try:
        assert queue.get(timeout=600) == here
    finally:
        child.kill()
