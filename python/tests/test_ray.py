"""Forests in actors of Ray: the bits of one process."""

from __future__ import annotations

import doctest
import importlib
import os

import numpy as np
import pytest
from conftest import data

from online_forests import Classifier, Regressor

# Ray listens on the loopback interface if it is to be no cluster; it reads this when it is imported.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
ray = pytest.importorskip("ray", reason="Ray is not installed: pip install './python[ray]'")

from online_forests.ray import ShardedForest, _forest  # noqa: E402

# One worker of pytest-xdist starts Ray, not each.
pytestmark = pytest.mark.xdist_group("ray")

TREES = 5
ROWS = 600


@pytest.fixture(scope="module", autouse=True)
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    assert ray.util.get_node_ip_address() == "127.0.0.1"
    yield
    ray.shutdown()


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(_forest, "ROWS_OF_A_PIECE", 40)


def built(task, algorithm="mondrian", **settings):
    return task(algorithm, 3, trees=TREES, seed=3, threads=1, **settings)


def numbers(rows=ROWS):
    x, _ = data(rows)
    return x, (x[:, 0] * 2 + x[:, 1]).astype(np.float64)


def lose(actor):
    """Ray kills it later than it is asked to."""
    ray.kill(actor)
    with pytest.raises(ray.exceptions.RayActorError):
        while True:
            ray.get(actor.__ray_ready__.remote())


@pytest.mark.parametrize("shards", [1, 2, 3])
@pytest.mark.parametrize(
    ("task", "algorithm", "settings"),
    [
        (Classifier, "mondrian", {"window": 150}),
        (Classifier, "stream-rf", {}),
        (Regressor, "amf", {}),
        (Regressor, "obsp", {"window": 150}),
    ],
)
def test_actors_have_the_bits_of_one_process(task, algorithm, settings, shards, tmp_path):
    x, y = data(ROWS) if task is Classifier else numbers()
    alone = built(task, algorithm, **settings)
    forest = ShardedForest(alone, shards)
    for rows in (slice(0, 300), slice(300, 301)):
        np.testing.assert_array_equal(
            forest.predict_then_learn_many(x[rows], y[rows]), alone.predict_then_learn(x[rows], y[rows])
        )
    forest.learn_many(x[301:], y[301:])
    alone.learn(x[301:], y[301:])
    np.testing.assert_array_equal(forest.predict_many(x), alone.predict(x))
    assert forest.samples_seen == alone.samples_seen == ROWS
    forest.save(tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == alone.to_bytes()


def test_a_forest_that_has_lost_an_actor_is_resumed_at_its_checkpoint(tmp_path):
    x, y = data(ROWS)
    forest = ShardedForest(built(Classifier), 2, checkpoints=tmp_path, checkpoint_every=100)
    forest.learn_many(x[:250], y[:250])
    lose(forest.actors[1])
    for call in (
        lambda: forest.predict_then_learn_many(x[250:], y[250:]),
        lambda: forest.predict_many(x),
        forest.model,
    ):
        with pytest.raises(RuntimeError, match="continue with ShardedForest.resume"):
            call()
    forest = ShardedForest.resume(tmp_path, 2, checkpoint_every=100)
    seen = forest.samples_seen
    assert seen == 240
    alone = built(Classifier)
    alone.learn(x[:seen], y[:seen])
    np.testing.assert_array_equal(
        forest.predict_then_learn_many(x[seen:], y[seen:]), alone.predict_then_learn(x[seen:], y[seen:])
    )
    assert forest.model().to_bytes() == alone.to_bytes()


def test_another_number_of_actors_continues_from_the_newest_checkpoint_that_is_whole(tmp_path):
    x, y = numbers()
    forest = ShardedForest(built(Regressor), 2, checkpoints=tmp_path, checkpoint_every=100)
    forest.learn_many(x[:250], y[:250])
    with pytest.raises(ValueError, match="there is a checkpoint after 240 rows"):
        ShardedForest(built(Regressor), 2, checkpoints=tmp_path)
    # A torn one is passed over.
    forest.checkpoint()
    newest = tmp_path / "rows-250-shard-1-of-2.model"
    newest.write_bytes(newest.read_bytes()[:-9])
    forest = ShardedForest.resume(tmp_path, 3, checkpoint_every=100)
    assert forest.samples_seen == 240
    forest.learn_many(x[240:], y[240:])
    alone = built(Regressor)
    alone.learn(x, y)
    assert forest.model().to_bytes() == alone.to_bytes()


def test_bad_input_is_refused_whole_with_the_sentence_of_the_core():
    x, y = data(100)
    forest = ShardedForest(built(Classifier, class_cap=2), 2)
    forest.learn_many(x, y)
    before = forest.model().to_bytes()
    bad = x.copy()
    bad[90, 1] = np.nan
    for learn in (forest.learn_many, forest.predict_then_learn_many):
        for rows, targets in [(bad, y), (bad[85:95], y[:10]), (x[:, :2], y), (x, y + 7), (x, y[:-1])]:
            with pytest.raises(ValueError, match="row|features|class|target"):
                learn(rows, targets)
    with pytest.raises(ValueError, match="row 90"):
        ShardedForest(built(Classifier), 1).learn_many(bad, y)
    assert forest.model().to_bytes() == before
    assert forest.samples_seen == 100
    assert forest.predict_many(x[:0]).shape == (0, 2)


def test_what_has_no_shards_is_refused():
    with pytest.raises(TypeError, match="only a forest of independent trees"):
        ShardedForest(built(Classifier, "boundary-forest"), 2)
    with pytest.raises(ValueError, match="from 1 to that of the trees, 5"):
        ShardedForest(built(Classifier), 6)


def test_an_actor_that_is_lost_without_checkpoints_is_an_error():
    x, y = data(50)
    forest = ShardedForest(built(Classifier), 2)
    lose(forest.actors[1])
    with pytest.raises(RuntimeError, match="with checkpoints=, ShardedForest.resume can continue"):
        forest.learn_many(x, y)


def test_the_example_runs():
    failed, tried = doctest.testmod(importlib.import_module("online_forests.ray"))
    assert failed == 0 and tried > 0
