"""Comparisons from Python: records, data, learners of other libraries and of one's own, and learners that misbehave."""

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
from conftest import FULL

from online_forests.compare import Results, compare

ROOT = pathlib.Path(__file__).parents[2]


def rows(n: int = 120):
    """Rows of two features whose sum decides between "no" and "yes"."""
    x = np.random.default_rng(5).random((n, 2))
    return x, np.where(x.sum(axis=1) > 1, "yes", "no")


def pairs(n: int = 120):
    x, y = rows(n)
    return [({"a": a, "b": b}, label) for (a, b), label in zip(x.tolist(), y.tolist(), strict=True)]


class Latest:
    """Predicts the class of the row before."""

    label = None

    def learn_one(self, x, y):
        self.label = y

    def predict_one(self, x):
        return self.label


def run(learners, data=None, **options):
    options = {"protocol": "prequential", "seeds": 1, "progress": False} | options
    return compare(learners, [("mine", *rows())] if data is None else data, **options)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Comparisons without `out` write here."""
    monkeypatch.chdir(tmp_path)


def outcome(results: Results) -> dict:
    """The metrics or the error of each learner."""
    return {record["label"]: record.get("error", record.get("metrics")) for record in results.records}


def test_a_learner_of_ten_lines_is_measured_like_ours():
    results = run({"latest": Latest, "no-change": "no-change", "amf": "amf"}, seeds=2)
    by_label = {(run["label"], run["seed"]): run for run in results.records}
    assert len(by_label) == 6
    latest, ours = by_label["latest", 0], by_label["no-change", 0]
    assert latest["metrics"]["accuracy"] == ours["metrics"]["accuracy"]
    assert latest["curve"]["windowed"] == ours["curve"]["windowed"]
    assert latest["learn_seconds"] >= 0 and latest["model_bytes"] > 0
    assert by_label["amf", 0]["trees"] == 10
    assert "latest" in repr(results) and (results.folder / "report.html").is_file()
    frame = results.to_frame()
    assert len(frame) == 6 and set(frame["label"]) == {"latest", "no-change", "amf"}
    assert results.report()._repr_html_().startswith("<iframe")


def test_frames_are_those_of_the_library_that_is_asked_for():
    results = run({"no-change": "no-change"})
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
        assert type(results.to_frame(library)).__module__.split(".")[0] == library


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
    "raises": (raises, "KeyError: 'lost' (test_compare.py, line"),
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
        time.sleep(60)


class Busy(Latest):
    def predict_one(self, x):
        while True:
            try:
                time.sleep(0)
            except Exception:
                continue


def test_a_learner_that_hangs_is_stopped_at_the_limit():
    begin = time.monotonic()
    outcomes = outcome(run({"slow": Slow, "busy": Busy, "no-change": "no-change"}, time_limit=0.5))
    assert time.monotonic() - begin < 20
    assert outcomes["slow"] == outcomes["busy"] == "stopped: the run took more than the time limit (0.5 s)"
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
compare({"no-change": "no-change", "kills": Kills}, data=["sea:n=100"], protocol="prequential", seeds=1, out="out", progress=False)
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
        time.sleep(10)


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
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "begin\n"
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    _, errors = child.communicate(timeout=120)
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


def test_seeds_reach_functions_and_objects_are_copied():
    seeds = []

    def learner(seed):
        seeds.append(seed)
        return Latest()

    one = Latest()
    results = run({"function": learner, "object": one}, seeds=3)
    assert seeds == [0, 0, 1, 2] and one.label is None
    accuracies = [run["metrics"]["accuracy"] for run in results.records]
    assert len(set(accuracies)) == 1


def test_names_of_ours_may_have_other_labels_and_are_resumed_by_them():
    learners = {"small": "mondrian:budget=2", "mondrian": "mondrian"}
    results = run(learners, out="out")
    assert [run["label"] for run in results.records] == ["small", "mondrian"]
    assert results.records[0]["params"]["budget"] == 2
    assert len(run(learners, out="out", resume=True).records) == 2


class Features(Latest):
    """Predicts by the features it sees."""

    def predict_one(self, x):
        assert list(x) == ["a", "b"] and all(type(value) is float for value in x.values())
        return "yes" if sum(x.values()) > 1 else "no"


def test_data_are_arrays_frames_and_pairs():
    import pandas as pd
    import polars as pl

    x, y = rows()
    table = {"a": x[:, 0], "b": x[:, 1]}
    data = [
        ("pandas", pd.DataFrame(table), pd.Series(y)),
        ("polars", pl.DataFrame(table), pl.Series(y.tolist())),
        ("pairs", pairs()),
    ]
    records = run({"features": Features}, data=data, scale="none").records
    assert [run["dataset"] for run in records] == ["pandas", "polars", "pairs"]
    assert [run["metrics"]["accuracy"] for run in records] == [1.0] * 3
    assert len({run["rows_sha256"] for run in records}) == 1


class Numbers:
    def learn_one(self, x, y):
        assert isinstance(y, float)
        self.latest = y

    def predict_one(self, x):
        return getattr(self, "latest", None)


def test_numbers_texts_and_missing_values():
    x, _ = rows(60)
    records = run({"numbers": Numbers, "no-change": "no-change"}, data=[("mine", x, x[:, 0])]).records
    assert records[0]["metrics"]["rmse"] == pytest.approx(records[1]["metrics"]["rmse"], rel=1e-12)
    colours = [({"colour": "red" if i % 2 else "blue", "size": float(i)}, i % 2) for i in range(60)]
    seen = []
    run({"mine": type("Sees", (Latest,), {"learn_one": lambda self, x, y: seen.append((x, y))})()}, data=[("colours", colours)], scale="none")
    assert seen[1] == ({"colour=blue": 0.0, "colour=red": 1.0, "size": 1.0}, 1)
    x[3, 0] = math.nan
    missing = []
    learner = type("Missing", (Numbers,), {"learn_one": lambda self, x, y: missing.append(math.isnan(x["x1"]))})
    outcomes = outcome(run({"mine": learner, "mean": "mean"}, data=[("missing", x, x[:, 1])], scale="none"))
    assert "NaN is not a finite number" in outcomes["mean"]
    assert "None after 1 rows" in outcomes["mine"]
    assert missing[3] if len(missing) > 3 else True


def test_what_is_wrong_with_data_is_said():
    x, y = rows()
    with pytest.raises(ValueError, match="119 targets for 120 rows"):
        run(["amf"], data=[("mine", x, y[1:])])
    with pytest.raises(ValueError, match="1 dimensions"):
        run(["amf"], data=[("mine", x[:, 0], y)])
    with pytest.raises(ValueError, match="does not fit float32"):
        run(["amf"], data=[("mine", x * 1e300, y)])
    with pytest.raises(ValueError, match="the target is the same in every row"):
        run(["amf"], data=[("mine", x, np.full(len(y), "yes"))])
    with pytest.raises(ValueError, match="unknown data set `lettre`"):
        run(["amf"], data=["lettre"])


class Nothing:
    def learn_one(self, x, y):
        pass

    def predict_one(self, x):
        return 0.0


class NothingInBatches:
    def partial_fit(self, X, y):
        pass

    def predict(self, X):
        return np.zeros(len(X))


def test_the_clock_has_little_but_the_learner():
    """Processor time, so other programs count for little; the documented bounds hold on an idle machine."""
    results = run({"one": Nothing, "batches": NothingInBatches}, data=["friedman:n=20000,test=10000"], protocol="holdout")
    one, batches = ({key: run[key] for key in ("learn_seconds", "predict_seconds")} for run in results.records)
    micros = {"one": 1e6 * one["learn_seconds"] / 20_000, "batches": 1e6 * batches["learn_seconds"] / 20_000}
    micros["predict batches"] = 1e6 * batches["predict_seconds"] / 10_000
    assert micros["one"] < 3 and micros["batches"] < 1 and micros["predict batches"] < 1, micros


def program() -> list[str]:
    """The command of the workspace, if it is built."""
    for profile in ("release", "debug"):
        path = ROOT / "target" / profile / "xtask"
        if path.is_file():
            return [str(path)]
    pytest.skip("the command is not built; cargo build --package xtask --no-default-features builds it")


SAME = {
    "prequential": ["--protocol", "prequential"],
    "holdout": ["--protocol", "holdout", "--train", "0.6"],
    "kfold": ["--protocol", "kfold", "--folds", "3"],
    "delayed": ["--protocol", "delayed", "--delay", "30"],
}


@pytest.mark.parametrize("protocol", SAME)
def test_ours_are_measured_as_by_the_command_to_the_last_bit(protocol):
    learners, data = ["amf", "mondrian:budget=5", "stream-rf", "dynamic-extra-trees"], ["sea:n=800", "friedman:n=500,test=100"]
    options = {"train": 0.6} if protocol == "holdout" else {"folds": 3} if protocol == "kfold" else {}
    options |= {"delay": 30} if protocol == "delayed" else {}
    ours = run(learners, data=data, seeds=2, protocol=protocol, n_jobs=2, **options).records
    words = [f"--algorithm={learner}" for learner in learners] + [f"--data={address}" for address in data]
    command = [*program(), "compare", *words, *SAME[protocol], "--seeds", "2", "--json", "--out", "program"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    timed = {"date", "learn_seconds", "predict_seconds", "threads", "revision", "cpu", "model_bytes"}

    def untimed(record: dict) -> dict:
        record = {key: value for key, value in record.items() if key not in timed}
        if record.get("curve"):
            record["curve"] = {key: value for key, value in record["curve"].items() if key != "seconds"}
        return record

    theirs = [json.loads(line) for line in lines]
    for one, other in zip(ours, theirs, strict=True):
        # A program that was built before a metric was added does not have it.
        both = one["metrics"].keys() & other["metrics"].keys()
        one["metrics"], other["metrics"] = ({name: run["metrics"][name] for name in both} for run in (one, other))
        assert len(both) >= 3
    assert [untimed(record) for record in ours] == [untimed(record) for record in theirs]
    assert len(lines) == 2 * len(learners) * len(data)


def test_the_example_of_the_documentation(tmp_path):
    """River, scikit-learn and ours on a generator, a data set of River and arrays."""
    river = pytest.importorskip("river")
    import river.datasets
    import river.forest
    from sklearn.ensemble import ExtraTreesClassifier

    size = None if FULL else 300
    phishing = river.datasets.Phishing()
    learners = {
        "amf": "amf",
        "ARF": lambda seed: river.forest.ARFClassifier(n_models=3, seed=seed),
        "ET, all rows at once": lambda seed: ExtraTreesClassifier(n_estimators=10, random_state=seed),
    }
    data = ["sea:n=400", phishing.take(size) if size else phishing, ("mine", *rows())]
    results = compare(learners, data=data, protocol="both", seeds=2, out=tmp_path / "mine", progress=False)
    assert not [run for run in results.records if "error" in run]
    labels = {protocol: {run["label"] for run in results.records if run["protocol"] == protocol} for protocol in ("holdout", "prequential")}
    assert labels == {"holdout": set(learners), "prequential": {"amf", "ARF"}}
    assert all(run["offline"] == run["label"].startswith("ET") for run in results.records)
    page = (tmp_path / "mine" / "report.html").read_text()
    assert "ARF" in page and "ET, all rows at once" in page
    assert all(run["metrics"]["accuracy"] > 0.6 for run in results.records if run["dataset"] == "sea:n=400")


def test_models_of_river_without_probabilities_and_pipelines():
    pytest.importorskip("river")
    from river import dummy, linear_model, preprocessing, stats

    learners = {
        "perceptron": lambda seed: preprocessing.StandardScaler() | linear_model.Perceptron(),
        "PA": lambda seed: linear_model.PAClassifier(),
        "regression": lambda seed: preprocessing.StandardScaler() | linear_model.LinearRegression(),
        "mean": dummy.StatisticRegressor(stats.Mean()),
    }
    x, _ = rows(60)
    booleans = [({"a": a, "b": b}, a > b) for a, b in x.tolist()]
    records = run(learners, data=[("booleans", booleans), ("numbers", x, x[:, 0])]).records
    assert {run["label"] for run in records if run["dataset"] == "numbers"} == {"regression", "mean"}
    assert {run["label"] for run in records if run["dataset"] == "booleans"} == {"perceptron", "PA"}
    assert not [run for run in records if "error" in run]


def test_learners_of_capymoa():
    pytest.importorskip("capymoa", reason="CapyMOA, or the Java that it needs, is not installed")
    from capymoa.classifier import NaiveBayes
    from capymoa.stream import NumpyStream

    x, y = rows()
    stream = NumpyStream(x, (y == "yes").astype(int), dataset_name="stream")
    learners = {"NB": lambda schema: NaiveBayes(schema=schema), "no-change": "no-change"}
    records = run(learners, data=[stream, ("mine", x, y)]).records
    assert not [run for run in records if "error" in run]
    assert records[0]["metrics"]["accuracy"] == records[2]["metrics"]["accuracy"] > 0.7
