"""Memory against error.

`max_nodes` bounds each tree: a full tree stops growing and keeps updating the statistics of its leaves. Each point is one forest of ten
trees after 20,000 rows of Friedman's function.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_friedman1
from sklearn.metrics import root_mean_squared_error

from online_forests.sklearn import AMFRegressor, MondrianRegressor, StreamRFRegressor

X, y = make_friedman1(22_000, n_features=5, noise=1.0, random_state=9)
BOUNDS = [100, 300, 1000, 3000, 10_000, 30_000]

figure, ax = plt.subplots(figsize=(7, 4.4), layout="constrained")
for kind in (MondrianRegressor, AMFRegressor, StreamRFRegressor):
    points = []
    for bound in BOUNDS:
        forest = kind(max_nodes=bound, random_state=1).fit(X[:20_000], y[:20_000])
        points.append((forest.footprint()["bytes"] / 1e6, root_mean_squared_error(y[20_000:], forest.predict(X[20_000:]))))
    ax.plot(*zip(*points, strict=True), marker="o", label=kind.__name__)
ax.axhline(1, color="grey", linestyle=":", label="the noise")
ax.set(xscale="log", xlabel="megabytes", ylabel="RMSE of 2,000 later rows", title="10 trees of at most 100 to 30,000 nodes")
ax.legend()
plt.show()
