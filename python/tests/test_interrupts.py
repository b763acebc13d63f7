"""Ctrl-C while rows are learned: in a process of its own, which gets a real signal."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import FULL

from online_forests._around import reporter
from online_forests.sklearn import MondrianClassifier, MondrianRegressor

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are sent to a process")

PRELUDE = """
import pickle, sys, threading, time
import numpy as np, pandas as pd
from online_forests import Regressor
from online_forests.sklearn import BoundaryNeighbors, MondrianClassifier, MondrianRegressor
from online_forests import river

x = np.random.default_rng(0).random((1_000_000, 10), dtype=np.float32)
y = np.where(x[:, 0] > 0.5, "high", "low")
z = x[:, 0].astype(np.float64)
frame = pd.DataFrame(x, columns=list("abcdefghij"))

def is_positive(count):
    try:
        return count() > 0
    except AttributeError:
        return False
"""
EPILOGUE = """
def watch():
    while not begun():
        time.sleep(0.01)
    print("learning", flush=True)


try:
    threading.Thread(target=watch, daemon=True).start()
    learn()
    print("ended")
except KeyboardInterrupt:
    print("stopped", time.monotonic(), flush=True)
"""


def interrupted(setup: str, learn: str, after: str, begun: str = "True", wait: float = 0.5) -> tuple[float, list[str]]:
    """How long after Ctrl-C learning stopped, and what the process prints then. Ctrl-C comes a while after `begun`."""
    source = PRELUDE + setup + f"\ndef learn():\n    {learn}\ndef begun():\n    return {begun}\n" + EPILOGUE + after
    child = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "learning\n"
        time.sleep(wait)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        word, stopped = child.stdout.readline().split()
        assert word == "stopped"
        said = child.stdout.read().splitlines()
        assert child.wait(timeout=300) == 0
    finally:
        child.kill()
    return float(stopped) - sent, said


# The test's own machine may be busy; an idle one stops within a fifth of a second. To learn all rows takes minutes.
WITHIN = 5.0 if FULL else 30.0


def first_rows(rows):
    x = np.random.default_rng(0).random((1_000_000, 10), dtype=np.float32)[:rows]
    return x, np.where(x[:, 0] > 0.5, "high", "low"), x[:, 0].astype(np.float64)


def test_a_fit_of_a_classifier_stops_and_keeps_whole_blocks():
    took, said = interrupted(
        "forest = MondrianClassifier(n_jobs=1, random_state=0)\nblocks = []\n"
        "forest._progress = lambda: lambda done, rows: blocks.append(done)",
        "forest.fit(frame, y)",
        "import hashlib\n"
        "print(forest.samples_seen_, *forest.classes_, *forest.feature_names_in_)\n"
        "print(hashlib.sha256(forest._core.to_bytes()).hexdigest())\n"
        "print(float(np.abs(forest.predict_proba(frame[:50]).sum(axis=1) - 1).max()))",
        begun="blocks",
    )
    seen, *names = said[0].split()
    x, y, _ = first_rows(int(seen))
    assert took < WITHIN and 0 < int(seen) < 1_000_000 and names == ["high", "low", *"abcdefghij"]
    whole = MondrianClassifier(random_state=0).fit(x, y)
    assert said[1] == hashlib.sha256(whole._core.to_bytes()).hexdigest()
    assert float(said[2]) < 1e-12


@pytest.mark.parametrize(
    ("setup", "learn", "count"),
    [
        (
            "forest = MondrianRegressor(n_jobs=1).fit(x[:100], z[:100])",
            "forest.partial_fit(x, z)",
            "forest.samples_seen_",
        ),
        ("forest = MondrianRegressor(n_jobs=1)", "forest.partial_fit(x, z)", "forest.samples_seen_"),
        (
            "forest = river.MondrianRegressor(n_jobs=1)",
            "forest.learn_many(frame, pd.Series(z))",
            "forest._core.samples_seen",
        ),
        ("forest = Regressor('mondrian', 10, threads=1)", "forest.learn(x, z)", "forest.samples_seen"),
        ("forest = Regressor('mondrian', 10)", "forest.learn(x, z, np.full(len(z), 2.0))", "forest.samples_seen"),
        ("forest = BoundaryNeighbors()", "forest.partial_fit(x)", "forest.n_samples_fit_"),
    ],
    ids=["later rows", "first rows", "River", "core", "weights", "neighbours"],
)
def test_whatever_learns_stops_and_says_how_many_rows_it_has(setup, learn, count):
    took, [seen] = interrupted(setup, learn, f"print({count})", begun=f"is_positive(lambda: {count})")
    assert took < WITHIN and 0 < int(seen) < 1_000_000


@pytest.mark.parametrize("method", ["predict", "predict_proba", "apply"])
def test_predictions_of_many_rows_stop(method):
    took, said = interrupted(
        "forest = MondrianClassifier(n_estimators=30, n_jobs=1, random_state=0).fit(x[:3000], y[:3000])\n"
        "many = np.concatenate([x] * 3)",
        f"forest.{method}(many)",
        "print(forest.samples_seen_)",
    )
    assert took < WITHIN and said == ["3000"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("again", [False, True], ids=["first", "again"])
def test_trees_that_are_built_at_once_stop_in_the_middle(jobs, again):
    took, said = interrupted(
        f"""
