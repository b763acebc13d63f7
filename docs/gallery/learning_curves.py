"""How accuracy grows with the rows, beside offline learners.

Online forests learn the digits in one pass and are tested on the way. The offline learners of scikit-learn are fitted again at each size
from all rows so far.
"""

import matplotlib.pyplot as plt
from sklearn.base import clone
from sklearn.datasets import load_digits
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier
from sklearn.model_selection import train_test_split

from online_forests.sklearn import AMFClassifier, BoundaryForestClassifier, DynamicExtraTreesClassifier, ResidualForestClassifier

X, X_test, y, y_test = train_test_split(*load_digits(return_X_y=True), test_size=0.3, random_state=10)
SIZES = [25, 50, 100, 200, 400, 800, len(X)]
ONLINE = [kind(n_estimators=30, random_state=1) for kind in (AMFClassifier, DynamicExtraTreesClassifier, ResidualForestClassifier)]
OFFLINE = [ExtraTreesClassifier(30, random_state=1), RandomForestClassifier(30, random_state=1)]

plt.figure(figsize=(8, 4.6), layout="constrained")
for forest in [*ONLINE, BoundaryForestClassifier(n_estimators=30, random_state=1)]:
    scores, learned = [], 0
    for size in SIZES:
        forest.partial_fit(X[learned:size], y[learned:size], classes=range(10))
        scores.append(forest.score(X_test, y_test))
        learned = size
    plt.plot(SIZES, scores, marker="o", markersize=3, label=type(forest).__name__)
for learner in OFFLINE:
    scores = [clone(learner).fit(X[:size], y[:size]).score(X_test, y_test) for size in SIZES]
    plt.plot(SIZES, scores, linestyle="--", label=f"{type(learner).__name__}, offline")
plt.gca().set(xscale="log", xlabel="rows", ylabel="accuracy")
plt.legend()
plt.show()
