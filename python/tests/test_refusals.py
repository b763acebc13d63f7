"""What is refused: a typed error with a sentence, and an unchanged learner; and what is read however it is written."""

from __future__ import annotations

import datetime
import pickle

import numpy as np
import pandas as pd
import pytest
from conftest import data
from sklearn.datasets import load_diabetes

import online_forests.river as models
import online_forests.sklearn as forests
from online_forests import Classifier, Regressor, load

nan, inf = float("nan"), float("inf")
GOOD = np.zeros((2, 3), dtype=np.float32)

ROWS = [
    ("objects", np.array([[object()] * 3] * 2), TypeError, "must be numbers"),
    ("texts", np.array([["a", "b", "c"]] * 2), TypeError, "must be numbers"),
    ("numbers in objects", np.array([[1, 2.0, "3"]] * 2, dtype=object), TypeError, "must be numbers"),
    ("complex numbers", np.zeros((2, 3), dtype=complex), TypeError, "must be numbers"),
    ("dates", np.full((2, 3), datetime.datetime(2020, 1, 1), dtype="datetime64[s]"), TypeError, "must be numbers"),
    ("nothing", None, TypeError, "must be numbers"),
    ("a text", "rows", TypeError, "must be numbers"),
    ("one dimension", np.zeros(3), ValueError, "has 1 dimensions"),
    ("three dimensions", np.zeros((2, 3, 1)), ValueError, "has 3 dimensions"),
    ("no dimension", np.float64(3), ValueError, "has 0 dimensions"),
    ("another width", np.zeros((2, 4)), ValueError, "4 features, but this learner was made for 3"),
    ("no columns", np.zeros((2, 0)), ValueError, "0 features"),
    ("a missing value", np.array([[0, 0, 0], [0, nan, 0.0]]), ValueError, "row 1, feature 1"),
    ("an infinite number", np.array([[0, 0, inf], [0, 0, 0.0]], dtype=np.float32), ValueError, "row 0, feature 2"),
    (
        "a number too large",
        np.array([[0, 0, 0], [1e300, 0, 0.0]]),
        ValueError,
        "row 1, feature 0: .* does not fit float32",
    ),
    ("huge whole numbers in objects", np.array([[10**400, 0, 0]] * 2, dtype=object), TypeError, "must be numbers"),
]
TARGETS = {
    Classifier: [
        ("too few", np.array([1]), ValueError, "1 target for 2 rows"),
        ("negative", np.array([0, -1]), ValueError, "from 0, but is -1"),
        ("huge", np.array([0, 2**63], dtype=np.uint64), ValueError, "from 0"),
        ("huge of Python", [0, 10**30], ValueError, "from 0"),
        ("beyond the cap", np.array([0, 5000]), ValueError, "beyond the cap"),
        ("fractions", np.array([0.5, 1.0]), TypeError, "whole number from 0, but is 0.5"),
        ("texts", np.array(["a", "b"]), TypeError, "whole number from 0, but is 'a'"),
        ("mixed", [1, "a"], TypeError, "whole number from 0, but is 'a'"),
        ("two dimensions", np.zeros((2, 1), dtype=np.uint32), ValueError, "2"),
        ("nothing", None, TypeError, "not iterable"),
    ],
    Regressor: [
        ("too many", np.zeros(3), ValueError, "3 targets for 2 rows"),
        ("a missing value", np.array([0, nan]), ValueError, "row 1"),
        ("infinite", np.array([inf, 0]), ValueError, "row 0"),
        ("too large", np.array([0, 1e200]), ValueError, "beyond"),
        ("texts", np.array(["a", "b"]), TypeError, "must be numbers"),
        ("objects", np.array([1, None], dtype=object), TypeError, "must be numbers"),
        ("two dimensions", np.zeros((2, 1)), ValueError, "2"),
        ("nothing", None, TypeError, "must be numbers"),
    ],
}


SAMPLES = [
    ("a text", {"a": "red"}, 1.0, TypeError, "feature 'a': 'red' is not a number"),
    ("nothing", {"a": None}, 1.0, TypeError, "feature 'a': None"),
    ("a missing value", {"a": nan}, 1.0, ValueError, "feature 'a': NaN is not a finite number"),
    ("a number too large", {"a": 1e300}, 1.0, ValueError, "does not fit float32"),
    ("a whole number too large", {"a": 10**400}, 1.0, TypeError, "is not a number"),
    ("a target of text", {"a": 1.0}, "high", TypeError, "a target must be a number"),
    ("no target", {"a": 1.0}, None, TypeError, "a target must be a number"),
    ("an infinite target", {"new": 1.0}, inf, ValueError, "not a finite number"),
    ("an infinite new feature", {"new": inf}, 1.0, ValueError, "feature 'new': inf is not a finite number"),
    ("a text of a new feature", {"new": "red"}, 1.0, TypeError, "feature 'new': 'red' is not a number"),
    ("no dictionary", 3, 1.0, TypeError, ""),
]
FRAMES = [
    ("texts", pd.DataFrame({"a": ["x", "y"]}), [1.0, 2.0], TypeError),
    ("lengths", pd.DataFrame({"a": [1.0, 2.0]}), [1.0], ValueError),
    ("one name twice", pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), [1.0], ValueError),
    ("a missing value", pd.DataFrame({"a": [1.0, nan]}), [1.0, 2.0], ValueError),
    ("a missing value in a new column", pd.DataFrame({"new": [1.0, nan]}), [1.0, 2.0], ValueError),
    ("a new column", pd.DataFrame({"new": [1.0, 2.0]}), [1.0, nan], ValueError),
    ("empty", pd.DataFrame(), [1.0], ValueError),
    ("no frame", "frame", [1.0], TypeError),
]
X, Y = data(30)


