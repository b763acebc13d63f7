"""Learners that misbehave in a comparison: the record has the reason, and the others are measured."""

from __future__ import annotations

import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from comparing import Latest, outcome, pairs, rows, run

from online_forests.compare import Results

pytestmark = pytest.mark.usefixtures("in_own_folder")


class Broken:
    """Learns three rows, then does what `fault` does."""

    fault = staticmethod(lambda x: None)

    def __init__(self):
        self.seen = 0

    def learn_one(self, x, y):
        self.seen += 1

    def predict_proba_one(self, x):
        if self.seen == 0:
            return {}
        return self.fault(x) if self.seen > 3 else {"yes": 0.5, "no": 0.5}

    def predict_one(self, x):
        return "yes"


def broken(fault):
    return type("Faulty", (Broken,), {"fault": staticmethod(fault)})


def raises(x):
    raise KeyError("lost")


FAULTS = {
    "raises": (raises, "KeyError: 'lost' (test_compare_faults.py, line"),
    "none": (lambda x: None, "predict_proba_one returned None after 4 rows"),
    "empty": (lambda x: {}, "predict_proba_one returned {} after 4 rows"),
    "nan": (lambda x: {"yes": math.nan}, "a probability is not a finite number"),
    "infinite": (lambda x: {"yes": math.inf}, "a probability is not a finite number"),
    "negative": (lambda x: {"yes": -0.1, "no": 1.1}, "a probability is negative"),
    "zero": (lambda x: {"yes": 0.0}, "no class has a probability in row 4"),
    "unknown class": (lambda x: {"maybe": 1.0}, "'maybe' was predicted, which is not one of the classes ['no', 'yes']"),
    "unhashable class": (lambda x: {"yes": [1]}, "TypeError" if sys.version_info < (3,) else "Error"),
    "text": (lambda x: {"yes": "much"}, "could not convert string to float"),
    "exit": (lambda x: sys.exit(3), "SystemExit: 3"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_learner_that_misbehaves_is_a_record_with_the_reason(fault):
    results = run({"broken": broken(FAULTS[fault][0]), "no-change": "no-change"})
    outcomes = outcome(results)
    assert FAULTS[fault][1] in outcomes["broken"]
    assert outcomes["no-change"]["accuracy"] > 0


class Batches:
    """Learns nothing, in batches; `predict_proba` is the fault."""

    def partial_fit(self, X, y, classes):
        assert list(classes) == ["no", "yes"]
        self.partial_fit = lambda X, y: self
        return self

    def predict(self, X):
        return np.full(len(X), "no")


def with_shares(shares, **attributes):
    return type("Shares", (Batches,), {"predict_proba": lambda self, X: shares(X), **attributes})


def test_batches_that_misbehave_are_records_with_the_reason():
    learners = {
        "one row": with_shares(lambda X: np.array([[0.5, 0.5]])),
        "no array": with_shares(lambda X: None),
        "three classes": with_shares(lambda X: np.full((len(X), 3), 1 / 3)),
        "scalar": type("Scalar", (Batches,), {"predict": lambda self, X: "no"}),
        "unknown": with_shares(lambda X: np.full((len(X), 2), 0.5), classes_=np.array(["no", "perhaps"])),
        "good": with_shares(lambda X: np.full((len(X), 2), [0.75, 0.25])),
    }
    outcomes = outcome(run(learners, protocol="holdout"))
    assert "(1, 2) for 36 rows" in outcomes["one row"]
    assert "shape () for 36 rows" in outcomes["no array"] and "shape () for 36 rows" in outcomes["scalar"]
    assert "(36, 3) for 36 rows and 2 classes" in outcomes["three classes"]
    assert "'perhaps' was predicted" in outcomes["unknown"]
    assert outcomes["good"]["accuracy"] > 0


def test_classes_in_another_order_are_put_in_order():
    """A learner whose columns are reversed, and says so, is measured as one whose columns are in order."""
    learners = {
        "in order": with_shares(lambda X: np.full((len(X), 2), [0.75, 0.25])),
        "reversed": with_shares(lambda X: np.full((len(X), 2), [0.25, 0.75]), classes_=np.array(["yes", "no"])),
        "not said": with_shares(lambda X: np.full((len(X), 2), [0.25, 0.75])),
        "not to 1": with_shares(lambda X: np.full((len(X), 2), [3.0, 1.0])),
    }
    outcomes = outcome(run(learners, protocol="holdout"))
    assert outcomes["reversed"] == outcomes["in order"] == outcomes["not to 1"] != outcomes["not said"]


class Changes(Latest):
    """Changes what it is given."""

    def learn_one(self, x, y):
        super().learn_one(x, y)
        x.clear()

    def predict_one(self, x):
        x["a"] = x["new"] = math.nan
        return self.label


def test_a_learner_that_changes_its_input_changes_nothing_else():
    x, y = rows()
    data, before = [("mine", x, y), ("pairs", iter(pairs()))], x.copy()
    outcomes = run({"changes": Changes, "amf": "amf"}, data=data).records
    alone = run({"amf": "amf"}).records[0]
    assert np.array_equal(x, before)
    assert next(run for run in outcomes if run["label"] == "amf")["metrics"] == alone["metrics"]


class Slow(Latest):
    def predict_one(self, x):
        time.sleep(3600)


class Busy(Latest):
    def predict_one(self, x):
        while True:
            try:
                time.sleep(0)
            except Exception:
                continue


def test_a_learner_that_hangs_is_stopped_at_the_limit():
    outcomes = outcome(run({"slow": Slow, "busy": Busy, "no-change": "no-change"}, time_limit=3))
    assert outcomes["slow"] == outcomes["busy"] == "stopped: the run took more than the time limit (3 s)"
    assert outcomes["no-change"]["accuracy"] > 0
    assert signal.getsignal(signal.SIGALRM) == signal.SIG_DFL


class Forks(Latest):
    """Forks once; the child continues as if it were the process that compares."""

    forked = False

    def predict_one(self, x):
        if not self.forked:
            self.forked = True
            child = os.fork()
            if child:
                os.waitpid(child, 0)
        return self.label


def test_a_child_that_a_learner_forks_writes_no_record():
    results = run({"forks": Forks, "no-change": "no-change"}, data=[("mine", *rows(30))])
    assert [record["label"] for record in results.records] == ["forks", "no-change"]


KILLED = """
import os
from online_forests.compare import compare
class Kills:
    def learn_one(self, x, y): pass
    def predict_one(self, x): os._exit(7)
learners = {"no-change": "no-change", "kills": Kills}
compare(learners, data=["sea:n=100"], protocol="prequential", seeds=1, out="out", progress=False)
"""


def test_what_was_measured_before_the_process_is_killed_is_kept_and_resumed():
    assert subprocess.run([sys.executable, "-c", KILLED]).returncode == 7
    (record,) = Results("out").records
    assert record["label"] == "no-change"
    options = {"data": ["sea:n=100"], "out": "out"}
    with pytest.raises(ValueError, match="has 1 runs already; resume it"):
        run({"no-change": "no-change"}, **options)
    results = run({"no-change": "no-change", "kills": Latest}, resume=True, **options)
    assert results.records[0] == record and results.records[1]["label"] == "kills"


class Interrupted(Latest):
    def predict_one(self, x):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(300)


def test_ctrl_c_leaves_the_records_and_the_page():
    with pytest.raises(KeyboardInterrupt):
        run({"no-change": "no-change", "interrupted": Interrupted, "mean": "majority"}, out="out")
    assert [record["label"] for record in Results("out").records] == ["no-change"]
    assert not json.loads(pathlib.Path("out/index.json").read_text())["complete"]
    results = run({"no-change": "no-change", "interrupted": Latest, "mean": "majority"}, out="out", resume=True)
    assert [record["label"] for record in results.records] == ["no-change", "interrupted", "mean"]
    assert json.loads(pathlib.Path("out/index.json").read_text())["complete"]


INTERRUPTED = """
from online_forests.compare import compare
print("begin", flush=True)
compare({"amf": "amf"}, data=["friedman:n=200000"], protocol="prequential", seeds=1, out="out", progress=False)
"""


def test_ctrl_c_ends_learners_of_rust():
    child = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert child.stdout.readline() == "begin\n"
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=300)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"


def test_a_function_that_raises_is_a_record_and_a_value_that_cannot_learn_an_error():
    def fails(seed):
        raise RuntimeError(f"no learner for seed {seed}")

    outcomes = outcome(run({"fails": fails, "no-change": "no-change"}))
    assert outcomes["fails"].startswith("RuntimeError: no learner for seed 0")
    with pytest.raises(TypeError, match="'wrong' is int, which has neither learn_one"):
        run({"wrong": 3})
    with pytest.raises(ValueError, match="did you mean `mondrian`"):
        run({"mondrain": "mondrain"})
    with pytest.raises(ValueError, match="protocol must be one of"):
        run(["amf"], protocol="prequental")
    with pytest.raises(ValueError, match=r'scale must be one of "none", "minmax"'):
        run(["amf"], scale="max")
