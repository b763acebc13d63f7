"""Weights of rows, from those of the caller and those of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.utils import check_consistent_length, column_or_1d, compute_class_weight
from sklearn.utils.validation import _check_sample_weight


def row_weights(sample_weight: Any, class_weight: Any, labels: Any, index: Any) -> Any:
    """Returns the weight of each row; ``None`` if neither rows nor labels have weights."""
    if class_weight is None:
        return sample_weight
    if not isinstance(class_weight, Mapping):
        raise TypeError(
            f"class_weight must be a dictionary of labels and weights, but is {class_weight!r}; "
            "'balanced' needs all rows at once, as fit has them"
        )
    of_labels = np.array([class_weight.get(label, 1.0) for label in labels.tolist()], dtype=np.float64)
    if sample_weight is None:
        return of_labels[index]
    of_rows = column_or_1d(sample_weight)
    check_consistent_length(of_rows, index)
    return of_rows * of_labels[index]


_LEAST_WEIGHT, _MOST_WEIGHT = 2.0**-20, 2.0**20


def rows_with_weight(rows: Any, targets: Any, weights: Any) -> tuple[Any, Any, Any]:
    """Returns the rows whose weight is not 0, their targets, and their weights, which the core accepts."""
    if weights is None:
        return rows, targets, None
    weights = np.asarray(_check_sample_weight(weights, rows, dtype=np.float64))
    if (weights < 0).any() or weights.max() > _MOST_WEIGHT:
        raise ValueError(f"weights must be from 0 to 2^20, but are from {weights.min():.7g} to {weights.max():.7g}")
    counts = weights > 0
    # Boosting makes weights as small as it likes.
    weights = np.maximum(weights, _LEAST_WEIGHT)
    return (rows, targets, weights) if counts.all() else (rows[counts], targets[counts], weights[counts])


def label_weights(class_weight: Any, y: Any) -> Any:
    """Returns the weights of labels; ``"balanced"`` stands for those that balance the labels of these rows."""
    if not isinstance(class_weight, str) or class_weight != "balanced":
        return class_weight
    y = column_or_1d(y)
    labels = np.unique(y)
    return dict(zip(labels.tolist(), compute_class_weight("balanced", classes=labels, y=y), strict=True))
