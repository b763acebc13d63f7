"""Missing values.

Cells of a table are removed, at random or because they are large. Forests that take missing values send each to a side of every split, so that trees
learn what it means that a value is missing; a mean in its place leaves no trace. Without missing values, both are the same forest.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1

from online_forests.sklearn import DynamicExtraTreesRegressor

X, y = make_friedman1(3000, n_features=5, noise=1.0, random_state=0)
X_test, y_test = make_friedman1(3000, n_features=5, random_state=1)
random = np.random.default_rng(0)


def without(X, share, large):
    cells = X > 1 - share if large else random.random(X.shape) < share
    return np.where(cells, np.nan, X)


def error(X, X_test):
    forest = DynamicExtraTreesRegressor(n_estimators=30, random_state=1).fit(X, y)
    return np.sqrt(np.mean((forest.predict(X_test) - y_test) ** 2))


shares = np.array([0, 0.1, 0.2, 0.3, 0.4, 0.5])
figure, axes = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
for axis, large, title in zip(axes, (False, True), ("missing at random", "large values are missing"), strict=True):
    kept = [(without(X, share, large), without(X_test, share, large)) for share in shares]
    filled = [[np.where(np.isnan(rows), np.nanmean(both[0], axis=0), rows) for rows in both] for both in kept]
    axis.plot(shares, [error(*both) for both in kept], "o-", label="missing values as they are")
    axis.plot(shares, [error(*both) for both in filled], "o--", label="filled in with the mean")
    axis.set(xlabel="share of missing cells", ylabel="RMSE", title=title)
axes[0].legend()
plt.show()
