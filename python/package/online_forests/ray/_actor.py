"""What an actor does with its trees, and where it saves them."""

from __future__ import annotations

import os
import re
from copy import copy
from functools import reduce
from pathlib import Path
from typing import Any, TypeAlias

from online_forests import load
from online_forests._core import Classifier, Regressor

Learner: TypeAlias = Classifier | Regressor
Folder: TypeAlias = str | os.PathLike[str]


class Shard:
    """The actor: some of the trees.

    Each call states how many rows the actor has learned, so that no row is learned twice or left out.
    """

    def __init__(self, learner: Learner, is_last: bool) -> None:
        self._learner, self._is_last = learner, is_last

    def check(self, start: int, x: Any, y: Any) -> None:
        self.learner(start).check(x, y)

    def learn(self, start: int, x: Any, y: Any) -> None:
        self.learner(start).learn(x, y)

    def add_votes_then_learn(self, start: int, x: Any, y: Any, votes: bytes) -> Any:
        return self._handed_on(self.learner(start).add_votes_then_learn(x, y, votes))

    def add_votes(self, start: int, x: Any, votes: bytes) -> Any:
        return self._handed_on(self.learner(start).add_votes(x, votes))

    def save(self, start: int, path: Path) -> None:
        self.learner(start).save(path)

    def learner(self, start: int) -> Any:
        if self._learner.samples_seen != start:
            message = (
                f"an actor has learned {self._learner.samples_seen} rows, not {start}: an earlier call was interrupted"
            )
            raise RuntimeError(f"{message}; continue with ShardedForest.resume")
        return self._learner

    def _handed_on(self, votes: bytes) -> Any:
        return self._learner.finish(votes) if self._is_last else votes


def split(model: Learner, shards: int) -> list[Any]:
    """Returns the shards of a forest: neighbouring trees, as evenly as possible.

    Raises TypeError for a learner that has none, ValueError for a number of them that there cannot be.
    """
    if model.part is None:
        raise TypeError(
            f"{model.algorithm} has no shards: only a forest of independent trees has them, "
            "alone or behind fitted steps; models of the program have them in online-forests train --part"
        )
    first, end, trees = model.part
    if (first, end) != (0, trees):
        raise ValueError(f"the model must have all of its trees, but has those from {first} to before {end} of {trees}")
    if not 1 <= shards <= trees:
        raise ValueError(f"shards must be a number from 1 to that of the trees, {trees}, but is {shards}")
    of_each = [copy(model) for _ in range(shards)]
    for number, shard in enumerate(of_each):
        shard.keep_trees(number * trees // shards, (number + 1) * trees // shards)
    return of_each


def joined(shards: list[Any]) -> Any:
    """Returns the forest of shards: the first one with the trees of the others."""

    def join(first: Any, following: Any) -> Any:
        first.join(following)
        return first

    return reduce(join, shards)


def file_of(folder: Folder, rows: int, shard: int, of: int) -> Path:
    """Returns the path of a shard after this number of rows."""
    return Path(folder, f"rows-{rows}-shard-{shard}-of-{of}.model")


def saved_in(folder: Folder) -> list[tuple[int, int]]:
    """Returns rows and number of shards of each complete checkpoint, the newest first."""
    names = [path.name for path in Path(folder).glob("rows-*.model")]
    found = [re.fullmatch(r"rows-(\d+)-shard-(\d+)-of-(\d+)\.model", name) for name in names]
    there = {(int(match[1]), int(match[2]), int(match[3])) for match in found if match}
    some = {(rows, of) for rows, _, of in there}
    return sorted(
        ((rows, of) for rows, of in some if all((rows, shard, of) in there for shard in range(of))), reverse=True
    )


def remove_all_but(folder: Folder, kept: set[int]) -> None:
    """Remove checkpoints after other numbers of rows."""
    for path in Path(folder).glob("rows-*.model"):
        if int(path.name.split("-")[1]) not in kept:
            path.unlink()


def newest(folder: Folder) -> Any:
    """Returns the forest of the newest checkpoint that can be read."""
    reason = "there is none with the files of all shards"
    for rows, of in saved_in(folder):
        try:
            return joined([load(file_of(folder, rows, shard, of)) for shard in range(of)])
        except (OSError, ValueError) as error:
            reason = str(error)
    raise ValueError(f"{os.fspath(folder)} has no checkpoint to continue from: {reason}")