from online_forests.sklearn import DynamicExtraTreesClassifier
forest = DynamicExtraTreesClassifier(n_estimators=20, n_jobs={jobs}, random_state=0)
bits = lambda: forest._core.to_bytes() if hasattr(forest, "classes_") else None
if {again}:
    forest.fit(x[:500], y[:500])
before = bits()
""",
        "forest.fit(frame, np.where(x[:, 1] > 0.5, 'a', 'b'))",
        "print(bits() == before)\nprint(*forest.fit(x[:500], y[:500]).classes_)",
        wait=2.0,
    )
    assert took < WITHIN and said == ["True", "high low"]


@pytest.mark.parametrize("library", ["sklearn", "river"])
def test_labels_and_rows_of_an_interrupted_batch_belong_together(library):
    forest = (
        "MondrianClassifier(n_jobs=1).fit" if library == "sklearn" else "river.MondrianClassifier(n_jobs=1).learn_many"
    )
    teach, many = ("partial_fit", "") if library == "sklearn" else ("learn_many", "_many")
    took, said = interrupted(
        f"forest = {forest.rpartition('.')[0]}\nforest.{forest.rpartition('.')[2]}(frame[:100], pd.Series(y[:100]))\n"
        "names = pd.Series(np.where(x[:, 0] > 0.5, 'new', 'low'))\nnames.iloc[-1] = 'zebra'",
        f"forest.{teach}(frame, names)",
        "other = pickle.loads(pickle.dumps(forest))\n"
        f"sums = np.asarray(forest.predict_proba{many}(frame[:200])).sum(axis=1)\n"
        "print(len(forest._core.known_labels), forest._core.width, float(abs(sums - 1).max()))\n"
        f"forest.{teach}(frame[:200], pd.Series(['last'] * 200))\n"
        "print(*forest._core.known_labels)\n"
        f"right = (np.asarray(forest.predict{many}(frame[200:2000])) == 'new') == (x[200:2000, 0] > 0.5)\n"
        "print(right.mean())\n"
        "print(len(other._core.known_labels))",
        begun="forest._core.samples_seen > 100",
    )
    labels, width, apart = said[0].split()
    assert took < WITHIN and labels == width == said[3] == "3" and float(apart) < 1e-12
    assert (
        sorted(said[1].split()) == ["high", "last", "low", "new"] and said[1].endswith("last") and float(said[2]) > 0.6
    )


def test_a_signal_handler_may_do_anything_with_the_learner(tmp_path):
    """It runs between two blocks, when the learner has whole blocks and nobody holds its lock."""
    took, said = interrupted(
        f"""
import signal
forest = MondrianRegressor(n_jobs=1)
def handle(*_):
    before = forest.samples_seen_
    forest._core.predict(x[:2]); pickle.dumps(forest); forest.save({str(tmp_path / "forest")!r})
    forest.partial_fit(x[:10], z[:10])
    seen.append(forest.samples_seen_ - before)
    raise KeyboardInterrupt
seen = []
signal.signal(signal.SIGINT, handle)
""",
        "forest.partial_fit(x, z)",
        "print(seen)",
        begun="hasattr(forest, 'samples_seen_')",
    )
    assert took < WITHIN and said == ["[10]"] and (tmp_path / "forest").exists()


def test_blocks_are_the_bits_of_one_row_after_another():
    x, _, z = first_rows(3000)
    once, single = MondrianRegressor(random_state=0), MondrianRegressor(random_state=0)
    once.fit(x, z)
    for row in range(len(x)):
        single.partial_fit(x[row : row + 1], z[row : row + 1])
    assert once._core.to_bytes() == single._core.to_bytes()


def test_a_long_fit_reports_its_progress(capfd):
    x, y, z = first_rows(2000)
    reported = []
    core = MondrianRegressor(random_state=0)._new_core(10)
    core.learn_named(x, z, progress=lambda done, rows: reported.append((done, rows)))
    assert reported[-1] == (2000, 2000) and reported == sorted(set(reported)) and len(reported) > 1
    report = reporter("Forest", every=0.0)
    report(64, 2000)
    assert capfd.readouterr().err == "[Forest] 64 of 2000 rows learned\n"
    MondrianClassifier(verbose=0).fit(x, y)
    assert capfd.readouterr().err == ""
    with pytest.raises(ZeroDivisionError):
        core.learn_named(x, z, progress=lambda done, rows: 1 / (rows - done))
    assert core.samples_seen == 4000
