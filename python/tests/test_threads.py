"""Threads of Python, processes, and what a failure in the middle leaves."""

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
from conftest import FULL, data

import online_forests.river as river_forests
import online_forests.sklearn as sklearn_forests
from online_forests import Classifier, Regressor


def test_other_threads_run_while_a_batch_is_learned():
    x, y = data(60_000 if FULL else 20_000)
    forest = Regressor("mondrian", 3, threads=1)
    counted, learning = 0, True

    def learn():
        nonlocal learning
        forest.learn(x, y)
        learning = False

    thread = threading.Thread(target=learn)
    thread.start()
    while learning:
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 10


def test_threads_that_share_a_learner_wait_for_each_other():
    x, y = data(2000)
    forest = Classifier("mondrian", 3, classes=2, threads=1)

    def learn(part):
        for start in range(0, len(part), 10):
            forest.learn(x[part[start : start + 10]], y[part[start : start + 10]])
            forest.predict(x[:1])

    threads = [threading.Thread(target=learn, args=(part,)) for part in np.split(np.arange(2000), 4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert forest.samples_seen == 2000
    assert forest.from_bytes(forest.to_bytes()).samples_seen == 2000


def at_once(*works):
    """Runs works in threads, all but the first again until that one ends; failures of any are raised here."""
    failures, ended = [], threading.Event()

    def run(work, again):
        try:
            work()
            while again and not ended.is_set():
                work()
        except BaseException as failure:
            failures.append(failure)
        finally:
            if not again:
                ended.set()

    threads = [threading.Thread(target=run, args=(work, number > 0)) for number, work in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def test_the_first_rows_of_four_threads_are_all_learned():
    x, y = data(2000)
    for _ in range(5):
        estimator, model = sklearn_forests.MondrianClassifier(n_estimators=10, random_state=0), river_forests.MondrianClassifier(seed=0)
        barrier = threading.Barrier(4)

        def learn(part, estimator=estimator, model=model, barrier=barrier):
            barrier.wait()
            estimator.partial_fit(x[part], y[part])
            model.learn_many(pd.DataFrame(x[part], columns=list("abc")), pd.Series(y[part]))

        threads = [threading.Thread(target=learn, args=(part,)) for part in np.split(np.arange(2000), 4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert estimator.samples_seen_ == 2000 and model._core.samples_seen == 2000


def test_who_predicts_while_classes_come_sees_all_labels():
    x, y = data(400)
    estimator = sklearn_forests.MondrianClassifier(n_jobs=1).fit(x, y)

    def learn():
        for label in range(2, 60):
            estimator.partial_fit(x, np.where(y == 1, label, 0))

    def predict():
        probabilities = estimator.predict_proba(x[:20])
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        assert probabilities.shape[1] <= len(estimator.classes_)
        assert (np.diff(estimator.classes_) > 0).all()
        assert set(estimator.predict(x[:20])) <= set(range(60))

    at_once(learn, predict, predict)
    assert list(estimator.classes_) == list(range(60)) and estimator.score(x[y == 0], y[y == 0]) > 0.9


def test_who_predicts_in_river_while_classes_and_features_come_sees_all_of_them():
    x, y = data(100)
    model = river_forests.MondrianClassifier(n_jobs=1)
    frame = pd.DataFrame(x, columns=list("abc"))
    model.learn_many(frame, pd.Series(y))

    def learn():
        for label in range(2, 60):
            model.learn_many(frame.assign(**{f"new{label}": 1.0}), pd.Series(np.where(y == 1, label, 0)))
            model.learn_one({"a": 0.1, f"late{label}": 1.0}, f"text{label}")

    def predict():
        assert sum(model.predict_proba_one({"a": 0.5, "b": 0.5}).values()) == pytest.approx(1)
        np.testing.assert_allclose(model.predict_proba_many(frame[:5]).sum(axis=1), 1)
        model.predict_one({"a": 0.5})
        model.predict_many(frame[:5])

    at_once(learn, predict, predict)
    assert len(model._core.columns) == 3 + 2 * 58 and len(model._core.known_labels) == 2 + 2 * 58


def test_a_batch_is_not_mixed_with_that_of_another_thread():
    x, y = data(300)
    estimator = sklearn_forests.MondrianRegressor(n_jobs=1).fit(x, y)
    others = []

    def between_blocks(done, rows):
        if not others:
            others.append(threading.Thread(target=lambda: estimator._core.learn(x[:1], y[:1])))
            others[0].start()
        others[0].join(0.1)
        assert others[0].is_alive() and estimator.samples_seen_ == 300 + done

    estimator._progress = lambda: between_blocks
    estimator.partial_fit(x, y)
    others[0].join()
    assert estimator.samples_seen_ == 601


def test_labels_that_two_threads_bring_are_two_classes():
    estimator = sklearn_forests.MondrianClassifier(n_jobs=1)
    barrier = threading.Barrier(2)

    def learn(side):
        for place in range(40):
            barrier.wait()
            estimator.partial_fit(np.tile([[place, 100.0 * side]], (3, 1)), [f"{side}-{place}"] * 3)

    threads = [threading.Thread(target=learn, args=(side,)) for side in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    places = [(place, side) for place in range(40) for side in (0, 1)]
    predicted = estimator.predict([[place, 100.0 * side] for place, side in places])
    assert list(predicted) == [f"{side}-{place}" for place, side in places] and len(estimator.classes_) == 80


@pytest.mark.parametrize("library", ["sklearn", "river"])
def test_copies_are_made_while_another_thread_learns(library):
    x, y = data(400)
    forest = sklearn_forests.AMFClassifier(n_estimators=10, random_state=0) if library == "sklearn" else river_forests.AMFClassifier(seed=0)
    frame, teach = pd.DataFrame(x, columns=list("abc")), "partial_fit" if library == "sklearn" else "learn_many"
    getattr(forest, teach)(frame, pd.Series(y))

    def learn():
        for label in range(2, 30):
            getattr(forest, teach)(frame, pd.Series(np.where(y == 1, label, 0)))

    def check(other):
        classes = other._core.known_labels
        assert len(classes) == other._core.width == other._core.predict(x[:1]).shape[1]
        assert other._core.samples_seen >= 400

    def copied():
        check(pickle.loads(pickle.dumps(forest)))
        check(copy.deepcopy(forest))
        check(copy.copy(forest))
        if library == "river":
            forest.clone(include_attributes=True)
            forest.predict_one({"a": 0.5})

    at_once(learn, copied, copied)


def test_neighbours_are_copied_and_asked_while_another_thread_adds_points():
    x, _ = data(2000)
    neighbors = sklearn_forests.BoundaryNeighbors(n_neighbors=1).fit(x[:100])

    def ask():
        assert neighbors.kneighbors(x[:5])[1].shape == (5, 1)
        assert pickle.loads(pickle.dumps(neighbors)).n_samples_fit_ >= 100
        copy.deepcopy(neighbors)

    at_once(lambda: [neighbors.partial_fit(part) for part in np.split(x, 20)], ask, ask)
    assert neighbors.n_samples_fit_ == 2100


def learn_in_child(queue):
    x, y = data(2000)
    forest = Regressor("mondrian", 3, seed=1)
    forest.learn(x, y)
    queue.put(forest.to_bytes())


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_a_child_process_learns_the_same(method):
    x, y = data(2000)
    forest = Regressor("mondrian", 3, seed=1)
    forest.learn(x, y)  # starts the threads that a forked child does not have
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=learn_in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == forest.to_bytes()
    child.join()


def single_rows(algorithm, trees):
    """Learns and predicts rows one by one: with hundreds of trees, and where copies are built again, threads share the work."""
    x, y = data(80)
    forest = Regressor(algorithm, 3, trees=trees, seed=1)
    for row in range(80):
        forest.learn(x[row : row + 1], y[row : row + 1])
    return forest.predict(x[:1]).tobytes() + forest.to_bytes()


def single_rows_in_child(queue, algorithm, trees):
    queue.put(single_rows(algorithm, trees))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork processes")
@pytest.mark.parametrize(("algorithm", "trees"), [("mondrian", 600), ("adaptive", 10)])
def test_a_forked_child_is_asked_single_rows(algorithm, trees):
    here = single_rows(algorithm, trees)  # starts the threads that a forked child does not have
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    child = context.Process(target=single_rows_in_child, args=(queue, algorithm, trees), daemon=True)
    child.start()
    try:
        assert queue.get(timeout=60) == here
    finally:
        child.kill()


@pytest.mark.skipif(not FULL, reason="it measures time: FOREST_PYTHON_FULL=1")
def test_two_forests_are_learned_at_once_in_six_tenths_of_the_time():
    x, y = data(16_000)

    def learn():
        Regressor("mondrian", 3, threads=1).learn(x, y)

    def at_once():
        threads = [threading.Thread(target=learn) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def one_after_the_other():
        learn()
        learn()

    def best(work):
        times = []
        for _ in range(5):
            start = time.perf_counter()
            work()
            times.append(time.perf_counter() - start)
        return min(times)

    assert best(at_once) <= 0.6 * best(one_after_the_other)
