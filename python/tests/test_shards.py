"""Shards in the core: some of the trees, with the bits of the whole forest."""

from __future__ import annotations

from copy import copy

import numpy as np
import pytest
from conftest import data

from online_forests import Classifier


def split(forest, at):
    shards = [copy(forest), copy(forest)]
    for shard, (first, end) in zip(shards, [(0, at), (at, forest.trees)], strict=True):
        shard.keep_trees(first, end)
        assert shard.part == (first, end, forest.trees)
    return shards


def test_votes_that_go_from_shard_to_shard_have_the_bits_of_the_forest():
    x, y = data(100)
    whole = Classifier("mondrian", 3, trees=5, seed=3)
    shards, votes = split(whole, 2), b""
    for shard in shards:
        shard.check(x, y)
        votes = shard.add_votes_then_learn(x, y, votes)
    np.testing.assert_array_equal(shards[0].finish(votes), whole.predict_then_learn(x, y))
    votes = b""
    for shard in shards:
        votes = shard.add_votes(x, votes)
    np.testing.assert_array_equal(shards[1].finish(votes), whole.predict(x))
    shards[0].join(shards[1])
    assert shards[0].to_bytes() == whole.to_bytes()


def test_what_is_not_a_shard_or_out_of_order_is_refused():
    x, y = data(10)
    boundary = Classifier("boundary-forest", 3)
    assert boundary.part is None
    with pytest.raises(TypeError, match="boundary-forest cannot be sharded: only forests of independent trees can"):
        boundary.keep_trees(0, 1)
    first, second = split(Classifier("mondrian", 3, trees=5, seed=3), 2)
    votes = first.add_votes(x, b"")
    for wrong in (
        lambda: second.add_votes_then_learn(x, y, b""),
        lambda: first.finish(votes),
        lambda: first.add_votes(x, b"\xff"),
        lambda: second.join(first),
    ):
        with pytest.raises(ValueError):
            wrong()
