"""A partition grows with the points.

One tree of a Mondrian forest and one of an online BSP forest, after 15, 60 and 240 points: lines are cuts, and areas are the hulls of the
leaves' points. A tree only cuts where points are, and refines what it has.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_moons
from sklearn.preprocessing import minmax_scale

from online_forests.plots import plot_partition
from online_forests.sklearn import MondrianIncreasingClassifier, ObspClassifier

X, y = make_moons(240, noise=0.15, random_state=2)
X = minmax_scale(X)
FORESTS = [
    ("Mondrian", MondrianIncreasingClassifier(n_estimators=1, random_state=3, budget_scale=2)),
    ("BSP", ObspClassifier(n_estimators=1, random_state=3, budget_scale=2)),
]

figure, axes = plt.subplots(2, 3, figsize=(9, 6.2), layout="constrained")
for row, (name, forest) in zip(axes, FORESTS, strict=True):
    learned = 0
    for ax, rows in zip(row, (15, 60, 240), strict=True):
        forest.partial_fit(X[learned:rows], y[learned:rows], classes=[0, 1])
        learned = rows
        plot_partition(forest, x_range=(0, 1), y_range=(0, 1), ax=ax)
        ax.scatter(*X[:rows].T, c=y[:rows], cmap="coolwarm", s=9)
        ax.set(title=f"{name}, {rows} points", xticks=[], yticks=[], aspect="equal")
plt.show()
