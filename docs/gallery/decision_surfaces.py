"""Decision surfaces of the forests.

The same three sets of points, learned one after another by one forest of each family. Mondrian forests cut along the axes, BSP and
tessellation forests obliquely; boundary forests have the surface of nearest neighbours.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.preprocessing import minmax_scale

from online_forests import sklearn as forests

SETS = [
    make_moons(300, noise=0.25, random_state=1),
    make_circles(300, noise=0.15, factor=0.5, random_state=1),
    make_blobs(300, centers=3, cluster_std=2.0, random_state=1),
]
NAMES = ["Mondrian", "AMF", "Obsp", "URTF", "BoundaryForest", "StreamRF", "DynamicExtraTrees", "ResidualForest"]

line = np.linspace(-0.05, 1.05, 80)
grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
figure, axes = plt.subplots(len(SETS), len(NAMES), figsize=(14, 5.6), layout="constrained")
for row, (X, y) in zip(axes, SETS, strict=True):
    X = minmax_scale(X)
    for ax, name in zip(row, NAMES, strict=True):
        forest = getattr(forests, f"{name}Classifier")(n_estimators=20, random_state=1).fit(X, y)
        colours = forest.predict_proba(grid) @ plt.get_cmap("Set1")(range(y.max() + 1))[:, :3]
        ax.imshow(colours.reshape(80, 80, 3).clip(0, 1), extent=(-0.05, 1.05, -0.05, 1.05), origin="lower", alpha=0.6)
        ax.scatter(*X.T, c=y, cmap="Set1", vmin=0, vmax=8, s=4, edgecolors="black", linewidths=0.2)
        ax.set(xticks=[], yticks=[])
for ax, name in zip(axes[0], NAMES, strict=True):
    ax.set_title(name)
plt.show()
