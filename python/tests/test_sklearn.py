"""The estimators of scikit-learn: its own suite, whole, and what it does not try."""

from __future__ import annotations

import copy
import os
import pickle

os.environ.setdefault("SCIPY_ARRAY_API", "1")

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from conftest import expected_failures, few_trees, tried
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import BaggingClassifier, BaggingRegressor, StackingClassifier, VotingClassifier
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multioutput import MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils._test_common.instance_generator import _get_expected_failed_checks
from sklearn.utils.estimator_checks import check_estimator

import online_forests.sklearn as forests
from online_forests import Classifier, Regressor, load
from online_forests.sklearn import (
    AMFClassifier,
    BoundaryNeighbors,
    ConformalRegressor,
    MondrianClassifier,
    MondrianRegressor,
)

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def passes_whole(estimator) -> int:
    """Runs every check of scikit-learn; none may be skipped, and those that are expected to fail do."""
    expected = expected_failures(estimator)
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    wrong = [
        (result["check_name"], result["status"], result["exception"])
        for result in results
        if result["status"] not in ("passed", "xfail")
    ]
    assert not wrong
    assert {result["check_name"] for result in results if result["status"] == "xfail"} == set(expected)
    return len(results)


@pytest.mark.parametrize("name", tried(forests))
def test_every_estimator_passes_the_suite_of_scikit_learn(name):
    assert sklearn.get_config()["array_api_dispatch"] is False and os.environ["SCIPY_ARRAY_API"] == "1"
    assert passes_whole(few_trees(getattr(forests, name)())) > 40


@pytest.mark.parametrize(
    "wrapped",
    [
        make_pipeline(StandardScaler(), MondrianClassifier(n_estimators=10, random_state=0)),
        make_pipeline(StandardScaler(), MondrianRegressor(n_estimators=10, random_state=0)),
        BaggingClassifier(MondrianClassifier(n_estimators=2, random_state=0), n_estimators=3, random_state=0),
        BaggingRegressor(MondrianRegressor(n_estimators=2, random_state=0), n_estimators=3, random_state=0),
        GridSearchCV(MondrianClassifier(n_estimators=10, random_state=0), {"budget": [1.0, 10.0]}, cv=2),
    ],
    ids=lambda wrapped: type(wrapped).__name__,
)
def test_the_suite_passes_inside_wrappers(wrapped):
    # What scikit-learn says of its own wrappers, whatever is in them.
    expected = _get_expected_failed_checks(wrapped)
    results = check_estimator(wrapped, expected_failed_checks=expected, on_skip=None, on_fail=None)
    wrong = [result for result in results if result["status"] == "failed"]
    assert not [(result["check_name"], result["exception"]) for result in wrong]


@pytest.mark.parametrize("name", [name for name in tried(forests) if name.endswith("Classifier")])
def test_parts_are_the_whole_and_the_core(name):
    X, y = IRIS
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    estimator = (
        getattr(forests, name)(random_state=3)
        if "random_state" in getattr(forests, name)().get_params()
        else getattr(forests, name)()
    )
    estimator = few_trees(estimator)
    if "recheck" in estimator.get_params():
        # Lazy trees that are built at once are others: test_conventions.py.
        estimator.set_params(recheck=0.0)
    whole = clone(estimator).fit(X, y)
    parts = clone(estimator)
    for start in range(0, 150, 40):
        parts.partial_fit(X[start : start + 40], y[start : start + 40], classes=[0, 1, 2])
    core = Classifier(estimator._text(), 4, trees=10, seed=3, classes=3)
    core.learn(X, y)
    np.testing.assert_array_equal(whole.predict_proba(X), core.predict(X))
    np.testing.assert_array_equal(parts.predict_proba(X), core.predict(X))
    assert parts._core.to_bytes() == core.to_bytes()
    # Exact trees keep subtrees aside as they learn row by row.
    assert whole._core.to_bytes() == core.to_bytes() or "recheck" in estimator.get_params()


@pytest.mark.parametrize("name", ["AMF", "DynamicExtraTrees", "Mondrian", "ResidualForest"])
def test_a_table_may_be_sorted_by_its_target(name):
    X, y = IRIS  # The first 50 rows are of one class, the last 50 of another.
    assert getattr(forests, f"{name}Classifier")(random_state=0).fit(X[::2], y[::2]).score(X[1::2], y[1::2]) > 0.92
    X, y = DIABETES
    order = np.argsort(y)
    learned, others = np.arange(len(y)) % 4 != 0, np.arange(len(y)) % 4 == 0
    sorted_rows = order[learned[order]]
    scores = [
        getattr(forests, f"{name}Regressor")(random_state=0).fit(X[rows], y[rows]).score(X[others], y[others])
        for rows in (learned, sorted_rows)
    ]
    assert scores[1] > scores[0] - 0.07


