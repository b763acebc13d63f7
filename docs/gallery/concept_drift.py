"""Concept drift and recovery.

A stream whose two labels are swapped after 2,500 rows. Each row is predicted before it is learned. A forest of all rows is misled by the
old ones after the change, a window of the latest 500 rows recovers within 500 rows, and `adaptive` weights learners on windows of several
lengths by their recent losses.
"""

import matplotlib.pyplot as plt
import numpy as np

from online_forests import Classifier

random = np.random.default_rng(5)
X = random.random((5000, 4), dtype=np.float32)
y = (X[:, 0] + X[:, 1] > 1).astype(int)
y[2500:] = 1 - y[2500:]

plt.figure(figsize=(8, 4.2), layout="constrained")
for algorithm in ["mondrian", "mondrian:window=500", "adaptive"]:
    forest = Classifier(algorithm, 4, trees=10, seed=1, classes=2)
    right = forest.predict_then_learn(X, y).argmax(axis=1) == y
    recent = np.convolve(right, np.ones(200) / 200, mode="valid")
    plt.plot(range(200, 5001), recent, label=f"{algorithm}: {right.mean():.3f}")
plt.axvline(2500, color="grey", linestyle=":")
plt.gca().set(xlabel="rows", ylabel="accuracy of the latest 200 rows", ylim=(0, 1))
plt.legend(title="accuracy of all rows", loc="lower left")
plt.show()
