"""Weights of samples: the rule of copies, the bits of the core, and learners without weights."""

from __future__ import annotations

import copy

import numpy as np
import pandas as pd
import pytest
from conftest import data, every_learner, learner
from river import ensemble
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import online_forests.river as models
import online_forests.sklearn as forests
from online_forests import Classifier, Regressor, algorithms

# Neither pauses nor budgets of these count samples, and copies of points that are held change no cut: learned after all
# others, so that the random numbers of the others are the same, they leave the forest of whole weights.
NEVER = {"pause": "never"}
LAWFUL = [
    ("MondrianClassifier", NEVER),
    ("MondrianRegressor", NEVER),
    ("ObspClassifier", NEVER | {"budget": float("inf"), "min_points": 1}),
    ("ObspRegressor", NEVER | {"budget": float("inf"), "min_points": 1}),
]
WEIGHTS = np.tile([1.0, 3.0, 2.0, 1.0, 5.0], 30)


@pytest.mark.parametrize(("name", "parameters"), LAWFUL, ids=[name for name, _ in LAWFUL])
def test_whole_weights_are_copies_and_the_core_has_the_same_bits(name, parameters):
    x, y = data(150)
    x = np.round(x * 8) / 8  # Many points coincide, with labels that differ: leaves have something to count.
    y[::7] = 1 - y[::7]
    estimator = getattr(forests, name)(random_state=3, **parameters)
    known = {"classes": [0, 1]} if name.endswith("Classifier") else {}
    weighted = clone(estimator).partial_fit(x, y, sample_weight=WEIGHTS, **known)
    unweighted = clone(estimator).partial_fit(x, y, **known)
    copies = np.repeat(np.arange(150), WEIGHTS.astype(int) - 1)
    copied = copy.deepcopy(unweighted).partial_fit(x[copies], y[copies])
    asked, _ = data(200, seed=9)
    predictions = [
        getattr(forest, "predict_proba" if known else "predict")(asked) for forest in (weighted, copied, unweighted)
    ]
    np.testing.assert_allclose(predictions[0], predictions[1], rtol=1e-10, atol=1e-12)
    assert np.abs(predictions[0] - predictions[2]).max() > 0.01
    core = (Classifier if known else Regressor)(
        weighted._text(), 3, trees=weighted.n_estimators, seed=3, **({"classes": 2} if known else {})
    )
    core.learn(x, y, WEIGHTS)
    assert core.to_bytes() == weighted._core.to_bytes() != copied._core.to_bytes()


def takes_weights(task, algorithm):
    return "weights" in learner(task, algorithm).capabilities


@every_learner()
def test_weights_are_taken_row_by_row_or_refused(task, algorithm):
    x, y = data(60)
    weights = np.linspace(0.25, 4, 60)
    batch, single = learner(task, algorithm), learner(task, algorithm)
    if not takes_weights(task, algorithm):
        before = batch.to_bytes()
        with pytest.raises(TypeError, match=f"{algorithm} cannot learn with weights"):
            batch.learn(x, y, weights)
        assert batch.to_bytes() == before
        return
    batch.learn(x, y, weights)
    for row in range(60):
        single.learn(x[row : row + 1], y[row : row + 1], weights[row : row + 1])
    assert batch.to_bytes() == single.to_bytes()
    ones, none = learner(task, algorithm), learner(task, algorithm)
    ones.learn(x, y, np.ones(60))
    none.learn(x, y)
    assert ones.to_bytes() == none.to_bytes() != batch.to_bytes()


def test_forests_whose_statistics_weigh_samples_take_weights_and_others_do_not():
    taking = {
        entry["name"] for entry in algorithms() if entry["classification"] and takes_weights(Classifier, entry["name"])
    }
    assert {"mondrian", "obsp", "urtf", "dynamic-extra-trees", "residual-forest"} <= taking
    assert taking.isdisjoint({"amf", "stream-rf", "boundary-forest", "adaptive", "majority"})


@pytest.mark.parametrize(
    ("weights", "by_core", "by_estimator"),
    [
        (np.ones(3), "3 weights for 60 rows", "expected \\(60,\\)"),
        (np.zeros(60), "row 0: the weight 0 is not between 2\\^-20 and 2\\^20", "at least one non-zero"),
        (np.full(60, np.nan), "row 0: the weight NaN", "contains NaN"),
        (-np.ones(60), "row 0: the weight -1", "weights must be from 0 to 2\\^20, but are from -1 to -1"),
        (np.full(60, 2.0**21), "row 0: the weight 2097152", "but are from 2097152 to 2097152"),
        (np.ones((60, 1)), "weights must be an array of one dimension", "must be 1D array"),
        (["heavy"] * 60, "weights must be numbers", "could not convert string to float: 'heavy'"),
    ],
)
def test_weights_that_are_refused_leave_the_forest_as_it_was(weights, by_core, by_estimator):
    x, y = data(60)
    forest = forests.MondrianClassifier(random_state=0).partial_fit(x, y)
    core, before = forest._core, forest._core.to_bytes()
    with pytest.raises((ValueError, TypeError), match=by_core):
        core.learn(x, y, weights)
    with pytest.raises(ValueError, match=by_estimator):
        forest.partial_fit(x, y, sample_weight=weights)
    assert core is forest._core and core.to_bytes() == before


