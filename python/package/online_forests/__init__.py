"""Online forests: learners that learn one sample at a time and predict at any moment.

The classes to use are in the submodules, each of which needs only its own library:

- :mod:`online_forests.sklearn`: estimators of scikit-learn,
- :mod:`online_forests.river`: models of River,
- :mod:`online_forests.capymoa`: learners of CapyMOA,
- :mod:`online_forests.ray`: a forest whose trees are in actors of Ray.

This module has the learners without a library around them: :class:`Classifier` and :class:`Regressor`, built from a
text such as ``mondrian:budget=10``, and :func:`load` for the files of Python, of Rust and of the program
``online-forests``.

>>> import numpy as np
>>> from online_forests import Regressor
>>> forest = Regressor("mondrian", features=2, trees=10, seed=1)
>>> x = np.random.default_rng(0).random((100, 2), dtype=np.float32)
>>> forest.learn(x, x[:, 0])
>>> forest.predict(x[:3]).shape
(3, 1)
"""

from online_forests._core import Classifier, Regressor, Retriever, __version__, algorithms, load

__all__ = ["Classifier", "Regressor", "Retriever", "__version__", "algorithms", "load"]
