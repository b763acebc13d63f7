"""A pipeline of River.

Phishing sites, one after another: each is scaled, predicted and then learned. The forests are models of River like any other, here beside
its own Hoeffding tree and adaptive random forest.
"""

import matplotlib.pyplot as plt
from river import datasets, evaluate, forest, metrics, preprocessing, tree

from online_forests.river import AMFClassifier, DynamicExtraTreesClassifier, MondrianClassifier

MODELS = {
    "AMFClassifier": AMFClassifier(seed=1),
    "MondrianClassifier": MondrianClassifier(seed=1),
    "DynamicExtraTreesClassifier": DynamicExtraTreesClassifier(seed=1),
    "River: HoeffdingTreeClassifier": tree.HoeffdingTreeClassifier(),
    "River: ARFClassifier": forest.ARFClassifier(seed=1),
}

plt.figure(figsize=(8, 4.4), layout="constrained")
for name, model in MODELS.items():
    pipeline = preprocessing.MinMaxScaler() | model
    steps = evaluate.iter_progressive_val_score(datasets.Phishing(), pipeline, metrics.Accuracy(), step=25)
    rows, scores = zip(*((step["Step"], step["Accuracy"].get()) for step in steps), strict=True)
    plt.plot(rows, scores, linestyle="--" if name.startswith("River") else "-", label=f"{name}: {scores[-1]:.3f}")
plt.gca().set(xlabel="rows", ylabel="accuracy of all rows so far", ylim=(0.6, 1))
plt.legend()
plt.show()