def test_labels_have_weights_that_multiply_those_of_rows():
    x, y = data(150)
    names = np.array(["no", "yes"])[y]
    by_label = forests.MondrianClassifier(random_state=0).partial_fit(
        x, names, sample_weight=WEIGHTS, class_weight={"yes": 4.0}
    )
    by_row = forests.MondrianClassifier(random_state=0).partial_fit(
        x, names, sample_weight=np.where(y == 1, 4 * WEIGHTS, WEIGHTS)
    )
    assert by_label._core.to_bytes() == by_row._core.to_bytes()
    # Leaves of several rows of both classes.
    coarse = {"budget": 2.0, "random_state": 0}
    alone = forests.MondrianClassifier(**coarse).partial_fit(x, names, class_weight={"yes": 4.0})
    plain = forests.MondrianClassifier(**coarse).partial_fit(x, names)
    assert alone.predict_proba(x)[:, 1].mean() > plain.predict_proba(x)[:, 1].mean()
    with pytest.raises(TypeError, match="class_weight must be a dictionary"):
        plain.partial_fit(x, names, class_weight="balanced")
    with pytest.raises(ValueError, match="inconsistent"):
        plain.partial_fit(x, names, sample_weight=[1.0], class_weight={"yes": 4.0})


def test_river_gives_a_weight_with_each_sample_or_frame():
    x, y = data(60)
    weights = WEIGHTS[:60]
    core = Classifier("mondrian", 3, classes=2)
    core.learn(x[:, :3], y, weights)
    for many in (False, True):
        model = models.MondrianClassifier(seed=0)
        model._names = {"labels": (0, 1)}
        if many:
            model.learn_many(pd.DataFrame(x, columns=list("abc")), pd.Series(y), w=pd.Series(weights))
        else:
            for row, label, weight in zip(x.tolist(), y.tolist(), weights.tolist(), strict=True):
                model.learn_one(dict(zip("abc", row, strict=True)), label, w=weight)
        assert model._core.to_bytes() == core.to_bytes()
    regressor = models.MondrianRegressor(seed=0)
    regressor.learn_one({"a": 0.1}, 1.0, w=2.5)
    regressor.learn_one({"a": 0.2, "b": 1.0}, 2.0, w=0.5)
    regressor.learn_many(pd.DataFrame({"a": [0.3]}), pd.Series([3.0]), w=0.75)
    assert regressor._core.features == 2 and regressor._core.samples_seen == 3
    refusing = models.StreamRFClassifier()
    refusing.learn_one({"a": 0.1}, True, w=1.0)
    with pytest.raises(TypeError, match="stream-rf cannot learn with weights"):
        refusing.learn_one({"a": 0.1}, True, w=2.0)
    assert refusing._core.samples_seen == 1


def test_rows_of_more_features_keep_their_weights():
    x, y = data(80, features=4)
    after = Regressor("mondrian", 3, seed=1)
    after.learn(x[:40, :3], y[:40])
    after.widen(4)
    unweighted = copy.deepcopy(after)
    unweighted.learn(x[40:], y[40:])
    after.learn(x[40:], y[40:], WEIGHTS[:40])
    assert unweighted.to_bytes() != after.to_bytes()
    many = models.MondrianRegressor(seed=1)
    many.learn_many(pd.DataFrame(x[:40, :3], columns=list("abc")), pd.Series(y[:40]))
    many.learn_many(pd.DataFrame(x[40:], columns=list("abcd")), pd.Series(y[40:]), w=pd.Series(WEIGHTS[:40]))
    assert many._core.to_bytes() == after.to_bytes()


def test_weights_pass_through_wrappers():
    x, y = data(60)
    piped = make_pipeline(StandardScaler(), forests.MondrianClassifier(random_state=0))
    piped[:-1].fit(x)
    piped[-1].partial_fit(piped[:-1].transform(x), y, sample_weight=WEIGHTS[:60])
    assert piped.score(x, y) > 0.9
    boosted = ensemble.ADWINBoostingClassifier(models.MondrianClassifier(n_models=2), n_models=2, seed=1)
    for row, label in zip(x.tolist(), y.tolist(), strict=True):
        boosted.learn_one(dict(zip("abc", row, strict=True)), label)
    assert boosted.predict_one({"a": 0.9, "b": 0.9, "c": 0.5}) == 1
