"""Pictures of trees."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest

from online_forests import Regressor
from online_forests.plots import plot_partition, plot_tree
from online_forests.sklearn import BoundaryForestClassifier, MondrianClassifier

matplotlib.use("Agg")

X = np.random.default_rng(0).random((200, 2))


def test_cuts_and_leaves_are_drawn():
    forest = MondrianClassifier(budget=3.0).fit(X, X[:, 0] > 0.5)
    axes = plot_partition(forest, x_range=(0, 1), y_range=(0, 1))
    cuts, leaves = axes.collections
    tree = forest._core.drawn_nodes(0, [(0, 0), (1, 0), (1, 1), (0, 1)])
    assert len(cuts.get_segments()) == sum(cut is not None for _, _, cut in tree) > 0
    assert len(leaves.get_paths()) > 0


def test_nodes_of_a_tree_are_drawn_with_their_cuts():
    forest = Regressor("obsp", 2)
    forest.learn(X, X[:, 0])
    axes = plot_tree(forest, max_depth=2)
    assert 3 <= len(axes.texts) <= 7 and "≤" in axes.texts[0].get_text()


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(TypeError, match="cannot be drawn"):
        plot_partition(BoundaryForestClassifier().fit(X, X[:, 0] > 0.5), x_range=(0, 1), y_range=(0, 1))
    with pytest.raises(TypeError, match="has learned something"):
        plot_partition(MondrianClassifier(), x_range=(0, 1), y_range=(0, 1))
