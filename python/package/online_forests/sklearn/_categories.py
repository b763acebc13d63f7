"""Columns of categories, for learners that take them."""

from __future__ import annotations

from typing import Any

import numpy as np

# A category is the quiet NaN of float32 with the number of the category, from 1, in its lower 22 bits.
_NAN = np.uint32(0x7FC00000)
_LIMIT = 2**22 - 1


def read_words(X: Any, core: Any) -> tuple[Any, list[int]]:
    """Returns a frame of pandas whose words and categorical values are categories, and the places of these columns."""
    words = []
    if type(X).__module__.split(".")[0] == "pandas" and getattr(X, "ndim", 0) == 2:
        words = [
            place
            for place, kind in enumerate(X.dtypes)
            if kind.kind == "O" and str(kind) in ("object", "category", "string", "str")
        ]
    if words:
        X = X.copy(deep=False)
    for place in words:
        column = X.iloc[:, place]
        if str(column.dtype) == "category":
            categories = core.categories([str(category) for category in column.cat.categories])
            values = np.append(categories, np.float32("nan"))[column.cat.codes]  # The code of a missing value is -1.
        else:
            values = core.column(X.columns[place], column.tolist())
        X.isetitem(place, values)
    return X, words


def with_categories(rows: Any, features: Any, names: Any, words: Any) -> Any:
    """Returns rows in which the numbers of these features are categories; a missing value remains one.

    Parameters
    ----------
    rows : ndarray of shape (n_samples, n_features)
    features : array-like of int, str or bool
        Numbers or names of columns, or a mask of them.
    names : array-like of str or None
        Names of all columns.
    words : list of int
        Columns that hold categories already.
    """
    places = np.setdiff1d(_places(features, names, rows.shape[1]), words).astype(np.intp)
    if not isinstance(rows, np.ndarray):
        raise ValueError("categorical_features needs dense rows, but X is sparse")
    numbers = rows[:, places]
    missing = np.isnan(numbers)
    codes = np.where(missing, -1, numbers)
    wrong = ~missing & ((codes < 0) | (codes >= _LIMIT) | (codes != np.floor(codes)))
    if wrong.any():
        row, at = np.argwhere(wrong)[0]
        raise ValueError(
            f"row {row}, feature {places[at]}: {numbers[row, at]:g} is not the number of a category, "
            f"a whole number from 0 to {_LIMIT - 1}; "
            "OrdinalEncoder(handle_unknown='use_encoded_value', unknown_value=np.nan) makes them of words"
        )
    rows = rows.astype(np.float32)
    # As whole numbers: arithmetic need not keep the bits of a NaN.
    rows.view(np.uint32)[:, places] = _NAN | (codes + 1).astype(np.uint32)
    return rows


def _places(features: Any, names: Any, width: int) -> Any:
    """Returns the columns of numbers, names or a mask."""
    given = np.asarray(features)
    if given.dtype.kind == "b":
        if given.shape != (width,):
            raise ValueError(
                f"categorical_features must have {width} entries as a mask, one a feature, but has {given.size}"
            )
        return np.flatnonzero(given)
    if given.dtype.kind in "OU":
        known = {} if names is None else {name: place for place, name in enumerate(names)}
        if unknown := [name for name in given.tolist() if name not in known]:
            raise ValueError(f"categorical_features has names that are not among those of X: {unknown}")
        return np.array([known[name] for name in given.tolist()], dtype=np.intp)
    if given.size and (given.dtype.kind not in "iu" or given.min() < 0 or given.max() >= width):
        raise ValueError(
            f"categorical_features must be names, a mask, or numbers of columns from 0 to {width - 1}, "
            f"but is {features!r}"
        )
    return given.astype(np.intp)
