"""Online equals batch.

The leaves of 1,000 trees that learned the same 100 points: in sorted order, in random order, and in random order with 100 further points
that were forgotten afterwards. The trees differ, but their distribution is the same: that of the tree drawn from all points at once.
"""

import json

import matplotlib.pyplot as plt
import numpy as np

from online_forests.sklearn import MondrianRegressor

random = np.random.default_rng(4)
X = random.random((100, 2))
X = X[np.argsort(X[:, 0])]
others = random.random((100, 2))
shuffled = random.permutation(X)


def leaves(rows: np.ndarray, forgotten: range, seed: int) -> list[int]:
    forest = MondrianRegressor(budget=4.0, n_estimators=1000, random_state=seed, pause="never").fit(rows, rows[:, 0])
    for arrival in forgotten:
        forest.forget(arrival)
    trees = (json.loads(forest.export_tree(tree))["nodes"] for tree in range(1000))
    return [sum(not node["children"] for node in nodes) for nodes in trees]


WAYS = {
    "in sorted order": leaves(X, range(0), 1),
    "in random order": leaves(shuffled, range(0), 2),
    "after 100 others, then forgotten": leaves(np.concatenate([others, shuffled]), range(100), 3),
}
plt.figure(figsize=(7, 4.4), layout="constrained")
plt.hist(WAYS.values(), bins=range(2, 44, 3), label=[f"{way}: mean {np.mean(found):.1f}" for way, found in WAYS.items()])
plt.gca().set(xlabel="leaves of a tree", ylabel="trees", title="100 points, budget 4")
plt.legend()
plt.show()
