"""Forgetting the rows of a user.

One of three users asks to have their rows removed. `forget` removes them one after another; with `recheck=0`, dynamic extra trees are then
exactly the trees that never had those rows, as the last picture shows: the greatest difference between the two predictions is 0.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs

from online_forests.sklearn import DynamicExtraTreesClassifier

X, user = make_blobs(300, centers=[(0.3, 0.3), (0.7, 0.4), (0.5, 0.75)], cluster_std=0.12, random_state=7)
y = (X[:, 0] + 0.2 * np.sin(12 * X[:, 1]) > 0.5).astype(int)
y[user == 2] = 1 - y[user == 2]

forest = DynamicExtraTreesClassifier(recheck=0, n_estimators=50, random_state=1)
before = forest.partial_fit(X, y, classes=[0, 1])
line = np.linspace(0, 1, 100)
grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
pictures = {"all rows": before.predict_proba(grid)[:, 1]}
for arrival in np.flatnonzero(user == 2):
    forest.forget(int(arrival))
pictures["third user forgotten"] = forest.predict_proba(grid)[:, 1]
never = DynamicExtraTreesClassifier(recheck=0, n_estimators=50, random_state=1)
never.partial_fit(X[user != 2], y[user != 2], classes=[0, 1])
pictures["never had the third user"] = never.predict_proba(grid)[:, 1]

difference = np.abs(pictures["third user forgotten"] - pictures["never had the third user"]).max()
figure, axes = plt.subplots(1, 3, figsize=(11, 4.2), layout="constrained")
for ax, (title, chances) in zip(axes, pictures.items(), strict=True):
    ax.imshow(chances.reshape(100, 100), extent=(0, 1, 0, 1), origin="lower", cmap="coolwarm", vmin=0, vmax=1, alpha=0.7)
    kept = np.full(300, True) if title == "all rows" else user != 2
    ax.scatter(*X[kept].T, c=y[kept], cmap="coolwarm", s=10, edgecolors="black", linewidths=0.3)
    ax.set(title=title, xticks=[], yticks=[], xlim=(0, 1), ylim=(0, 1))
axes[2].set_xlabel(f"greatest difference from the middle: {difference:g}")
plt.show()
