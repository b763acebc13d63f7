"""Bad input of every kind: a typed error with a sentence, and an unchanged learner."""

from __future__ import annotations

import datetime

import numpy as np
import pytest
from conftest import data

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
    ("a number too large", np.array([[0, 0, 0], [1e300, 0, 0.0]]), ValueError, "row 1, feature 0: .* does not fit float32"),
    ("huge whole numbers in objects", np.array([[10**400, 0, 0]] * 2, dtype=object), TypeError, "must be numbers"),
]
TARGETS = {
    Classifier: [
        ("too few", np.array([1]), ValueError, "1 target for 2 rows"),
        ("negative", np.array([0, -1]), ValueError, "from 0, but is -1"),
        ("huge", np.array([0, 2**63], dtype=np.uint64), ValueError, "from 0"),
        ("huge of Python", [0, 10**30], ValueError, "from 0"),
        ("beyond the cap", np.array([0, 5000]), ValueError, "beyond the cap"),
        ("fractions", np.array([0.5, 1.0]), TypeError, "whole number, but is 0.5"),
        ("texts", np.array(["a", "b"]), TypeError, "whole number, but is 'a'"),
        ("mixed", [1, "a"], TypeError, "whole number, but is 'a'"),
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


def learned(task):
    forest = task("mondrian", 3, seed=1)
    x, y = data(30)
    forest.learn(x, y)
    return forest


@pytest.mark.parametrize("task", [Classifier, Regressor])
@pytest.mark.parametrize(("rows", "error", "sentence"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_bad_rows_are_refused(task, rows, error, sentence):
    forest = learned(task)
    before = forest.to_bytes()
    for call in (forest.predict, lambda x: forest.learn(x, [0, 1]), lambda x: forest.predict_then_learn(x, [0, 1])):
        with pytest.raises(error, match=sentence):
            call(rows)
    assert forest.to_bytes() == before


CASES = [(task, *case) for task, cases in TARGETS.items() for case in cases]


@pytest.mark.parametrize(
    ("task", "targets", "error", "sentence"),
    [(task, *case[1:]) for task, *case in CASES],
    ids=[f"{task.__name__}-{case[0]}" for task, *case in CASES],
)
def test_bad_targets_are_refused(task, targets, error, sentence):
    forest = learned(task)
    before = forest.to_bytes()
    with pytest.raises(error, match=sentence):
        forest.learn(GOOD, targets)
    with pytest.raises(error, match=sentence):
        forest.predict_then_learn(GOOD, targets)
    assert forest.to_bytes() == before


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
    forest = learned(Classifier)
    before = forest.to_bytes()
    none = np.zeros((0, 3), dtype=np.float32)
    forest.learn(none, np.zeros(0, dtype=np.uint32))
    assert forest.predict(none).shape == (0, 2)
    assert forest.to_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "settings", "error", "sentence"),
    [
        (("mondrain", 3), {}, ValueError, "did you mean `mondrian`"),
        (("mondrian:budgt=3", 3), {}, ValueError, "did you mean `budget`"),
        (("mondrian:budget=-1", 3), {}, ValueError, "budget"),
        (("mondrian", 0), {}, ValueError, "features must be at least 1"),
        (("mondrian", -1), {}, ValueError, "whole number"),
        (("mondrian", 3), {"trees": 0}, ValueError, "trees must be at least 1"),
        (("mondrian", 3), {"trees": 10**9}, ValueError, "at most 100000"),
        (("mondrian", 3), {"window": 0}, ValueError, "at least 1 sample"),
        (("amf", 3), {"window": 5}, ValueError, "retention"),
        (("mondrian", 3), {"threads": 10**6}, ValueError, "cannot start 1000000 threads"),
        (("mondrian", 3), {"seed": -1}, ValueError, "whole number"),
        (("mean", 3), {}, ValueError, "does not support classification"),
        ((3, 3), {}, TypeError, "algorithm"),
    ],
)
def test_bad_settings_are_refused(arguments, settings, error, sentence):
    with pytest.raises(error, match=sentence):
        Classifier(*arguments, **settings)


def test_files_that_hold_something_else_are_refused(tmp_path):
    forest = learned(Classifier)
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
    forest = learned(Classifier)
    data = bytearray(forest.to_bytes())
    place = 8  # behind the magic number: docs/snapshot-format.md
    data[place : place + 2] = (999).to_bytes(2, "little")
    with pytest.raises(ValueError, match="format version 999"):
        Classifier.from_bytes(bytes(data))
