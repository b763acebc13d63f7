"""Comparisons from Python: records, data, learners of other libraries and of the user's own."""

from __future__ import annotations

import datetime
import hashlib
import http.server
import json
import math
import pathlib
import threading
import time

import numpy as np
import pytest
from comparing import Latest, outcome, pairs, rows, run
from conftest import FULL

from online_forests.compare import compare

pytestmark = pytest.mark.usefixtures("in_own_folder")


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
    # Nobody asked for files in the current folder.
    assert results.folder.is_absolute() and not list(pathlib.Path().iterdir())
    frame = results.to_frame()
    assert len(frame) == 6 and set(frame["label"]) == {"latest", "no-change", "amf"}
    assert results.report()._repr_html_().startswith("<iframe")


def test_frames_are_those_of_the_library_that_is_asked_for():
    results = run({"no-change": "no-change"})
    for library in ("pandas", "polars", "pyarrow"):
        pytest.importorskip(library)
        assert type(results.to_frame(library)).__module__.split(".")[0] == library


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
    with pytest.warns(UserWarning, match="are treated as classes"):
        records = run({"no-change": "no-change"}, data=[("whole", x, [float(i % 2) for i in range(60)])]).records
    assert records[0]["task"] == "classification"
    colours = [({"colour": "red" if i % 2 else "blue", "size": float(i)}, i % 2) for i in range(60)]
    seen = []
    run(
        {"mine": type("Sees", (Latest,), {"learn_one": lambda self, x, y: seen.append((x, y))})()},
        data=[("colours", colours)],
        scale="none",
    )
    assert seen[1] == ({"colour=blue": 0.0, "colour=red": 1.0, "size": 1.0}, 1)
    colours[3] = ({"colour": None, "size": 3.0}, 1)
    (record,) = run(["dynamic-extra-trees", "mondrian"], data=[("colours", colours)], scale="none").records
    assert record["algorithm"] == "dynamic-extra-trees" and record["metrics"]["accuracy"] > 0
    x[3, 0] = math.nan
    missing = []
    learner = type("Missing", (Numbers,), {"learn_one": lambda self, x, y: missing.append(math.isnan(x["x1"]))})
    outcomes = outcome(
        run({"mine": learner, "mean": "mean", "mondrian": "mondrian"}, data=[("missing", x, x[:, 1])], scale="none")
    )
    assert outcomes["mean"]["rmse"] > 0 and "mondrian" not in outcomes
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
    numbers = [float(i) / 7 for i in range(len(y))]
    for missing in (None, math.nan):
        with pytest.raises(ValueError, match="mine: row 3 has no target; leave the row out"):
            run(["mean"], data=[("mine", x, [*numbers[:3], missing, *numbers[4:]])])
    with pytest.raises(TypeError, match="the target of row 0 is datetime.*convert times to numbers or texts"):
        run(["mean"], data=[("mine", x, [datetime.date(2020, 1, 1) + datetime.timedelta(i) for i in range(len(y))])])
    with pytest.raises(TypeError, match="the target of row 3 is '0,5', but most are numbers"):
        run(["mean"], data=[("mine", x, [*numbers[:3], "0,5", *numbers[4:]])])


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


class Sleeps(Nothing):
    def learn_one(self, x, y):
        time.sleep(0.002)


def test_a_learner_that_waits_takes_the_time_that_it_waits():
    x, y = rows(100)
    (record,) = run({"sleeps": Sleeps}, data=[("mine", x, x[:, 0])], protocol="holdout").records
    assert record["learn_seconds"] > 0.002 * 50


def test_the_clock_has_little_but_the_learner():
    """The best of many short runs, of which other programs do not interrupt all."""
    results = run(
        {"one": Nothing, "batches": NothingInBatches}, data=["friedman:n=2000,test=2000"], protocol="holdout", seeds=30
    )
    one, batches = (
        {
            key: min(run[key] for run in results.records if run["label"] == label)
            for key in ("learn_seconds", "predict_seconds")
        }
        for label in ("one", "batches")
    )
    micros = {"one": 1e6 * one["learn_seconds"] / 2000, "batches": 1e6 * batches["learn_seconds"] / 2000}
    micros["predict batches"] = 1e6 * batches["predict_seconds"] / 2000
    assert micros["one"] < 3 and micros["batches"] < 1 and micros["predict batches"] < 1, micros


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
    labels = {
        protocol: {run["label"] for run in results.records if run["protocol"] == protocol}
        for protocol in ("holdout", "prequential")
    }
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


class OpenML(http.server.BaseHTTPRequestHandler):
    """A server with one data set, which it describes as OpenML does."""

    file = b"@relation turns\n@attribute x numeric\n@attribute class {no, yes}\n@data\n" + b"1,no\n2,yes\n" * 20

    def do_GET(self):
        url = f"http://{self.headers['Host']}/turns.arff"
        described = {
            "version": "1",
            "url": url,
            "default_target_attribute": "class",
            "md5_checksum": hashlib.md5(self.file).hexdigest(),
        }
        body = self.file if self.path == "/turns.arff" else json.dumps({"data_set_description": described}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def test_data_of_openml_are_downloaded_once(tmp_path, monkeypatch):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), OpenML)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OPENML_SERVER", f"http://127.0.0.1:{server.server_port}")
    features = type("Features", (Latest,), {"predict_one": lambda self, x: "yes" if x["x"] > 1.5 else "no"})
    options = {"data": ["openml:61"], "data_dir": tmp_path / "data", "scale": "none"}
    (record,) = run({"features": features}, **options).records
    assert (record["dataset"], record["n_test"], record["metrics"]["accuracy"]) == ("openml:61", 40, 1.0)
    server.shutdown()
    server.server_close()
    (again,) = run({"features": features}, **options).records
    assert again["rows_sha256"] == record["rows_sha256"]
    with pytest.raises(ValueError, match=r"`openml:62` could not be fetched.*check the number and the connection"):
        run({"features": features}, **options | {"data": ["openml:62"]})
