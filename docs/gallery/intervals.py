"""Intervals that cover as often as they say.

`ConformalRegressor` puts intervals around the predictions of another learner, from its latest errors. On the left, intervals of 90 % for one
feature, with noise that grows; on the right, the share of 3,000 later targets that intervals of each level cover.
"""

import matplotlib.pyplot as plt
import numpy as np

from online_forests.sklearn import ConformalRegressor, Mondrian2016Regressor

random = np.random.default_rng(6)
X = random.random((6000, 1))
y = np.sin(6 * X[:, 0]) + (0.05 + 0.4 * X[:, 0]) * random.normal(size=6000)
TREES = {"n_estimators": 10, "random_state": 1}
FORESTS = {"conformal": ConformalRegressor(**TREES), "mondrian-2016": Mondrian2016Regressor(**TREES)}

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained")
line = np.linspace(0, 1, 300)[:, None]
levels = np.linspace(0.1, 0.95, 18)
right.plot([0, 1], [0, 1], color="grey", linestyle=":", label="as stated")
for name, forest in FORESTS.items():
    forest.fit(X[:3000], y[:3000])
    bounds = [forest.predict_interval(X[3000:], level) for level in levels]
    covers = [np.mean((low <= y[3000:]) & (y[3000:] <= high)) for low, high in (bound.T for bound in bounds)]
    right.plot(levels, covers, marker=".", label=name)
low, high = FORESTS["conformal"].predict_interval(line, 0.9).T
left.scatter(X[:600, 0], y[:600], s=3, color="grey")
left.fill_between(line[:, 0], low, high, alpha=0.4)
left.plot(line[:, 0], FORESTS["conformal"].predict(line))
left.set(title="conformal, intervals of 90 %", xlabel="feature", ylabel="target")
right.set(title="coverage of later targets", xlabel="level", ylabel="share of targets inside")
right.legend()
plt.show()
