"""Missing values and categories through scikit-learn and River."""

import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest
from online_forests import river, sklearn
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

BOTH = ["DynamicExtraTrees", "ResidualForest"]


def sample(rows=400):
    """A number that is missing at times, a category, and a target that depends on both."""
    generator = np.random.default_rng(3)
    number, kind = generator.normal(size=rows), generator.integers(0, 6, rows)
    number[generator.random(rows) < 0.3] = np.nan
    y = np.where(np.isnan(number), 3.0, number) + np.array([0, 4, 1, 5, 2, 6])[kind]
    return np.column_stack([number, kind]), y


@pytest.mark.parametrize("name", BOTH)
class TestScikitLearn:
    def test_missing_values_are_learned(self, name):
        X, y = sample()
        forest = getattr(sklearn, f"{name}Regressor")(random_state=1, n_estimators=20, categorical_features=[1])
        assert forest.__sklearn_tags__().input_tags.allow_nan
        assert cross_val_score(forest, X, y, scoring="r2").mean() > 0.8
        classifier = getattr(sklearn, f"{name}Classifier")(random_state=1, categorical_features=np.array([False, True]))
        assert cross_val_score(classifier, X, y > 3).mean() > 0.85

    def test_categories_have_no_order(self, name):
        X, y = sample()
        forest = getattr(sklearn, f"{name}Regressor")
        as_numbers = forest(random_state=1).fit(X[:200], y[:200]).predict(X)
        names, frame = (
            forest(random_state=1, categorical_features=["kind"]),
            pd.DataFrame(X, columns=["number", "kind"]),
        )
        as_categories = names.fit(frame[:200], y[:200]).predict(frame)
        assert (as_numbers != as_categories).any()
        by_place = forest(random_state=1, categorical_features=[1]).fit(X[:200].astype(np.float32), y[:200])
        assert (by_place.predict(X) == as_categories).all()
        # Copies and rows one by one have the same categories.
        assert (pickle.loads(pickle.dumps(by_place)).predict(X[::-1]) == as_categories[::-1]).all()
        one_by_one = forest(random_state=1, categorical_features=[1])
        for row, target in zip(X, y, strict=True):
            one_by_one.partial_fit([row], [target])
        assert (
            one_by_one.predict(X) == forest(random_state=1, categorical_features=[1]).partial_fit(X, y).predict(X)
        ).all()

    def test_an_encoder_makes_them_of_words(self, name):
        X, y = sample()
        words = np.array(["a", "b", "c", "d", "e", "f"], dtype=object)[X[:, 1].astype(int)].reshape(-1, 1)
        encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
        forest = getattr(sklearn, f"{name}Regressor")(random_state=1, categorical_features=[0])
        pipeline = make_pipeline(encoder, forest).fit(words, y)
        assert np.isfinite(pipeline.predict(np.array([["a"], ["never seen"]], dtype=object))).all()

    @pytest.mark.parametrize(
        ("features", "value", "sentence"),
        [
            ([1], -1.0, "row 2, feature 1: -1 is not the number of a category"),
            ([1], 0.5, "row 2, feature 1: 0.5 is not the number"),
            ([1], 2.0**22, "is not the number of a category"),
            ([2], 1.0, "numbers of columns from 0 to 1"),
            (["kind"], 1.0, "not among those of X: \\['kind'\\]"),
            ([True], 1.0, "must have 2 entries as a mask"),
        ],
    )
    def test_wrong_categories_are_refused(self, name, features, value, sentence):
        X, y = sample(20)
        X[2, 1] = value
        forest = getattr(sklearn, f"{name}Regressor")(categorical_features=features)
        with pytest.raises(ValueError, match=sentence):
            forest.fit(X, y)
        assert not hasattr(forest, "samples_seen_")

    def test_infinities_are_refused(self, name):
        X, y = sample(20)
        X[2, 0] = np.inf
        with pytest.raises(ValueError, match="infinity"):
            getattr(sklearn, f"{name}Regressor")().fit(X, y)


@pytest.mark.parametrize("name", BOTH)
def test_river_has_missing_values_and_words(name):
    X, y = sample(300)
    missing = [None, float("nan"), np.float32("nan")]
    words = ["red", "green", "blue", "grey", "black", "white"]
    rows = [
        {"number": missing[at % 3] if np.isnan(a) else a, "kind": words[int(kind)]} for at, (a, kind) in enumerate(X)
    ]
    model = getattr(river, f"{name}Regressor")(seed=1, n_models=20)
    for row, target in zip(rows, y, strict=True):
        model.learn_one(row, target)
    errors = [model.predict_one(row) - target for row, target in zip(rows, y, strict=True)]
    assert np.mean(np.square(errors)) < 0.3 * np.var(y)
    # All of them are the same missing value; a word that was never seen has a prediction.
    assert len({model.predict_one({"number": value, "kind": "red"}) for value in missing}) == 1
    assert np.isfinite(model.predict_one({"number": 1.0, "kind": "violet"}))
    before = pickle.dumps(model)
    for wrong in ({"number": float("inf"), "kind": "red"}, {"number": 1.0, "kind": ["red"]}):
        with pytest.raises((TypeError, ValueError), match="feature"):
            model.learn_one(wrong, 1.0)
    assert pickle.dumps(model) == before


def test_other_learners_refuse_them():
    X, y = sample(20)
    with pytest.raises(ValueError, match="contains NaN"):
        sklearn.MondrianRegressor().fit(X, y)
    with pytest.raises(TypeError, match="unexpected keyword argument 'categorical_features'"):
        sklearn.MondrianRegressor(categorical_features=[1])


@pytest.mark.parametrize("features", [None, "from_dtype", ["colour"]])
def test_words_and_categorical_columns_are_categories(features: Any) -> None:
    frame = pd.DataFrame({"colour": ["red", "blue", None, "green"] * 50, "size": np.arange(200.0)})
    frame["code"] = pd.Categorical([3, 1, 2, 3] * 50)
    y = np.where(frame["colour"] == "blue", 3.0, 0.0)
    forest = sklearn.DynamicExtraTreesRegressor(random_state=1, categorical_features=features).fit(frame, y)
    assert forest.score(frame, y) == 1.0 and list(forest.feature_names_in_) == ["colour", "size", "code"]
    assert forest.predict(frame.iloc[[1]].assign(size=np.nan))[0] > 1.5
    unknown = frame.iloc[[1]].assign(colour=pd.Series(["mauve"], index=[1]))
    assert np.isfinite(forest.predict(unknown)).all()
    assert frame["colour"].iloc[0] == "red"


def test_a_list_of_numbers_is_the_text_with_slashes():
    X, y = np.arange(400.0).reshape(-1, 2), np.arange(200) % 2
    forests = [
        sklearn.ResidualForestClassifier(recent=recent, random_state=1).fit(X, y) for recent in ([40, 400], "40/400")
    ]
    assert (forests[0].predict_proba(X) == forests[1].predict_proba(X)).all()
