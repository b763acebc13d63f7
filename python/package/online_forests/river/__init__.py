"""Models of River, one for each algorithm.

>>> from river import datasets, evaluate, metrics, preprocessing
>>> from online_forests.river import MondrianClassifier
>>> model = preprocessing.MinMaxScaler() | MondrianClassifier(seed=1)
>>> evaluate.progressive_val_score(datasets.Phishing().take(200), model, metrics.Accuracy()).get() > 0.8
True

Features are numbers. Those of the first sample get a column each, in sorted order; where ``columns`` says that there may be
more, features that appear later get the columns that are left. A feature that is absent is missing, by learners that take missing values, else 0.
"""

from online_forests._extras import require

require("river", "river")

from online_forests._classes import add_classes  # noqa: E402
from online_forests.river._classes import Models  # noqa: E402

# The types of these classes are in __init__.pyi.
__all__ = add_classes(globals(), Models())
