"""Models of River, one for each algorithm and task.

Four of them cover most needs; the others are the algorithms of papers, and baselines:

- ``ResidualForestClassifier``, ``ResidualForestRegressor``: the smallest errors, and no parameter that has to be
  chosen;
- ``DynamicExtraTreesClassifier``, ``DynamicExtraTreesRegressor``: extra trees that also forget single samples.

>>> from river import datasets, evaluate, metrics
>>> from online_forests.river import ResidualForestClassifier
>>> model = ResidualForestClassifier(seed=1)
>>> evaluate.progressive_val_score(datasets.Phishing().take(200), model, metrics.Accuracy()).get() > 0.8
True

Features are numbers; learners that support categories take words, too, but a feature is either of numbers or of words:
convert the texts of :func:`river.stream.iter_csv` with its ``converters``. Features of the first sample get a column
each, in sorted order; where ``columns`` leaves room, features that appear later get the columns that are left. An
absent feature is missing in learners that support missing values, and 0 in others.
"""

from online_forests._extras import require

require("river", "river")

from online_forests._classes import add_classes  # noqa: E402
from online_forests.river._classes import Models  # noqa: E402

# The types of these classes are in __init__.pyi.
__all__ = add_classes(globals(), Models())


def __dir__() -> list[str]:
    return __all__
