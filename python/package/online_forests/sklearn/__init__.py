"""Estimators of scikit-learn, one for each algorithm and task.

Four of them cover most needs; the others are the algorithms of papers, and baselines:

- ``ResidualForestClassifier``, ``ResidualForestRegressor``: the smallest errors, and no parameter that has to be
  chosen;
- ``DynamicExtraTreesClassifier``, ``DynamicExtraTreesRegressor``: extra trees that also forget single rows.

>>> from sklearn.datasets import load_iris
>>> from online_forests.sklearn import ResidualForestClassifier
>>> X, y = load_iris(return_X_y=True)
>>> forest = ResidualForestClassifier(random_state=1).fit(X[::2], y[::2])
>>> bool(forest.score(X[1::2], y[1::2]) > 0.9)
True
>>> forest = forest.partial_fit(X[1::2], y[1::2])  # more rows, later

``fit`` learns the rows in one pass, in the order in which they are, and ``partial_fit`` continues from there: a batch
means its rows one after another. Most of these learners divide space at random, whatever the features mean, so scale
features alike first, for example with :class:`sklearn.preprocessing.StandardScaler`.

Where ``fit`` takes ``sample_weight``, a weight is copies of a row at once in the statistics of nodes. What an online
learner knows depends on the order of its samples, so that weights and repeated rows are not equivalent, as they are not
in scikit-learn's own forests.
"""

from online_forests._extras import require

require("sklearn", "sklearn")

from online_forests._classes import add_classes  # noqa: E402
from online_forests.sklearn._classes import Estimators  # noqa: E402
from online_forests.sklearn._neighbors import BoundaryNeighbors  # noqa: E402

# The types of these classes are in __init__.pyi.
__all__ = [*add_classes(globals(), Estimators()), "BoundaryNeighbors"]


def __dir__() -> list[str]:
    return __all__
