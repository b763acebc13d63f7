"""Learners of the core: batches, copies, snapshots, what only some can do."""

from __future__ import annotations

import copy
import json
import pathlib
import pickle
import sys

import numpy as np
import pytest
from conftest import data, every_learner, learner

from online_forests import Classifier, Regressor, Retriever, load

FROZEN = pathlib.Path(__file__).parents[2] / "crates" / "online-forests" / "tests" / "frozen"


@every_learner()
def test_a_batch_is_its_rows_one_after_another(task, algorithm):
    x, y = data(60)
    one, many, tested = (learner(task, algorithm) for _ in range(3))
    for row, target in zip(x, y, strict=True):
        one.learn(row.reshape(1, -1), np.array([target]))
    many.learn(x, y)
    predictions = tested.predict_then_learn(x, y)
    assert predictions.shape == (60, many.width)
    assert one.to_bytes() == many.to_bytes() == tested.to_bytes()


@every_learner()
def test_the_number_of_threads_changes_no_bit(task, algorithm):
    x, y = data(300)
    learned = []
    for threads in (0, 1, 2):
        forest = learner(task, algorithm, threads=threads)
        forest.learn(x, y)
        learned.append((forest.to_bytes(), forest.predict(x).tobytes()))
    assert learned[0] == learned[1] == learned[2]


@every_learner()
def test_copies_pickles_and_files_continue_as_the_learner(task, algorithm, tmp_path):
    x, y = data(120)
    forest = learner(task, algorithm, threads=1)
    forest.learn(x[:60], y[:60])
    path = tmp_path / "forest"
    forest.save(path)
    others = [
        copy.copy(forest),
        copy.deepcopy(forest),
        pickle.loads(pickle.dumps(forest)),
        task.load(path),
        task.from_bytes(path.read_bytes()),
        load(path),
    ]
    assert pickle.dumps(forest) == pickle.dumps(others[0])
    assert others[2].threads == 1
    forest.learn(x[60:], y[60:])
    for other in others:
        assert type(other) is task and other.samples_seen == 60
        other.learn(x[60:], y[60:])
        assert other.to_bytes() == forest.to_bytes()


@pytest.mark.parametrize("path", sorted(FROZEN.glob("*.snapshot")), ids=lambda path: path.stem)
def test_old_files_of_rust_are_read(path):
    forest = load(path)
    assert forest.samples_seen > 0
    assert type(forest).from_bytes(forest.to_bytes()).to_bytes() == forest.to_bytes()


def test_labels_are_the_most_probable_classes():
    x, y = data()
    forest = learner(Classifier, "mondrian")
    assert forest.labels(x) is None
    forest.learn(x, y)
    np.testing.assert_array_equal(forest.labels(x), forest.predict(x).argmax(axis=1))


def test_a_class_that_was_not_known_yet_had_probability_0():
    forest = Classifier("mondrian", 1)
    predictions = forest.predict_then_learn(np.zeros((3, 1), dtype=np.float32), np.array([0, 2, 1]))
    np.testing.assert_array_equal(predictions[0], [0, 0, 0])
    np.testing.assert_array_equal(predictions[1], [1, 0, 0])


def test_a_sample_is_forgotten_as_if_it_had_never_been_learned():
    x, y = data(50)
    forest = Regressor("mondrian", 3, seed=1)
    forest.learn(x, y)
    for arrival in range(50):
        forest.forget(arrival)
    np.testing.assert_array_equal(forest.predict(x), np.zeros((50, 1)))
    with pytest.raises(ValueError, match="sample 3 cannot be forgotten"):
        forest.forget(3)


def test_windows_hold_as_many_samples_as_they_say():
    x, y = data(100)
    forest = Classifier("mondrian", 3, window=20)
    forest.learn(x, y)
    assert forest.footprint()["stored_samples"] <= 40
    forest = Classifier("mondrian", 3)
    forest.learn(x, y)
    forest.keep_latest(20)
    assert forest.footprint()["stored_samples"] <= 40


