"""The nearest stored samples.

A boundary forest searches trees of stored points instead of all of them, and takes new points at any time. In each row, a digit that was not
stored, and the nearest that the forest finds among 1,500.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_digits

from online_forests.sklearn import BoundaryNeighbors

X, labels = load_digits(return_X_y=True)
stored = BoundaryNeighbors(n_estimators=30, random_state=1).partial_fit(X[:1500])
queries = [1503, 1517, 1530, 1564, 1590]
distances, found = stored.kneighbors(X[queries], n_neighbors=6)

figure, axes = plt.subplots(len(queries), 7, figsize=(8, 6), layout="constrained")
for row, query, near, far in zip(axes, queries, found, distances, strict=True):
    for ax, index in zip(row, [query, *near], strict=True):
        ax.imshow(X[index].reshape(8, 8), cmap="Greys")
        ax.set(xticks=[], yticks=[])
    row[0].set_title(f"query: a {labels[query]}", fontsize=8, color="C3")
    for ax, index, distance in zip(row[1:], near, far, strict=True):
        ax.set_title(f"{labels[index]}, distance {distance:.0f}", fontsize=8)
plt.show()
