"""Contributions of features, leaves and trees as data: what is reported of predictions adds up to them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from online_forests import river
from online_forests import sklearn as forests

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)
CLASSIFIERS = ["MondrianClassifier", "AMFClassifier", "OBSPClassifier", "DynamicExtraTreesClassifier"]
REGRESSORS = [
    "MondrianRegressor",
    "AMFRegressor",
    "DynamicExtraTreesRegressor",
    "ResidualForestRegressor",
    "Mondrian2016Regressor",
]


def fitted(name, X, y):
    return getattr(forests, name)(n_estimators=5, random_state=1).fit(X, y)


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_contributions_add_up_to_probabilities(name):
    if not hasattr(forests, name):
        pytest.skip("no such algorithm")
    X, y = IRIS
    # The order of classes is that of `classes_`, not that of their first samples.
    labels = np.array(["zebra", "ant", "mole"])[y]
    forest = fitted(name, X, labels)
    contributions = forest.feature_contributions(X[:20])
    assert contributions.shape == (20, 5, 3)
    np.testing.assert_allclose(contributions.sum(axis=1), forest.predict_proba(X[:20]), atol=1e-9)


@pytest.mark.parametrize("name", REGRESSORS)
def test_contributions_add_up_to_predictions(name):
    X, y = DIABETES
    forest = fitted(name, X, y)
    contributions = forest.feature_contributions(X[:20])
    assert contributions.shape == (20, 11)
    np.testing.assert_allclose(contributions.sum(axis=1), forest.predict(X[:20]), rtol=1e-9)


def as_shap(text: str, share: float) -> dict[str, np.ndarray]:
    """An exported tree as the package shap reads trees."""
    nodes = json.loads(text)["nodes"]
    children = np.array([node["children"] or [-1, -1] for node in nodes])
    cuts = [node["cut"] or {"normal": [[-2, 1.0]], "threshold": 0.0} for node in nodes]
    signs = np.array([cut["normal"][0][1] for cut in cuts])
    assert (signs == 1.0).all()
    return {
        "children_left": children[:, 0],
        "children_right": children[:, 1],
        "children_default": children[:, 0],
        "features": np.array([cut["normal"][0][0] for cut in cuts]),
        "thresholds": np.array([cut["threshold"] for cut in cuts]),
        "values": share * np.array([node["prediction"] for node in nodes]),
        "node_sample_weight": np.array([float(node["samples"]) for node in nodes]),
    }


@pytest.mark.parametrize(
    "name", ["MondrianRegressor", "AMFRegressor", "DynamicExtraTreesRegressor", "DynamicExtraTreesClassifier"]
)
def test_contributions_are_those_of_shap(name):
    shap = pytest.importorskip("shap", reason="shap is not installed: pip install shap")
    X, y = IRIS if name.endswith("Classifier") else DIABETES
    X = X.astype(np.float32)
    forest = fitted(name, X, y)
    trees = [as_shap(forest.export_tree(tree), 0.2) for tree in range(5)]
    explainer = shap.TreeExplainer({"trees": trees}, feature_perturbation="tree_path_dependent")
    own, others = (
        forest.feature_contributions(X[::20]),
        explainer.shap_values(X[::20].astype(np.float64), check_additivity=False),
    )
    scale = np.abs(own).max()
    np.testing.assert_allclose(own[:, :-1], np.asarray(others).reshape(own[:, :-1].shape), atol=1e-5 * scale)


@pytest.mark.parametrize("name", CLASSIFIERS + REGRESSORS)
def test_apply_says_in_which_node_of_each_exported_tree_a_row_ends(name):
    if not hasattr(forests, name):
        pytest.skip("no such algorithm")
    X, y = IRIS if name.endswith("Classifier") else DIABETES
    forest = fitted(name, X, y)
    leaves = forest.apply(X)
    assert leaves.shape == (len(X), 5)
    for tree in range(5):
        nodes = json.loads(forest.export_tree(tree))["nodes"]
        ends, counts = np.unique(leaves[:, tree], return_counts=True)
        assert all(nodes[end]["children"] is None for end in ends)
        assert [nodes[end]["samples"] for end in ends] == list(counts)


@pytest.mark.parametrize("name", ["MondrianClassifier", "DynamicExtraTreesRegressor", "AMFRegressor"])
def test_the_mean_of_the_trees_is_the_forest(name):
    X, y = IRIS if name.endswith("Classifier") else DIABETES
    forest = fitted(name, X, y)
    assert len(forest.estimators_) == 5
    predict = "predict_proba" if name.endswith("Classifier") else "predict"
    trees = [getattr(tree, predict)(X) for tree in forest.estimators_]
    np.testing.assert_allclose(np.mean(trees, axis=0), getattr(forest, predict)(X), atol=1e-9)
    assert not hasattr(forests.ResidualForestRegressor(n_estimators=5).fit(*DIABETES), "estimators_")


def test_log_probabilities():
    forest = fitted("AMFClassifier", *IRIS)
    np.testing.assert_array_equal(forest.predict_log_proba(IRIS[0]), np.log(forest.predict_proba(IRIS[0])))


def test_a_row_is_explained_by_the_names_of_its_columns():
    X, y = load_iris(return_X_y=True, as_frame=True)
    forest = forests.MondrianClassifier(random_state=0).fit(X, y)
    row = X.iloc[3]
    text = forest.decision_path_text(row)
    shuffled = X.columns[::-1]
    assert forest.decision_path_text(row[shuffled]) == text
    assert forest.decision_path_text({name: row[name] for name in shuffled}) == text
    assert forest.decision_path_text(row.to_numpy()) == text
    assert forest.decision_path_text(X.iloc[[3]]) == text
    with pytest.raises(ValueError, match="order"):
        forest.decision_path_text(X.iloc[[3]][shuffled])
    with pytest.raises(ValueError, match="petal"):
        forest.decision_path_text(row.drop("petal width (cm)"))


class TestRiver:
    def learned(self, name="MondrianClassifier", **parameters):
        model = getattr(river, name)(seed=1, **parameters)
        X, y = load_iris(return_X_y=True, as_frame=True)
        model.learn_many(X, y)
        return model, X.iloc[77].to_dict()

    def test_it_explains(self):
        model, x = self.learned()
        shuffled = dict(reversed(x.items()))
        assert set(model.feature_importances()) == set(x)
        assert sum(model.feature_importances().values()) == pytest.approx(1)
        assert model.decision_path_text(shuffled) == model.decision_path_text(x)
        contributions = model.feature_contributions_one(x)
        probabilities = model.predict_proba_one(x)
        assert set(contributions) == set(probabilities)
        for label, parts in contributions.items():
            assert set(parts) == {*x, None}
            assert sum(parts.values()) == pytest.approx(probabilities[label])

    def test_it_forgets(self):
        model, x = self.learned()
        model.forget(149)
        assert model.footprint()["stored_samples"] == 149
        with pytest.raises(ValueError, match="149"):
            model.forget(149)

    def test_it_gives_intervals(self):
        model = river.ConformalRegressor(seed=1)
        X, y = load_diabetes(return_X_y=True, as_frame=True)
        model.learn_many(X, y)
        low, high = model.predict_interval_one(X.iloc[0].to_dict(), level=0.8)
        assert low < model.predict_one(X.iloc[0].to_dict()) < high
        frame = model.predict_interval_many(X, level=0.8)
        assert isinstance(frame, pd.DataFrame) and list(frame.columns) == ["lower", "upper"]
        plain, x = self.learned("MondrianRegressor")
        with pytest.raises(TypeError, match="intervals"):
            plain.predict_interval_one(x)