def test_float32_and_float64_rows_are_the_same_rows():
    X, y = DIABETES
    X = X.astype(np.float32)
    one, other = (
        MondrianRegressor(random_state=0).fit(X, y),
        MondrianRegressor(random_state=0).fit(X.astype(np.float64), y),
    )
    assert one._core.to_bytes() == other._core.to_bytes()


@pytest.mark.parametrize(
    "labels",
    [["setosa", "versicolor", "virginica"], [-3, 0, 7], [2.0, 1.0, 3.0], np.array(["b", "c", "a"], dtype=object)],
    ids=["texts", "whole numbers", "numbers", "objects"],
)
def test_labels_of_any_kind(labels):
    X, y = IRIS
    named = np.asarray(labels)[y]
    forest = AMFClassifier().fit(X, named)
    np.testing.assert_array_equal(forest.classes_, np.sort(np.asarray(labels)))
    assert forest.score(X, named) > 0.95
    by_truth = MondrianClassifier().fit(X, y == 1)
    assert by_truth.predict(X).dtype == bool


def test_a_new_label_becomes_a_class_and_classes_stay_sorted():
    X, y = IRIS
    names = np.array(["zebra", "ant", "mole"])[y]
    forest = MondrianClassifier()
    for start in range(0, 150, 25):
        forest.partial_fit(X[start : start + 25], names[start : start + 25])
        assert list(forest.classes_) == sorted(set(names[: start + 25]))
    assert forest.score(X, names) > 0.95
    np.testing.assert_array_equal(forest.classes_[forest.predict_proba(X).argmax(axis=1)], forest.predict(X))


def test_classes_that_were_stated_are_all_there_are():
    X, y = IRIS
    forest = MondrianClassifier().partial_fit(X[:60], y[:60], classes=[0, 1])
    before = forest._core.to_bytes()
    with pytest.raises(ValueError, match="labels \\[2\\] are not among the classes \\[0 1\\]"):
        forest.partial_fit(X, y)
    with pytest.raises(ValueError, match="but were"):
        forest.partial_fit(X, y, classes=[0, 1, 2])
    assert forest._core.to_bytes() == before and list(forest.classes_) == [0, 1]


@pytest.mark.parametrize("first", [True, False], ids=["first rows", "later rows"])
def test_a_refused_batch_leaves_labels_columns_and_counts(first):
    X, y = IRIS
    forest = MondrianClassifier()
    if not first:
        forest.fit(pd.DataFrame(X, columns=list("abcd")), y)
    before = pickle.dumps(forest) if not first else None
    new = np.full(150, 9)
    refusals = [
        lambda: forest.partial_fit(X * 1e300, new),
        lambda: forest.partial_fit(X, new, sample_weight=np.full(150, -1.0)),
        lambda: forest.fit(X[:, :2] * 1e300, new),
        lambda: forest.fit(pd.DataFrame(X * 1e300, columns=list("wxyz")), new),
        lambda: MondrianClassifier.fit(forest.set_params(budget=-1.0), X[:, :2], new),
    ]
    for refused in refusals:
        with pytest.raises(ValueError):
            refused()
        forest.set_params(budget=MondrianClassifier().budget)
        if first:
            assert (
                not hasattr(forest, "classes_")
                and not hasattr(forest, "n_features_in_")
                and not hasattr(forest, "samples_seen_")
            )
        else:
            assert pickle.dumps(forest) == before
            assert (
                list(forest.classes_) == [0, 1, 2]
                and list(forest.feature_names_in_) == list("abcd")
                and forest.samples_seen_ == 150
            )
    if first:
        assert forest.partial_fit(X[:, :2], y).n_features_in_ == 2


def fitted(name):
    """An estimator of a family, and its rows."""
    X, y = IRIS if name.endswith("Classifier") else DIABETES
    return few_trees(getattr(forests, name)()).fit(X, y), X, y


