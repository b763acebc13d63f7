"""Decision surfaces of the forests.

The same three sets of 300 points, learned one after another by one forest of each family, with the accuracy on 1,000 other points. Mondrian
forests cut along the axes, BSP and tessellation forests obliquely; boundary forests have the surface of nearest neighbours.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.preprocessing import minmax_scale

from online_forests import sklearn as forests

SETS = [
    make_moons(1300, noise=0.25, random_state=1),
    make_circles(1300, noise=0.15, factor=0.5, random_state=1),
    make_blobs(1300, centers=3, cluster_std=2.0, random_state=1),
]
NAMES = ["Mondrian", "AMF", "Obsp", "URTF", "BoundaryForest", "StreamRF", "DynamicExtraTrees", "ResidualForest"]

line = np.linspace(-0.05, 1.05, 80)
grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
figure, axes = plt.subplots(6, 4, figsize=(8, 12.6), layout="constrained")
for rows, (X, y) in zip(axes.reshape(len(SETS), len(NAMES)), SETS, strict=True):
    X = minmax_scale(X)
    for ax, name in zip(rows, NAMES, strict=True):
        forest = getattr(forests, f"{name}Classifier")(n_estimators=20, random_state=1).fit(X[:300], y[:300])
        colours = forest.predict_proba(grid) @ plt.get_cmap("Set1")(range(y.max() + 1))[:, :3]
        ax.imshow(colours.reshape(80, 80, 3).clip(0, 1), extent=(-0.05, 1.05, -0.05, 1.05), origin="lower", alpha=0.6)
        ax.scatter(*X[:300].T, c=y[:300], cmap="Set1", vmin=0, vmax=8, s=4, edgecolors="black", linewidths=0.2)
        ax.set(xticks=[], yticks=[])
        ax.set_title(f"{name}\n{forest.score(X[300:], y[300:]):.3f}", fontsize=11)
plt.show()
