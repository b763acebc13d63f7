"""A model in shards, and shards as a model."""

from __future__ import annotations

import os
from copy import copy
from functools import reduce
from typing import Any, TypeAlias

from online_forests._core import Checkpoints, Classifier, Regressor, parts
from online_forests._notes import load

Learner: TypeAlias = Classifier | Regressor
Path: TypeAlias = str | os.PathLike[str]


def split(model: Learner, shards: int) -> list[Any]:
    """The shards of a whole forest.

    Raises TypeError for a learner that has none, ValueError for a number of them that there cannot be.
    """
    if model.part is None:
        raise TypeError(
            f"{model.algorithm} has no shards: only a forest of independent trees has them, alone or behind fitted steps; "
            "models of the program have them in online-forests train --processes"
        )
    first, end, trees = model.part
    if (first, end) != (0, trees):
        raise ValueError(f"the model must have all of its trees, but has those from {first} to before {end} of {trees}")
    if not 1 <= shards <= trees:
        raise ValueError(f"shards must be a number from 1 to that of the trees, {trees}, but is {shards}")
    return [_shard(model, part) for part in parts(trees, shards)]


def _shard(model: Learner, part: tuple[int, int]) -> Learner:
    shard = copy(model)
    shard.keep_trees(*part)
    return shard


def joined(shards: list[Any]) -> Any:
    """The whole forest of shards, of which the first becomes it."""

    def join(first: Any, following: Any) -> Any:
        first.join(following)
        return first

    return reduce(join, shards)


def newest(folder: Path) -> tuple[int, Any]:
    """The newest checkpoint that can be read: its rows, and the whole forest."""
    reason = "none was committed"
    for rows, of in Checkpoints.all_committed(folder):
        try:
            paths = [Checkpoints(folder, shard, of).path(rows) for shard in range(of)]
            return rows, joined([load(path) for path in paths])
        except (OSError, ValueError) as error:
            reason = str(error)
    raise ValueError(f"{os.fspath(folder)} has no checkpoint to continue from: {reason}")