@pytest.mark.parametrize("name", tried(forests))
def test_a_fitted_estimator_can_be_looked_at(name):
    forest, X, _ = fitted(name)
    members = {attribute: getattr(forest, attribute) for attribute in dir(forest) if hasattr(forest, attribute)}
    assert "predict" in members or "kneighbors" in members
    assert "n_features_in_" in members and members["n_features_in_"] == X.shape[1]
    assert type(forest).__name__ in forest._repr_html_() and forest._repr_mimebundle_()
    if "explain" in getattr(forest, "_capabilities", frozenset)():
        importances = members["feature_importances_"]
        assert importances.shape == (X.shape[1],) and importances.sum() == pytest.approx(1) and (importances >= 0).all()
        assert not hasattr(clone(forest), "feature_importances_")
    else:
        assert "feature_importances_" not in members


def test_features_are_selected_by_their_importance():
    X, y = IRIS
    chosen = SelectFromModel(MondrianClassifier(), threshold="mean").fit(X, y)
    np.testing.assert_array_equal(
        chosen.get_support(), chosen.estimator_.feature_importances_ >= chosen.estimator_.feature_importances_.mean()
    )
    assert RFE(MondrianClassifier(), n_features_to_select=2).fit(X, y).transform(X).shape == (150, 2)


def test_parameters_reach_the_core():
    forest = MondrianRegressor(budget=np.float64(3), min_points=np.int64(2), labels="hierarchical")
    forest.fit(*DIABETES)
    assert "budget=3,min_points=2" in forest._core.algorithm and "labels=hierarchical" in forest._core.algorithm


def test_deviations_and_intervals_where_the_learner_has_them():
    X, y = DIABETES
    forest = few_trees(ConformalRegressor()).fit(X, y)
    means, deviations = forest.predict(X, return_std=True)
    np.testing.assert_allclose(deviations**2, forest._core.means_and_variances(X)[:, 1], rtol=1e-12)
    np.testing.assert_array_equal(means, forest.predict(X))
    bounds = forest.predict_interval(X, level=0.8)
    assert (bounds[:, 0] < means).all() and (means < bounds[:, 1]).all() and (deviations > 0).all()
    assert hasattr(MondrianRegressor(labels="hierarchical"), "predict_interval")
    plain = MondrianRegressor().fit(X, y)
    assert not hasattr(plain, "predict_interval")
    with pytest.raises(TypeError, match="mondrian cannot report variances"):
        plain.predict(X, return_std=True)


def test_names_of_features_come_from_frames():
    X, y = IRIS
    names = ["a", "b", "c", "d"]
    for frame in (pd.DataFrame(X, columns=names), pl.DataFrame(X, schema=names)):
        forest = MondrianClassifier(random_state=0).fit(frame, y)
        assert list(forest.feature_names_in_) == names
        assert forest._core.to_bytes() == MondrianClassifier(random_state=0).fit(X, y)._core.to_bytes()
        with pytest.raises(ValueError, match="feature names"):
            forest.predict(pd.DataFrame(X, columns=names[::-1]))
        assert "a" in forest.export_tree(0, max_depth=2)
        assert "class" in forest.decision_path_text(X[0]) or "a = " in forest.decision_path_text(X[0])


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda forest: pickle.loads(pickle.dumps(forest)), "joblib"]
)
def test_copies_continue_alike(copied, tmp_path):
    X, y = IRIS
    forest = MondrianClassifier(n_jobs=1).fit(X, y)
    if copied == "joblib":
        joblib.dump(forest, tmp_path / "forest")
        other = joblib.load(tmp_path / "forest")
    else:
        other = copied(forest)
    assert pickle.dumps(other) == pickle.dumps(forest)
    forest.partial_fit(X, y)
    other.partial_fit(X, y)
    assert other._core.to_bytes() == forest._core.to_bytes()


def test_what_is_saved_is_read_without_scikit_learn(tmp_path):
    X, y = DIABETES
    forest = MondrianRegressor().fit(X, y)
    forest.save(tmp_path / "forest")
    core = Regressor.load(tmp_path / "forest")
    np.testing.assert_array_equal(core.predict(X)[:, 0], forest.predict(X))
    core.save(tmp_path / "core")
    assert type(load(tmp_path / "core")) is Regressor


