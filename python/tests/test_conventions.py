"""What users of scikit-learn and River expect: names, defaults, weights, sparse matrices, and clear refusals."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor, VotingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from online_forests import Classifier, river
from online_forests import sklearn as forests
from online_forests.sklearn import _sparse

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


class TestDefaults:
    def test_no_number_of_jobs_is_one_thread(self):
        forest = forests.MondrianClassifier().fit(*IRIS)
        assert forest._core.threads == 1
        assert forests.MondrianClassifier(n_jobs=-1).fit(*IRIS)._core.threads == 0

    def test_no_random_state_draws_a_seed_by_numpy(self):
        forest, other = (forests.MondrianClassifier().fit(*IRIS) for _ in range(2))
        assert forest._core.to_bytes() != other._core.to_bytes()
        np.random.seed(3)
        one = forests.MondrianClassifier().fit(*IRIS)
        np.random.seed(3)
        again = forests.MondrianClassifier().fit(*IRIS)
        assert one._core.to_bytes() == again._core.to_bytes()

    def test_forests_of_an_ensemble_differ(self):
        vote = VotingClassifier([(name, forests.MondrianClassifier()) for name in "ab"], voting="soft").fit(*IRIS)
        one, other = vote.estimators_
        assert one._core.to_bytes() != other._core.to_bytes()

    def test_trees_are_called_as_in_river(self):
        assert river.AMFClassifier(n_estimators=3).n_estimators == 3
        assert river.AMFRegressor(n_estimators=3)._new_core(2).trees == 3
        assert river.MondrianClassifier(n_models=3)._new_core(2).trees == 3

    def test_each_library_has_the_number_of_trees_that_its_users_expect(self):
        for name in (
            "AMFClassifier",
            "DynamicExtraTreesRegressor",
            "ResidualForestClassifier",
            "ResidualForestRegressor",
        ):
            assert getattr(forests, name)()._new_core(2).trees == 100
            assert getattr(river, name)()._new_core(2).trees == 10


class TestRefusals:
    @pytest.mark.parametrize("model", [river.MondrianClassifier, river.MondrianRegressor])
    def test_unknown_keywords_are_an_error(self, model):
        model = model()
        model.learn_one({"a": 1.0}, 1)
        with pytest.raises(TypeError, match="with_interval"):
            model.predict_one({"a": 1.0}, with_interval=True)
        if hasattr(model, "predict_proba_one"):
            with pytest.raises(TypeError, match="with_interval"):
                model.predict_proba_one({"a": 1.0}, with_interval=True)

    @pytest.mark.parametrize("missing", [float("nan"), np.float64("nan")])
    def test_a_missing_label_is_not_a_class(self, missing):
        model = river.MondrianClassifier(seed=1)
        model.learn_one({"a": 1.0}, "yes")
        with pytest.raises(ValueError, match="label"):
            model.learn_one({"a": 2.0}, missing)
        with pytest.raises(ValueError, match="label"):
            model.learn_many(pd.DataFrame({"a": [2.0, 3.0]}), pd.Series(["no", missing], dtype=object))
        assert model.predict_proba_one({"a": 1.0}) == {"yes": 1.0}
        assert model._core.samples_seen == 1

    def test_texts_and_numbers_are_not_mixed_as_labels(self):
        X, y = IRIS
        forest = forests.MondrianClassifier(random_state=0).partial_fit(X, y)
        with pytest.raises(ValueError, match="text"):
            forest.partial_fit(X[:2], ["a", "b"])
        assert forest.classes_.dtype == y.dtype and list(forest.classes_) == [0, 1, 2]

    @pytest.mark.parametrize("task", ["Classifier", "Regressor"])
    def test_after_a_refused_fit_the_columns_are_those_before(self, task):
        X, y = load_iris(return_X_y=True, as_frame=True)
        forest = getattr(forests, f"Mondrian{task}")(random_state=0).fit(X, y)
        before, renamed = forest.predict(X), X.rename(columns=str.upper)
        with pytest.raises(ValueError):
            forest.fit(renamed.assign(more=1.0), np.full(len(y), np.nan))
        with pytest.raises(ValueError):
            forest.fit(renamed * 1e300, y)
        assert list(forest.feature_names_in_) == list(X.columns)
        np.testing.assert_array_equal(forest.predict(X), before)

    def test_numbers_beyond_float32_are_written_short(self):
        X, y = IRIS
        forest = forests.MondrianClassifier(random_state=0).fit(X, y)
        for rows in (X * 1e300, sparse.csr_matrix(X * 1e300)):
            with pytest.raises(ValueError, match=r"e\+?300") as refused:
                forest.predict(rows)
            assert len(str(refused.value)) < 200
        model = river.MondrianClassifier()
        with pytest.raises(ValueError, match=r"e\+?300") as refused:
            model.learn_one({"a": 1e300}, 1)
        assert len(str(refused.value)) < 200

    def test_the_class_cap_is_a_parameter(self):
        X = np.arange(8.0).reshape(-1, 1)
        with pytest.raises(ValueError, match="class_cap") as refused:
            forests.MondrianClassifier(class_cap=5).fit(X, np.arange(8))
        assert "Schema" not in str(refused.value)
        assert len(forests.MondrianClassifier(class_cap=8).fit(X, np.arange(8)).classes_) == 8
        model = river.MondrianClassifier(class_cap=2)
        for label in "ab":
            model.learn_one({"a": 1.0}, label)
        with pytest.raises(ValueError, match="class_cap"):
            model.learn_one({"a": 1.0}, "c")
        assert set(model.predict_proba_one({"a": 1.0})) == {"a", "b"}


class TestWeights:
    @pytest.mark.parametrize("name", ["MondrianClassifier", "DynamicExtraTreesClassifier"])
    def test_a_fit_with_weights_is_a_first_partial_fit(self, name):
        X, y = IRIS
        weights = np.random.default_rng(0).uniform(0.1, 3.0, len(y))
        forest = getattr(forests, name)(random_state=0)
        if "recheck" in forest.get_params():
            forest.set_params(recheck=0.0)
        fitted = clone(forest).fit(X, y, sample_weight=weights)
        partly = clone(forest).partial_fit(X, y, sample_weight=weights)
        np.testing.assert_array_equal(fitted.predict_proba(X), partly.predict_proba(X))

    @pytest.mark.parametrize("name", ["MondrianClassifier", "MondrianRegressor"])
    def test_rows_of_weight_0_are_left_out(self, name):
        X, y = IRIS
        weights = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.5)
        forest = getattr(forests, name)(random_state=0).fit(X, y, sample_weight=weights)
        kept = weights > 0
        other = getattr(forests, name)(random_state=0).fit(X[kept], y[kept], sample_weight=weights[kept])
        np.testing.assert_array_equal(forest.predict(X), other.predict(X))
        assert forest.samples_seen_ == kept.sum()
        with pytest.raises(ValueError, match="at least one non-zero"):
            forest.fit(X, y, sample_weight=np.zeros(len(y)))
        with pytest.raises(ValueError, match="-1"):
            forest.fit(X, y, sample_weight=np.where(y == 0, -1.0, 1.0))
        assert forest.samples_seen_ == kept.sum()

    def test_a_class_whose_rows_weigh_0_is_a_class_of_a_fit(self):
        X, y = IRIS
        forest = forests.MondrianClassifier(random_state=0).fit(X, y, sample_weight=(y != 1).astype(float))
        assert list(forest.classes_) == [0, 1, 2]
        assert forest.predict_proba(X).shape == (150, 3)

    def test_class_weights_of_the_constructor_are_those_of_rows(self):
        X, y = IRIS
        named = np.array(["a", "b", "c"])[y]
        by_label = forests.MondrianClassifier(random_state=0, class_weight={"b": 4.0}).fit(X, named)
        by_row = forests.MondrianClassifier(random_state=0).fit(
            X, named, sample_weight=np.where(named == "b", 4.0, 1.0)
        )
        np.testing.assert_array_equal(by_label.predict_proba(X), by_row.predict_proba(X))
        X, named = X[:120], named[:120]
        balanced = forests.MondrianClassifier(random_state=0, class_weight="balanced").fit(X, named)
        by_row = forests.MondrianClassifier(random_state=0).fit(
            X, named, sample_weight=np.where(named == "c", 2.0, 0.8)
        )
        np.testing.assert_array_equal(balanced.predict_proba(X), by_row.predict_proba(X))
        with pytest.raises(TypeError, match="balanced"):
            forests.MondrianClassifier(class_weight="balanced").partial_fit(X, named)

    def test_boosting_and_voting_hand_weights_on(self):
        X, y = IRIS
        boosted = AdaBoostClassifier(forests.MondrianClassifier(n_estimators=3), n_estimators=5, random_state=0).fit(
            X, y
        )
        assert boosted.score(X, y) > 0.9
        AdaBoostRegressor(forests.MondrianRegressor(n_estimators=3), n_estimators=3, random_state=0).fit(*DIABETES)
        vote = VotingClassifier([("a", forests.MondrianClassifier(random_state=0))], voting="soft").fit(
            X, y, sample_weight=1.0 + y
        )
        own = forests.MondrianClassifier(random_state=0).fit(X, y, sample_weight=1.0 + y)
        np.testing.assert_allclose(vote.predict_proba(X), own.predict_proba(X))

    def test_learners_without_weights_have_no_parameter_for_them(self):
        with pytest.raises(TypeError):
            forests.BoundaryForestClassifier().fit(*IRIS, sample_weight=np.ones(150))
        assert "class_weight" not in forests.BoundaryForestClassifier().get_params()


class TestSparse:
    @pytest.mark.parametrize("kind", [sparse.csr_matrix, sparse.csc_matrix, sparse.coo_array])
    @pytest.mark.parametrize("name", ["AMFClassifier", "MondrianRegressor", "BoundaryForestClassifier"])
    def test_a_sparse_matrix_is_its_rows_in_blocks(self, name, kind, monkeypatch):
        # Several blocks, the last of which is not full.
        monkeypatch.setattr(_sparse, "BLOCK", 44 * 4)
        X, y = IRIS
        X = np.where(X > 1.5, X, 0.0)
        forest = getattr(forests, name)(random_state=0).fit(kind(X), y)
        dense = getattr(forests, name)(random_state=0).fit(X, y)
        assert forest._core.to_bytes() == dense._core.to_bytes()
        np.testing.assert_array_equal(forest.predict(kind(X)), dense.predict(X))
        forest.partial_fit(kind(X), y)
        assert forest.samples_seen_ == 300

    def test_a_matrix_with_a_number_beyond_float32_changes_nothing(self, monkeypatch):
        monkeypatch.setattr(_sparse, "BLOCK", 44 * 4)
        X, y = IRIS
        forest = forests.MondrianClassifier(random_state=0).partial_fit(X, y)
        wrong = X.copy()
        wrong[149, 0] = 1e300
        with pytest.raises(ValueError, match="float32"):
            forest.partial_fit(sparse.csr_matrix(wrong), y)
        assert forest.samples_seen_ == 150

    def test_columns_of_words_in_a_pipeline(self):
        rng = np.random.default_rng(0)
        words = rng.choice([f"w{i}" for i in range(40)], 400)
        frame = pd.DataFrame({"word": words, "x": rng.random(400)})
        target = np.isin(words, [f"w{i}" for i in range(0, 40, 2)])
        columns = ColumnTransformer(
            [("words", OneHotEncoder(), ["word"]), ("numbers", StandardScaler(), ["x"])], sparse_threshold=1.0
        )
        assert sparse.issparse(columns.fit_transform(frame))
        forest = make_pipeline(columns, forests.DynamicExtraTreesClassifier(random_state=0)).fit(
            frame[:300], target[:300]
        )
        assert forest.score(frame[300:], target[300:]) > 0.8


class TestAtOnce:
    def test_exact_trees_are_those_of_partial_fit(self):
        X, y = DIABETES
        fitted = forests.DynamicExtraTreesRegressor(recheck=0.0, random_state=0).fit(X, y)
        partly = forests.DynamicExtraTreesRegressor(recheck=0.0, random_state=0).partial_fit(X, y)
        np.testing.assert_array_equal(fitted.predict(X), partly.predict(X))
        fitted.partial_fit(X, y)
        assert fitted.samples_seen_ == 2 * len(y)

    def test_lazy_trees_are_those_of_exact_ones(self):
        X, y = IRIS
        lazy = forests.DynamicExtraTreesClassifier(random_state=0).fit(X, y)
        exact = forests.DynamicExtraTreesClassifier(recheck=0.0, random_state=0).fit(X, y)
        assert [json.loads(lazy.export_tree(tree)) for tree in range(10)] == [
            json.loads(exact.export_tree(tree)) for tree in range(10)
        ]
        core = Classifier("dynamic-extra-trees", 4, seed=0, classes=3)
        core.learn(X, y)
        assert lazy._core.to_bytes() != core.to_bytes()

    @pytest.mark.parametrize(("task", "data"), [("Classifier", IRIS), ("Regressor", DIABETES)])
    def test_weights_are_rows_that_are_repeated_in_any_order(self, task, data):
        X, y = data
        rng = np.random.default_rng(3)
        weights = rng.integers(0, 4, len(y))
        repeated = rng.permutation(np.repeat(np.arange(len(y)), weights))
        forest = getattr(forests, f"DynamicExtraTrees{task}")(random_state=0)
        expected = clone(forest).fit(X[repeated], y[repeated]).predict(X)
        for rows in (X, sparse.csr_matrix(X)):
            np.testing.assert_allclose(clone(forest).fit(rows, y, sample_weight=weights).predict(X), expected)


class TestLaterFeatures:
    @pytest.mark.parametrize("name", ["DynamicExtraTreesClassifier", "AMFClassifier"])
    def test_one_hot_features_that_appear_later_are_learned(self, name):
        model = getattr(river, name)(seed=1)
        rng, right = np.random.default_rng(2), 0
        for row in range(1500):
            # Words come up over time.
            word = int(rng.integers(0, 2 + row // 40))
            x, y = {f"word_{word}": 1}, word % 3
            right += row >= 750 and model.predict_one(x) == y
            model.learn_one(x, y)
        assert right / 750 > 0.8