def core(task, algorithm="mondrian"):
    forest = task(algorithm, 3, seed=1)
    forest.learn(X, Y)
    return forest


def model():
    forest = models.MondrianRegressor(seed=0)
    forest.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    return forest


LEARNED = {
    Classifier: lambda: core(Classifier),
    Regressor: lambda: core(Regressor),
    "boundary": lambda: core(Regressor, "boundary-forest"),
    "sklearn": lambda: forests.MondrianRegressor(random_state=0).fit(X, Y),
    "River": model,
}
CALLS = {
    "predict": lambda forest, rows: forest.predict(rows),
    "learn": lambda forest, rows: forest.learn(rows, [0, 1]),
    "test": lambda forest, rows: forest.predict_then_learn(rows, [0, 1]),
}
CANNOT = [
    ("forget", lambda forest: forest.forget(0)),
    ("keep_latest", lambda forest: forest.keep_latest(3)),
    ("refine", lambda forest: forest.refine()),
    ("importances", lambda forest: forest.feature_importances()),
    ("members", lambda forest: forest.members()),
    ("intervals", lambda forest: forest.intervals(GOOD, 0.9)),
    ("draw", lambda forest: forest.drawn_nodes(0, [(0, 0), (1, 0), (1, 1)])),
]
CASES = [
    *(
        (f"{task.__name__} {call}: {name}", task, lambda f, c=call, r=rows: CALLS[c](f, r), *why)
        for task in (Classifier, Regressor)
        for call in CALLS
        for name, rows, *why in ROWS
    ),
    *(
        (f"{task.__name__} learn: {name}", task, lambda f, t=targets: f.learn(GOOD, t), *why)
        for task, cases in TARGETS.items()
        for name, targets, *why in cases
    ),
    *(
        (f"{task.__name__} test: {name}", task, lambda f, t=targets: f.predict_then_learn(GOOD, t), *why)
        for task, cases in TARGETS.items()
        for name, targets, *why in cases
    ),
    *(
        (f"boundary forest: {name}", "boundary", call, TypeError, "^boundary-forest( cannot |: no sample can be )")
        for name, call in CANNOT
    ),
    *(
        (f"scikit-learn: {name}", "sklearn", lambda f, r=rows: f.partial_fit(r, Y), ValueError, None)
        for name, rows in [
            ("width", X[:, :2]),
            ("missing", np.where(X > 0.5, nan, X)),
            ("large", X.astype(float) * 1e300),
        ]
    ),
    *((f"River: {name}", "River", lambda f, x=x, y=y: f.learn_one(x, y), *why) for name, x, y, *why in SAMPLES),
    *(
        (f"frames: {name}", "River", lambda f, x=x, y=y: f.learn_many(x, pd.Series(y)), why, None)
        for name, x, y, why in FRAMES
    ),
]


