"""A comparison of your own.

How good is an online learner of your own? Ten lines of Python compare it with forests of this package and of River: the
same rows in the same order for all, three seeds, and the processor time of the learners alone.
"""

import matplotlib.pyplot as plt
from river import forest

from online_forests.compare import compare


class NearestMean:
    """Predicts the class whose mean is nearest."""

    def __init__(self):
        self.means = {}

    def learn_one(self, x, y):
        rows, mean = self.means.get(y, (0, dict.fromkeys(x, 0.0)))
        self.means[y] = rows + 1, {name: old + (x[name] - old) / (rows + 1) for name, old in mean.items()}

    def predict_one(self, x):
        distances = {y: sum((x[name] - value) ** 2 for name, value in mean.items()) for y, (_, mean) in self.means.items()}
        return min(distances, key=distances.get, default=None)


LEARNERS = {"nearest mean": NearestMean, "amf": "amf", "mondrian": "mondrian", "River: ARF": lambda seed: forest.ARFClassifier(seed=seed)}
results = compare(LEARNERS, data=["sea:n=1000", "agrawal:n=1000", "waveform:n=1000"], protocol="prequential", seeds=3)
runs = results.to_frame()
seconds = runs.groupby("label", sort=False)["learn_seconds"].mean()
accuracy = runs.pivot_table("accuracy", "dataset", "label")[list(LEARNERS)]
plt.figure(figsize=(8, 4.4), layout="constrained")
accuracy.plot.bar(ax=plt.gca(), rot=0, xlabel="", ylabel="accuracy, tested then learned", ylim=(0.4, 1))
plt.legend([f"{learner}: {seconds[learner]:.2g} s" for learner in LEARNERS], title="processor time", ncols=2)
plt.show()
