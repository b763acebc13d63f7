"""Estimators of scikit-learn, one for each algorithm.

>>> from sklearn.datasets import load_iris
>>> from online_forests.sklearn import AMFClassifier
>>> X, y = load_iris(return_X_y=True)
>>> forest = AMFClassifier(random_state=1)
>>> forest = forest.partial_fit(X[::2], y[::2], classes=[0, 1, 2])
>>> bool(forest.score(X[1::2], y[1::2]) > 0.9)
True

``fit`` learns the rows in one pass, in the order in which they are, and ``partial_fit`` continues from there: a batch means its
rows one after another. Most of these learners divide space at random, whatever the features mean, so scale features alike
first, for example with :class:`sklearn.preprocessing.StandardScaler`.

Where ``fit`` takes ``sample_weight``, a weight is copies of a row at once in the statistics of nodes. What an online learner knows
depends on the order of its samples, so that weights and repeated rows are not equivalent, as they are not in scikit-learn's own
forests.
"""

from online_forests._extras import require

require("sklearn", "sklearn")

from online_forests._classes import add_classes  # noqa: E402
from online_forests.sklearn._classes import Estimators  # noqa: E402
from online_forests.sklearn._neighbors import BoundaryNeighbors  # noqa: E402

# The types of these classes are in __init__.pyi.
__all__ = [*add_classes(globals(), Estimators()), "BoundaryNeighbors"]