def test_what_is_saved_is_loaded_by_its_class(tmp_path):
    X, y = IRIS
    names = np.array(["setosa", "versicolor", "virginica"])
    forest = MondrianClassifier(budget=3.5, min_points=4, n_estimators=7, random_state=1).fit(X, names[y])
    forest.save(tmp_path / "forest")
    loaded = MondrianClassifier.load(tmp_path / "forest", labels=forest.classes_, features=["a", "b", "c", "d"])
    assert type(loaded) is MondrianClassifier and (loaded.budget, loaded.min_points, loaded.n_estimators) == (3.5, 4, 7)
    frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
    np.testing.assert_array_equal(loaded.predict_proba(frame), forest.predict_proba(X))
    np.testing.assert_array_equal(loaded.predict(frame), forest.predict(X))
    assert loaded.partial_fit(frame, names[y])._core.to_bytes() == forest.partial_fit(X, names[y])._core.to_bytes()
    assert list(MondrianClassifier.load(tmp_path / "forest").classes_) == [0, 1, 2]
    for wrong in (MondrianRegressor, AMFClassifier, forests.MondrianIncreasingClassifier):
        with pytest.raises(
            ValueError, match=f"is not of the class {wrong.__name__}; online_forests.load reads any learner"
        ):
            wrong.load(tmp_path / "forest")
    with pytest.raises(ValueError, match="has 3 classes, but 2 labels are given"):
        MondrianClassifier.load(tmp_path / "forest", labels=["a", "b"])
    for name in tried(forests):
        if name != "BoundaryNeighbors":
            X, y = IRIS if name.endswith("Classifier") else DIABETES
            forest = few_trees(getattr(forests, name)()).fit(X, y)
            forest.save(tmp_path / name)
            loaded = type(forest).load(tmp_path / name)
            np.testing.assert_array_equal(loaded.predict(X), forest.predict(X))
            assert loaded._core.algorithm == forest._core.algorithm == clone(loaded).fit(X, y)._core.algorithm


def test_parameters_that_were_changed_are_taken_by_fit_alone():
    X, y = IRIS
    forest = MondrianClassifier(n_estimators=10, random_state=0).fit(X, y)
    before = forest._core.to_bytes()
    for name, old, new in (("n_estimators", 10, 3), ("budget", MondrianClassifier().budget, 2.0)):
        with pytest.raises(
            ValueError, match=f"{name} was {old!r} when the first rows were learned, and is {new!r}; fit starts again"
        ):
            forest.set_params(**{name: new}).partial_fit(X, y)
        forest.set_params(**{name: old})
    assert (
        forest._core.to_bytes() == before
        and forest.set_params(n_jobs=2, verbose=0).partial_fit(X, y).samples_seen_ == 300
    )
    forest.set_params(n_estimators=3)
    assert forest.fit(X, y).partial_fit(X, y)._core.trees == 3
    assert MondrianClassifier().partial_fit(X, y).set_params(random_state=5).partial_fit(X, y).samples_seen_ == 300


def test_searches_and_ensembles_take_them():
    X, y = IRIS
    order = np.random.default_rng(0).permutation(len(X))
    X, y = X[order], y[order]
    search = GridSearchCV(MondrianClassifier(), {"budget": [0.1, 10.0], "n_estimators": [3]}, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.85
    forests = [("mondrian", MondrianClassifier()), ("amf", AMFClassifier())]
    for ensemble in (
        VotingClassifier(forests, voting="soft"),
        StackingClassifier(forests),
        BaggingClassifier(AMFClassifier()),
    ):
        assert cross_val_score(ensemble, X, y, cv=3).mean() > 0.85
    X, y = DIABETES
    both = MultiOutputRegressor(MondrianRegressor()).fit(X, np.column_stack([y, -y]))
    assert both.predict(X).shape == (442, 2)


def test_neighbours_are_near():
    points = np.random.default_rng(0).random((500, 3))
    neighbors = BoundaryNeighbors(n_estimators=30, n_neighbors=3).fit(points[:250]).partial_fit(points[250:])
    assert neighbors.n_samples_fit_ == 500
    distances, indices = neighbors.kneighbors(points)
    found = np.isfinite(distances).all(axis=1)
    assert (np.diff(distances[found]) >= 0).all() and (indices[:, 0] == np.arange(500)).mean() > 0.95
    np.testing.assert_array_equal(neighbors.kneighbors(points, return_distance=False), indices)
    other = pickle.loads(pickle.dumps(neighbors))
    np.testing.assert_array_equal(other.kneighbors(points)[1], indices)
    with pytest.raises(ValueError, match="metric must be one of"):
        BoundaryNeighbors(metric="hamming").fit(points)
    with pytest.raises(ValueError, match="n_neighbors must be at least 1"):
        neighbors.kneighbors(points, 0)
