"""The models of River: its own suite, whole, and what it does not try."""

from __future__ import annotations

import collections
import copy
import pickle
import sys
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from conftest import tried
from river import datasets, ensemble, evaluate, metrics, preprocessing, utils
from river.checks import yield_checks

import online_forests.river as forests
from online_forests import Classifier, Regressor, load
from online_forests.river import AMFClassifier, MondrianClassifier, MondrianRegressor, ObspRegressor

ROWS = [({"b": i % 7 / 7, "a": i / 50, "c": i % 3 / 3}, "high" if i > 25 else "low") for i in range(50)]


def passes_whole(model) -> int:
    """Runs every check of River; none may be skipped."""
    assert not model._unit_test_skips()
    checks = list(yield_checks(model))
    for check in checks:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            check(model.clone())
    return len(checks)


@pytest.mark.parametrize("name", tried(forests))
def test_every_model_passes_the_suite_of_river(name):
    assert passes_whole(getattr(forests, name)()) > 20


@pytest.mark.parametrize(
    "wrapped",
    [
        preprocessing.MinMaxScaler() | MondrianClassifier(n_models=2),
        preprocessing.MinMaxScaler() | MondrianRegressor(n_models=2),
        ensemble.BaggingClassifier(MondrianClassifier(n_models=2), n_models=2, seed=1),
        ensemble.BaggingRegressor(MondrianRegressor(n_models=2), n_models=2, seed=1),
        ensemble.LeveragingBaggingClassifier(MondrianClassifier(n_models=2), n_models=2, seed=1),
        ensemble.SRPClassifier(MondrianClassifier(n_models=2), n_models=2, seed=1),
        ensemble.SRPRegressor(MondrianRegressor(n_models=2), n_models=2, seed=1),
    ],
    ids=lambda model: type(model).__name__,
)
def test_the_suite_passes_inside_wrappers(wrapped):
    skips = wrapped._unit_test_skips() if hasattr(wrapped, "_unit_test_skips") else set()
    for check in yield_checks(wrapped):
        if check.__name__ not in skips:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check(wrapped.clone())


def test_progressive_validation_learns():
    model = preprocessing.MinMaxScaler() | AMFClassifier(seed=0)
    accuracy = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    assert accuracy.get() > 0.85


def test_dictionaries_are_the_rows_of_the_core():
    model = MondrianClassifier(seed=5, n_models=4)
    core = Classifier("mondrian", 3, trees=4, seed=5)
    for x, y in ROWS:
        model.learn_one(x, y)
        core.learn(np.array([[x["a"], x["b"], x["c"]]]), [int(y == "high")])
    assert model._core.to_bytes() == core.to_bytes()
    prediction = model.predict_proba_one(ROWS[0][0])
    assert (
        list(prediction) == ["low", "high"]
        and list(prediction.values()) == core.predict(np.array([[0.0, 0, 0]]))[0].tolist()
    )


@pytest.mark.parametrize(
    "frame", [pd.DataFrame, pl.DataFrame, lambda rows: pa.Table.from_pylist(rows)], ids=["pandas", "polars", "Arrow"]
)
def test_frames_are_their_rows(frame):
    one, many = MondrianClassifier(seed=0), MondrianClassifier(seed=0)
    features, labels = [x for x, _ in ROWS], [y for _, y in ROWS]
    for x, y in ROWS:
        one.learn_one(x, y)
    many.learn_many(frame(features), pd.Series(labels))
    assert pickle.dumps(many) == pickle.dumps(one)
    predictions = many.predict_many(frame(features))
    assert list(predictions) == [one.predict_one(x) for x in features] or predictions.to_pylist() == [
        one.predict_one(x) for x in features
    ]
    assert (
        type(many.predict_proba_many(frame(features))).__module__.split(".")[0]
        == type(frame(features)).__module__.split(".")[0]
    )


def test_a_frame_of_pandas_keeps_its_index():
    model = MondrianRegressor(seed=0)
    frame = pd.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, index=["x", "y"])
    assert list(model.predict_many(frame)) == [0, 0]
    model.learn_many(frame, pd.Series([1.0, 2.0]))
    assert list(model.predict_many(frame).index) == ["x", "y"]


