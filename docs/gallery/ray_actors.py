"""Trees in actors of Ray.

A forest whose trees are in three actors, which may be on three machines. Rows go from actor to actor with sums of votes, so that predictions have the
bits of one process: the boundary of both is the same line. Each color is where the trees of one actor alone would draw it.
"""

import matplotlib.pyplot as plt
import numpy as np
import ray
from sklearn.datasets import make_moons

from online_forests import Classifier
from online_forests.ray import ShardedForest

ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
X, y = make_moons(600, noise=0.25, random_state=3)
X = X.astype(np.float32)
points = np.stack(np.meshgrid(np.linspace(-2, 3, 150), np.linspace(-1.5, 2, 120)), axis=-1).reshape(-1, 2).astype(np.float32)
forest = Classifier("amf", 2, trees=12, seed=1, classes=2)
sharded = ShardedForest(forest, shards=3)
sharded.learn_many(X, y)
forest.learn(X, y)
whole = forest.predict(points)[:, 1]
same = (sharded.predict_many(points)[:, 1] == whole).all()
plt.figure(figsize=(8, 4.8), layout="constrained")
for first, color in zip((0, 4, 8), ("tab:green", "tab:purple", "tab:orange"), strict=True):
    part = Classifier("amf", 2, trees=12, seed=1, classes=2)
    part.keep_trees(first, first + 4)
    part.learn(X, y)
    plt.tricontour(*points.T, part.predict(points)[:, 1], levels=[0.5], colors=color, linewidths=0.8)
plt.tricontour(*points.T, whole, levels=[0.5], colors="black", linewidths=2.5)
plt.scatter(*X.T, c=y, s=8, cmap="coolwarm", alpha=0.6)
plt.title(f"Three actors and one process have the same bits: {same}")
plt.show()
ray.shutdown()
