"""Threads of Python, processes, and what a failure in the middle leaves."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time

import numpy as np
import pytest
from conftest import FULL, data

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
    """Learns and answers rows one by one: with hundreds of trees, and where copies are built anew, threads share the work."""
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