def test_features_appear_and_disappear():
    model = MondrianRegressor(columns=4, seed=0)
    core = Regressor("mondrian", 4)
    for x in ({"b": 1.0, "a": 2.0}, {"d": 3.0, "a": 1.0, "c": 5.0}, {"c": 1.0}):
        model.learn_one(x, 1.0)
    core.learn(np.array([[2.0, 1, 0, 0], [1, 0, 5, 3], [0, 0, 1, 0]]), [1.0, 1, 1])
    assert model._core.columns == ("a", "b", "c", "d")
    assert model._core.to_bytes() == core.to_bytes()
    assert model.predict_one({"e": 5.0}) == model.predict_one({})


def test_features_that_appear_later_are_added():
    model, many = MondrianRegressor(seed=0), MondrianRegressor(seed=0)
    core = Regressor("mondrian", 2)
    samples = [({"b": 1.0, "a": 2.0}, 1.0), ({"d": 3.0, "a": 1.0, "c": 5.0}, 2.0), ({"e": 1.0}, 3.0)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for x, y in samples:
            model.learn_one(x, y)
            many.learn_many(pd.DataFrame([x]), pd.Series([y]))
    core.learn(np.array([[2.0, 1]]), [1.0])
    core.widen(4)
    core.learn(np.array([[1.0, 0, 5, 3]]), [2.0])
    core.widen(5)
    core.learn(np.array([[0, 0, 0, 0, 1.0]]), [3.0])
    assert model._core.columns == ("a", "b", "c", "d", "e") and model._core.features == 5
    assert model._core.to_bytes() == many._core.to_bytes() == core.to_bytes()
    assert pickle.dumps(model) == pickle.dumps(pickle.loads(pickle.dumps(model)))
    assert model.predict_one({"e": 1.0}) != model.predict_one({})


def test_oblique_cuts_read_the_columns_they_were_made_for():
    model = ObspRegressor()
    model.learn_one({"a": 1.0, "b": 2.0}, 1.0)
    with pytest.warns(UserWarning, match="does not read features that appear later"):
        model.learn_one({"e": 1.0}, 2.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.learn_one({"e": 1.0}, 2.0)  # said once
    assert model._core.features == 2 and model.predict_one({"e": 5.0}) == model.predict_one({})


def test_names_of_any_kind_have_an_order():
    one, other = MondrianRegressor(seed=0), MondrianRegressor(seed=0)
    one.learn_one({"a": 1.0, 3: 2.0, ("b", 1): 3.0}, 1.0)
    other.learn_one({("b", 1): 3.0, "a": 1.0, 3: 2.0}, 1.0)
    assert one._core.columns == other._core.columns and one._core.to_bytes() == other._core.to_bytes()


def test_a_label_that_was_refused_is_not_a_class():
    model = MondrianClassifier(seed=0)
    model.learn_one({"a": 1.0}, "x")
    with pytest.raises(ValueError):
        model.learn_one({"a": float("nan")}, "y")
    with pytest.raises(TypeError):
        model.learn_one({"a": 1.0}, ["y"])
    with pytest.raises(ValueError):
        model.learn_one({"a": 1.0, "b": 1.0}, "y", w=-1.0)
    assert model._core.columns == ("a",) and model._core.known_labels == ("x",)
    with pytest.raises(ValueError):
        model.learn_many(pd.DataFrame({"a": [1.0, float("nan")]}), pd.Series(["z", "z"]))
    assert model.predict_proba_one({"a": 1.0}) == {"x": 1.0}
    assert list(model.predict_proba_many(pd.DataFrame({"a": [1.0]})).columns) == ["x"]
    model.learn_one({"a": 2.0}, "next")
    assert list(model.predict_proba_one({"a": 1.0})) == ["x", "next"]


def test_features_that_come_while_a_row_is_read_are_0_in_it():
    model = MondrianRegressor()
    model.learn_one({"a": 1.0}, 1.0)

    class Teaching:
        def __float__(self):
            model.learn_one({"a": 0.5, f"new{model._core.samples_seen}": 1.0}, 2.0)
            return 0.5

    assert model.predict_one({"a": Teaching()}) == model.predict_one({"a": 0.5}) and model._core.features == 2
    with pytest.raises(ValueError, match="whenever this sample is read"):
        model.learn_one({"a": Teaching()}, 1.0)  # It teaches the model that is learning.


@pytest.mark.parametrize(
    "copied",
    [copy.copy, copy.deepcopy, lambda model: pickle.loads(pickle.dumps(model))],
    ids=["copy", "deepcopy", "pickle"],
)
def test_columns_that_are_left_are_left_in_a_copy(copied):
    model = ObspRegressor(columns=3)
    model.learn_one({"a": 1.0}, 1.0)
    other = copied(model)
    for forest in (model, other):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            forest.learn_one({"a": 1.0, "b": 2.0}, 2.0)
            forest.learn_many(pd.DataFrame({"c": [1.0]}), pd.Series([3.0]))
    assert other._core.columns == ("a", "b", "c") and pickle.dumps(other) == pickle.dumps(model)


def test_empty_frames_change_nothing():
    model = MondrianClassifier(seed=0)
    model.learn_many(pd.DataFrame(), pd.Series([], dtype=object))
    assert model.predict_proba_one({"a": 1}) == {} and model.predict_one({"a": 1}) is None


def test_what_only_looks_like_a_dictionary_is_read():
    model, plain = MondrianRegressor(seed=0), MondrianRegressor(seed=0)
    for x, _ in ROWS:
        model.learn_one(utils.VectorDict(x), 1.0)
        plain.learn_one(collections.OrderedDict(x), 1.0)
    assert model._core.to_bytes() == plain._core.to_bytes()


def test_equal_models_pickle_to_equal_bytes_and_copies_continue_alike():
    model = MondrianClassifier(seed=0)
    for x, y in ROWS:
        model.learn_one(x, y)
    others = [copy.deepcopy(model), pickle.loads(pickle.dumps(model))]
    for other in others:
        assert pickle.dumps(other) == pickle.dumps(model)
    for forest in (model, *others):
        forest.learn_one({"a": 0.3, "b": 0.4, "c": 0.5}, "new")
    assert len({pickle.dumps(forest) for forest in (model, *others)}) == 1


def test_a_model_that_was_saved_is_read_as_the_learner_in_it(tmp_path):
    model = MondrianClassifier(budget=3.0, seed=4)
    with pytest.raises(ValueError, match="has learned nothing"):
        model.save(tmp_path / "model")
    for x, y in ROWS:
        model.learn_one(x, y)
    model.save(tmp_path / "model")
    assert load(tmp_path / "model").to_bytes() == model._core.to_bytes()
    loaded = MondrianClassifier.load(tmp_path / "model", labels=["low", "high"], features=["a", "b", "c"])
    assert loaded.budget == 3.0 and loaded.n_models == model.n_models
    assert [loaded.predict_proba_one(x) for x, _ in ROWS] == [model.predict_proba_one(x) for x, _ in ROWS]
    assert loaded._core.to_bytes() == model._core.to_bytes()


def test_memory_is_that_of_the_footprint():
    model = MondrianClassifier(seed=0)
    for x, y in ROWS * 20:
        model.learn_one(x, y)
    footprint = model.footprint()["bytes"]
    assert footprint < sys.getsizeof(model._core) < footprint + 1000
    assert footprint < model._raw_memory_usage < footprint + 50_000


@pytest.mark.parametrize("estimator", [forests.DynamicExtraTreesClassifier, forests.ResidualForestClassifier])
def test_words_mean_the_same_in_samples_frames_and_explanations(estimator: type) -> None:
    frame = pd.DataFrame({"colour": ["red", "blue", None, "green"] * 50, "size": [1.0, 2.0, 3.0, float("nan")] * 50})
    frame["shape"] = pd.Categorical(["round", "square"] * 100)
    labels = pd.Series(frame["colour"] == "red")
    one, many = estimator(n_models=3, seed=1), estimator(n_models=3, seed=1)
    for row, label in zip(frame.to_dict("records"), labels, strict=True):
        one.learn_one(row, label)
    many.learn_many(frame, labels)
    shown = {"colour": "red", "size": pd.NA, "shape": "round"}
    expected = one.predict_proba_one(shown)
    assert many.predict_proba_one(shown) == expected and expected[True] > 0.5
    # What is absent is missing.
    assert one.predict_proba_one({"colour": "red", "shape": "round"}) == expected
    assert one.predict_proba_many(pd.DataFrame({"shape": ["round"], "colour": ["red"]})).iloc[0].to_dict() == expected
    added = one.feature_contributions_one(shown)
    assert sum(added[True].values()) == pytest.approx(expected[True])
    assert "colour" in one.decision_path_text(shown)


BOTH = pytest.mark.parametrize(
    "estimator",
    [
        forests.DynamicExtraTreesClassifier,
        forests.DynamicExtraTreesRegressor,
        forests.ResidualForestClassifier,
        forests.ResidualForestRegressor,
    ],
)
NUMBERS, WORDS = {"a": 9.0, "b": 1.0}, {"a": "red", "b": 1.0}


def learned(estimator, x):
    model = estimator(n_models=2, seed=1)
    model.learn_one({"b": 2.0}, 0)
    model.learn_one(x, 1)
    return model


@BOTH
@pytest.mark.parametrize(
    ("first", "other"), [(NUMBERS, WORDS), (WORDS, NUMBERS), (NUMBERS, {"a": "7"})], ids=["words", "numbers", "digits"]
)
def test_a_feature_is_of_numbers_or_of_words(estimator, first, other):
    model = learned(estimator, first)
    before, prediction = pickle.dumps(model), model.predict_one(first)
    copies = [copy.copy(model), copy.deepcopy(model), pickle.loads(before)]
    good, bad = pd.DataFrame([first] * 2), pd.DataFrame([other] * 2)
    for forest in (model, *copies):
        for refused in (
            lambda forest=forest: forest.learn_one(other, 1),
            lambda forest=forest: forest.learn_many(bad, pd.Series([0, 1])),
            lambda forest=forest: forest.learn_many(pd.concat([good, bad]), pd.Series([0, 1, 0, 1])),
            lambda forest=forest: forest.predict_one(other),
            lambda forest=forest: forest.predict_many(bad),
        ):
            with pytest.raises(
                TypeError,
                match="'a' is a number in some samples and a text in others; convert .* converters={'a': float}",
            ):
                refused()
        assert pickle.dumps(forest) == before and forest.predict_one(first) == prediction
    # What is missing is neither.
    for missing in (None, float("nan"), pd.NA):
        model.learn_one({"a": missing, "b": 1.0}, 1)
        assert model.predict_one({"a": missing}) == model.predict_one({})
    model.learn_many(pd.DataFrame({"a": [None, None], "b": [1.0, 2.0]}), pd.Series([0, 1]))
    model.learn_one(first, 1)


@BOTH
@pytest.mark.parametrize("text", ["9", " -1.5e3 ", "0"])
def test_numbers_as_texts_are_refused_where_nothing_else_is_known(estimator, text):
    for model in (estimator(seed=1), learned(estimator, {"b": 1.0})):
        before = pickle.dumps(model)
        for refused in (
            lambda model=model: model.learn_one({"b": 1.0, "a": text}, 1),
            lambda model=model: model.learn_many(pd.DataFrame({"b": [1.0], "a": [text]}), pd.Series([1])),
        ):
            with pytest.raises(
                TypeError,
                match=f"'a': '{text}' is a number written as text; convert it first, .* converters={{'a': float}}",
            ):
                refused()
        assert pickle.dumps(model) == before
    # A category of digits among words, such as a postal code, is a word.
    learned(estimator, WORDS).learn_one({"a": text}, 1)
    learned(estimator, WORDS).learn_many(pd.DataFrame({"a": ["blue", text]}), pd.Series([0, 1]))
    # Texts like those of `csv.DictReader` do not say what they are.
    with pytest.raises(TypeError, match="is a number written as text"):
        MondrianClassifier().learn_one({"a": text}, 1)


def test_none_is_no_label():
    model = MondrianClassifier(seed=0)
    for learn in (
        lambda: model.learn_one({"a": 1.0}, None),
        lambda: model.learn_many(pd.DataFrame({"a": [1.0, 2.0]}), pd.Series(["x", None], dtype=object)),
    ):
        with pytest.raises(ValueError, match="the label None is missing; leave out its row"):
            learn()
    assert model.predict_one({"a": 1.0}) is None and model.predict_proba_one({"a": 1.0}) == {}
