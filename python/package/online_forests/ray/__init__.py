"""A forest whose trees are in actors of Ray, on one machine or on several.

Each actor has a contiguous range of the trees, and the samples that these hold. Predictions and trees have the bits of
one process: rows go from actor to actor with sums of votes, to which each adds those of its trees in their order.

>>> import numpy as np
>>> from online_forests import Regressor
>>> from online_forests.ray import ShardedForest
>>> forest = ShardedForest(Regressor("mondrian", features=2, trees=10, seed=1), shards=2)
>>> x = np.random.default_rng(0).random((100, 2), dtype=np.float32)
>>> forest.learn_many(x, x[:, 0])
>>> forest.predict_many(x[:3]).shape
(3, 1)
"""

from online_forests._extras import require

require("ray", "ray")

from online_forests.ray._forest import ShardedForest  # noqa: E402

__all__ = ["ShardedForest"]