def test_intervals_hold_the_mean():
    x, y = data()
    forest = Regressor("mondrian:labels=hierarchical", 3)
    assert "intervals" in forest.capabilities
    forest.learn(x, y)
    bounds, predictions = forest.intervals(x, 0.9), forest.means_and_variances(x)
    assert (bounds[:, 0] < predictions[:, 0]).all() and (predictions[:, 0] < bounds[:, 1]).all()
    np.testing.assert_array_equal(predictions[:, 0], forest.predict(x)[:, 0])
    with pytest.raises(ValueError, match="level of an interval"):
        forest.intervals(x, 1.5)


def test_a_forest_explains_itself():
    x, y = data()
    forest = Classifier("mondrian", 3)
    forest.learn(x, y)
    assert forest.feature_importances().sum() == pytest.approx(1)
    tree = json.loads(forest.exported(0, "json", 2, ["a", "b", "c"], ["no", "yes"]))
    assert tree["features"] == ["a", "b", "c"] and len(tree["nodes"]) >= 3
    assert forest.exported(0, "dot").startswith("digraph")
    assert "a = 0.5" in forest.decision_path(0, [0.5, 0.5, 0.5], ["a", "b", "c"])
    assert 0 <= forest.share_a_leaf([0.1, 0.1, 0.1], [0.9, 0.9, 0.9]) <= 1
    with pytest.raises(ValueError, match="json or dot"):
        forest.exported(0, "xml")
    with pytest.raises(ValueError, match="tree"):
        forest.exported(99, "json")


def test_members_of_a_mixture_weigh_1_together():
    x, y = data()
    forest = Classifier("adaptive", 3)
    forest.learn(x, y)
    assert sum(weight for _, weight in forest.members()) == pytest.approx(1)


def test_a_query_finds_the_points_that_were_stored():
    x, _ = data(50)
    forest = Retriever(3, trees=20)
    forest.learn(x)
    distances, points = forest.kneighbors(x, 1)
    assert len(forest) == 50
    found = points[:, 0] == np.arange(50)
    np.testing.assert_array_equal(distances[found, 0], 0)
    assert found.mean() >= 0.95  # the search is approximate
    assert forest.kneighbors(x, 30)[1].min() == -1  # 20 trees find no more than 20 points
    again = pickle.loads(pickle.dumps(forest))
    np.testing.assert_array_equal(again.kneighbors(x, 3)[1], forest.kneighbors(x, 3)[1])


@every_learner()
def test_sys_getsizeof_is_the_footprint(task, algorithm):
    x, y = data()
    forest = learner(task, algorithm)
    forest.learn(x, y)
    footprint = forest.footprint()["bytes"]
    assert footprint <= sys.getsizeof(forest) <= footprint + 1000


def test_rows_become_wider():
    x, y = data(200, features=5)
    forest, wide = Classifier("mondrian", 3, seed=1, classes=2, columns=tuple("abc")), {"columns": tuple("abcde")}
    forest.learn(x[:100, :3], y[:100])
    before = forest.to_bytes()
    for wrong, error in ((np.full((1, 5), np.nan, dtype=np.float32), ValueError), (x[:1, :2], ValueError)):
        with pytest.raises(error):
            forest.learn_named(wrong, [0], **wide)
    with pytest.raises(ValueError, match="beyond the cap"):
        forest.learn_named(x[:1], [5000], **wide)
    with pytest.raises(ValueError, match="features must not be fewer than before, but is 2"):
        forest.widen(2)
    assert forest.to_bytes() == before and "widen" in forest.capabilities
    assert forest.learn_named(x[100:], y[100:], **wide)
    assert forest.features == 5 and forest.samples_seen == 200
    with pytest.raises(TypeError, match="obsp cannot continue with samples of more features"):
        Classifier("obsp", 3, classes=2, columns=tuple("abc")).learn_named(x, y, **wide)