@pytest.mark.parametrize(
    ("kind", "call", "error", "sentence"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_is_refused_leaves_no_trace(kind, call, error, sentence):
    forest = LEARNED[kind]()
    before = pickle.dumps(forest)
    with pytest.raises(error, match=sentence or None):
        call(forest)
    assert pickle.dumps(forest) == before


SETTINGS = [
    *(
        (lambda a=arguments, s=settings: Classifier(*a, **s), *why)
        for arguments, settings, *why in [
            (("mondrain", 3), {}, ValueError, "did you mean `mondrian`"),
            (("mondrian:budgt=3", 3), {}, ValueError, "did you mean `budget`"),
            (("mondrian:budget=-1", 3), {}, ValueError, "budget"),
            (("mondrian", 0), {}, ValueError, "features must be at least 1"),
            (("mondrian", -1), {}, ValueError, "whole number"),
            (("mondrian", 3), {"trees": 0}, ValueError, "trees must be at least 1"),
            (("mondrian", 3), {"trees": 10**9}, ValueError, "at most 100000"),
            (("mondrian", 3), {"window": 0}, ValueError, "at least 1 sample"),
            (("amf", 3), {"window": 5}, ValueError, "retention"),
            (("mondrian", 3), {"threads": 10**6}, ValueError, "threads must be at most 1024"),
            (("mondrian", 3), {"seed": -1}, ValueError, "whole number"),
            (("mean", 3), {}, ValueError, "does not support classification"),
            ((3, 3), {}, TypeError, "algorithm"),
        ]
    ),
    *(
        (lambda p=parameters: forests.MondrianRegressor(**p).fit(*load_diabetes(return_X_y=True)), *why)
        for parameters, *why in [
            ({"budget": -1.0}, ValueError, "budget"),
            ({"budget": "much"}, ValueError, "budget"),
            ({"budget": {1}}, TypeError, "budget must be a number, a word or a list of them"),
            ({"labels": "smooth"}, ValueError, "one of empirical"),
            ({"n_estimators": 0}, ValueError, "n_estimators must be at least 1"),
            ({"n_estimators": -1}, ValueError, "n_estimators must be at least 1, but is -1"),
            ({"n_estimators": 2.5}, TypeError, "n_estimators must be a whole number"),
            ({"random_state": "x"}, TypeError, "a seed must be"),
            ({"random_state": -1}, ValueError, "a seed must be"),
            ({"n_jobs": 0}, ValueError, "n_jobs"),
        ]
    ),
    *(
        (lambda p=parameters: models.MondrianRegressor(**p), ValueError, None)
        for parameters in ({"budget": -1.0}, {"n_models": 0}, {"labels": "x"}, {"seed": -1})
    ),
]


@pytest.mark.parametrize(("call", "error", "sentence"), SETTINGS)
def test_bad_settings_are_refused(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()


def variants(x):
    """The same rows in memory of every kind."""
    apart = np.zeros((len(x), 7), dtype=np.float32)
    apart[:, 1:6:2] = x
    yield "every second column", apart[:, 1:6:2]
    yield "columns first", np.asfortranarray(x)
    yield "from the end", x[::-1][::-1]
    yield "turned round", np.ascontiguousarray(x[:, ::-1])[:, ::-1]
    records = np.zeros((len(x), 3), dtype=[("flag", "i1"), ("number", "f4")])
    records["number"] = x
    yield "fields of records, at odd addresses", records["number"]
    odd = bytearray(x.nbytes + 1)
    odd[1:] = x.tobytes()
    yield "an odd address", np.frombuffer(odd, dtype=np.float32, offset=1).reshape(x.shape)
    yield "the other byte order", x.astype(">f4")
    yield "read-only", np.frombuffer(x.tobytes(), dtype=np.float32).reshape(x.shape)
    yield "float64", x.astype(np.float64)
    yield "a list", x.tolist()


def test_memory_of_every_kind_is_read():
    x, y = data(30)
    x = np.round(x * 8) / 8
    forests = {}
    for name, rows in variants(x):
        forest = Regressor("mondrian", 3, seed=1)
        forest.learn(rows, y)
        forests[name] = forest.to_bytes()
    assert len(set(forests.values())) == 1, forests.keys()


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "int64", "float16", "longdouble"])
def test_numbers_of_every_type_are_read(dtype):
    x = np.array([[0, 1, 1], [1, 0, 1]], dtype=dtype)
    forest, plain = (Regressor("mondrian", 3) for _ in range(2))
    forest.learn(x, [0, 1])
    plain.learn(x.astype(np.float32), [0, 1])
    assert forest.to_bytes() == plain.to_bytes()


def test_no_rows_are_learned_and_predicted():
    forest = LEARNED[Classifier]()
    before = forest.to_bytes()
    none = np.zeros((0, 3), dtype=np.float32)
    forest.learn(none, np.zeros(0, dtype=np.uint32))
    assert forest.predict(none).shape == (0, 2)
    assert forest.to_bytes() == before


def test_files_that_hold_something_else_are_refused(tmp_path):
    forest = LEARNED[Classifier]()
    whole = forest.to_bytes()
    path = tmp_path / "forest"
    for wrong, sentence in [
        (b"", "cut off after 0 bytes"),
        (b"hello, hello", "not a snapshot"),
        (whole[:-10], "cut off"),
        (whole + b"x", "should have"),
        (whole[:-20] + bytes([whole[-20] ^ 1]) + whole[-19:], "checksum|contradicts|decoded"),
    ]:
        path.write_bytes(wrong)
        for read in (load, Classifier.load):
            with pytest.raises(ValueError, match=sentence):
                read(path)
        with pytest.raises(ValueError, match=sentence):
            Classifier.from_bytes(wrong)
    with pytest.raises(ValueError, match="for classification, not a learner for regression"):
        Regressor.from_bytes(whole)
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "missing")
    with pytest.raises(OSError):
        forest.save(tmp_path / "no folder" / "forest")


def test_a_model_of_a_newer_version_says_so(tmp_path):
    forest = LEARNED[Classifier]()
    data = bytearray(forest.to_bytes())
    place = 8  # behind the magic number: docs/snapshot-format.md
    data[place : place + 2] = (999).to_bytes(2, "little")
    with pytest.raises(ValueError, match="format version 999"):
        Classifier.from_bytes(bytes(data))
