"""Shards in the core: some of the trees, with the bits of the whole forest."""

from __future__ import annotations

import pickle
from copy import copy

import numpy as np
import pytest
from conftest import data

from online_forests import Classifier
from online_forests._core import Votes


def split(forest, at):
    def shard(first, end):
        kept = copy(forest)
        kept.keep_trees(first, end)
        assert kept.part == (first, end, forest.trees)
        return kept

    return [shard(0, at), shard(at, forest.trees)]


def test_votes_that_are_pickled_from_shard_to_shard_have_the_bits_of_the_forest():
    x, y = data(100)
    whole = Classifier("mondrian", 3, trees=5, seed=3)
    shards = split(whole, 2)
    votes = Votes()
    for shard in shards:
        shard.check(x, y)
        shard.add_votes_then_learn(x, y, votes)
        votes = pickle.loads(pickle.dumps(votes))
    assert (len(votes), votes.trees) == (100, 5)
    np.testing.assert_array_equal(shards[0].finish(votes), whole.predict_then_learn(x, y))
    votes = Votes()
    for shard in shards:
        shard.add_votes(x, votes)
    np.testing.assert_array_equal(shards[1].finish(votes), whole.predict(x))
    shards[0].join(shards[1])
    assert shards[0].to_bytes() == whole.to_bytes()


def test_what_is_not_a_shard_or_out_of_order_is_refused():
    x, y = data(10)
    boundary = Classifier("boundary-forest", 3)
    assert boundary.part is None
    with pytest.raises(TypeError, match="only a forest of independent trees"):
        boundary.keep_trees(0, 1)
    first, second = split(Classifier("mondrian", 3, trees=5, seed=3), 2)
    votes = Votes()
    with pytest.raises(ValueError):
        second.add_votes_then_learn(x, y, votes)
    first.add_votes(x, votes)
    with pytest.raises(ValueError):
        first.finish(votes)
    with pytest.raises(ValueError):
        Votes.from_bytes(b"\xff")
    with pytest.raises(ValueError, match="comes next"):
        second.join(first)
