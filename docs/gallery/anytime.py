"""Anytime prediction.

A forest can be asked at any moment: the map that it has of a surface after 10, 100, 1,000 and 10,000 noisy points, beside the surface.
"""

import matplotlib.pyplot as plt
import numpy as np

from online_forests.sklearn import AMFRegressor

random = np.random.default_rng(11)
line = np.linspace(0, 1, 120)
grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)


def surface(x: np.ndarray) -> np.ndarray:
    return np.sin(8 * x[:, 0]) * np.cos(6 * x[:, 1]) + np.exp(-30 * ((x - 0.7) ** 2).sum(axis=1))


X = random.random((10_000, 2))
y = surface(X) + 0.3 * random.normal(size=10_000)
forest, maps, learned = AMFRegressor(n_estimators=20, random_state=1), {}, 0
for rows in (10, 100, 1000, 10_000):
    forest.partial_fit(X[learned:rows], y[learned:rows])
    learned = rows
    error = np.sqrt(np.mean((forest.predict(grid) - surface(grid)) ** 2))
    maps[f"{rows:,} points\nRMSE {error:.2f}"] = forest.predict(grid)
maps["the surface"] = surface(grid)

figure, axes = plt.subplots(1, 5, figsize=(13, 3.2), layout="constrained")
for ax, (title, values) in zip(axes, maps.items(), strict=True):
    ax.imshow(values.reshape(120, 120), origin="lower", vmin=-1, vmax=1.5)
    ax.set(title=title, xticks=[], yticks=[])
plt.show()
