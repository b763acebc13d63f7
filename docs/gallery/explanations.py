"""Explanations: what a forest has learned, and why it makes a prediction.

Friedman's function depends on five of its ten features. On the left, the importance of each for the whole forest; on the right, what each
adds to the prediction for one row (Shapley values by TreeSHAP, which sum to the prediction).
"""

import matplotlib.pyplot as plt
from sklearn.datasets import make_friedman1

from online_forests.sklearn import DynamicExtraTreesRegressor

X, y = make_friedman1(3000, n_features=10, noise=1.0, random_state=8)
forest = DynamicExtraTreesRegressor(n_estimators=50, random_state=1).fit(X, y)
row = X[:1]
*contributions, base = forest.feature_contributions(row)[0]

figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4.2), layout="constrained", sharey=True)
names = [f"feature {feature}" for feature in range(10)]
left.barh(names, forest.feature_importances_)
left.set(title="importance in the forest", xlabel="share")
left.invert_yaxis()
right.barh([f"feature {feature}" for feature in range(10)], contributions, color=["C3" if added < 0 else "C2" for added in contributions])
right.set(title=f"one row: {base:.2f} + contributions = {forest.predict(row)[0]:.2f}", xlabel="added to the prediction")
for feature, value in enumerate(row[0]):
    right.annotate(f"= {value:.2f}", (0, feature), xytext=(4, 0), textcoords="offset points", va="center", fontsize=7)
plt.show()
