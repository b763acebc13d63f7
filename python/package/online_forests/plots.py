"""Pictures of trees by matplotlib, which is needed only here.

>>> import numpy as np
>>> import matplotlib
>>> matplotlib.use("Agg")
>>> from online_forests.plots import plot_partition
>>> from online_forests.sklearn import MondrianClassifier
>>> X = np.random.default_rng(0).random((100, 2))
>>> forest = MondrianClassifier().fit(X, X[:, 0] > 0.5)
>>> axes = plot_partition(forest, x_range=(0, 1), y_range=(0, 1))
"""

from __future__ import annotations

import json
from typing import Any

from online_forests._extras import require

__all__ = ["plot_partition", "plot_tree"]


def _core_of(forest: Any) -> Any:
    core = getattr(forest, "_core", forest)
    if not hasattr(core, "drawn_nodes") or core.is_empty:
        raise TypeError(f"a learner that has learned something is needed, but this is {forest!r}")
    return core


def plot_partition(
    forest: Any,
    tree: int = 0,
    *,
    x_range: tuple[float, float],
    y_range: tuple[float, float],
    ax: Any = None,
) -> Any:
    """Draw the cuts of a tree over two features, and the convex hulls of its leaves.

    Parameters
    ----------
    forest : estimator, model of River, or learner of the core
        A tessellation forest over two features that has learned something.
    tree : int, default=0
    x_range, y_range : pair of numbers
        The rectangle to draw.
    ax : matplotlib axes, default=None
        Where to draw; new axes if None.
    """
    require("matplotlib", "plots")
    from matplotlib.collections import LineCollection, PolyCollection

    (left, right), (low, high) = x_range, y_range
    corners = [(left, low), (right, low), (right, high), (left, high)]
    nodes = _core_of(forest).drawn_nodes(tree, corners)
    ax = _axes(ax)
    ax.add_collection(LineCollection([cut for _, _, cut in nodes if cut is not None], colors="black", linewidths=0.6))
    hulls = [hull for is_leaf, hull, _ in nodes if is_leaf and len(hull) > 2]
    ax.add_collection(PolyCollection(hulls, alpha=0.3))
    ax.set(xlim=x_range, ylim=y_range)
    return ax


def plot_tree(forest: Any, tree: int = 0, *, max_depth: int | None = 4, ax: Any = None) -> Any:
    """Draw the nodes of a tree with their cuts, from the root down to `max_depth`.

    Parameters
    ----------
    forest : estimator, model of River, or learner of the core
        A tessellation forest that has learned something.
    tree : int, default=0
    max_depth : int or None, default=4
        Edges between the root and the lowest node that is drawn.
    ax : matplotlib axes, default=None
        Where to draw; new axes if None.
    """
    names = forest._feature_names() if hasattr(forest, "_feature_names") else None
    exported = json.loads(_core_of(forest).exported(tree, "json", max_depth, names))
    nodes = exported["nodes"]
    features = exported["features"]
    places = _places(nodes)
    ax = _axes(ax)
    for node, (x, y) in zip(nodes, places, strict=True):
        for child in node["children"] or []:
            ax.plot([x, places[child][0]], [y, places[child][1]], color="grey", linewidth=0.8, zorder=1)
        ax.text(x, y, _text(node, features), ha="center", va="center", fontsize=7, bbox={"fc": "white", "ec": "grey"})
    ax.set_axis_off()
    ax.margins(0.1)
    return ax


def _places(nodes: list[dict[str, Any]]) -> list[tuple[float, float]]:
    """Leaves side by side, a parent between its children."""
    x = [0.0] * len(nodes)
    leaves = 0
    pending = [(0, False)]
    while pending:
        index, children_placed = pending.pop()
        children = nodes[index]["children"]
        if not children:
            x[index], leaves = float(leaves), leaves + 1
        elif children_placed:
            x[index] = sum(x[child] for child in children) / len(children)
        else:
            pending += [(index, True)] + [(child, False) for child in reversed(children)]
    return [(place, -float(node["depth"])) for place, node in zip(x, nodes, strict=True)]


def _text(node: dict[str, Any], features: list[str]) -> str:
    samples = f"{node['samples']} samples"
    if node["cut"] is None:
        return samples
    normal = node["cut"]["normal"]
    terms = [features[feature] if entry == 1 else f"{entry:.3g} {features[feature]}" for feature, entry in normal]
    return f"{' + '.join(terms)} ≤ {node['cut']['threshold']:.3g}\n{samples}"


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    require("matplotlib", "plots")
    import matplotlib.pyplot as plt

    return plt.subplots()[1]
