"""The driver: it sends rows through all actors."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Self

import numpy as np
import ray
from numpy.typing import ArrayLike, NDArray
from ray.exceptions import ObjectLostError, RayActorError

from online_forests.ray._actor import Folder, Learner, Shard, file_of, joined, newest, remove_all_but, saved_in, split

# Rows that go together: enough for a call to cost little beside them, few enough for all actors to be at work.
ROWS_OF_A_PIECE = 1000
MOST_IN_FLIGHT = 16


class ShardedForest:
    """A forest in shards, each an actor of Ray. For one thread.

    An actor that is lost ends with an error; :meth:`resume` continues from the newest checkpoint.

    Parameters
    ----------
    model : Classifier or Regressor
        A forest of independent trees, alone or in a pipeline whose steps are fitted. It is copied.
    shards : int
        Number of actors, at most that of the trees.
    checkpoints : path, default=None
        A folder that every machine reaches by this path, where the actors save their trees.
    checkpoint_every : int, default=100_000
        Rows after which all actors save their trees.
    actor_options : mapping, default=None
        Options of Ray for each actor, such as ``{"num_cpus": 4}``. Actors are spread over machines unless they say
        otherwise.
    """

    def __init__(
        self,
        model: Learner,
        shards: int,
        *,
        checkpoints: Folder | None = None,
        checkpoint_every: int = 100_000,
        actor_options: Mapping[str, Any] | None = None,
    ) -> None:
        if checkpoints is not None and (found := saved_in(checkpoints)):
            raise ValueError(
                f"there is a checkpoint after {found[0][0]} rows in {os.fspath(checkpoints)}; "
                "continue from it with ShardedForest.resume, or start again in another folder"
            )
        self._start(model, shards, checkpoints, checkpoint_every, actor_options)

    @classmethod
    def resume(
        cls,
        checkpoints: Folder,
        shards: int,
        *,
        checkpoint_every: int = 100_000,
        actor_options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Continue from the newest complete checkpoint, with any number of shards.

        The next row to learn is number :attr:`samples_seen`, from 0.
        """
        forest = cls.__new__(cls)
        forest._start(newest(checkpoints), shards, checkpoints, checkpoint_every, actor_options)
        return forest

    def _start(
        self, model: Learner, shards: int, folder: Folder | None, every: int, options: Mapping[str, Any] | None
    ) -> None:
        of_each = split(model, shards)
        if every < 1:
            raise ValueError(f"checkpoint_every must be a number of rows from 1, but is {every}")
        self._rows = self._saved = model.samples_seen
        self._every = every
        self._folder = None if folder is None else os.path.abspath(folder)
        actor = ray.remote(Shard).options(**{"scheduling_strategy": "SPREAD", **(options or {})})
        self.actors = [actor.remote(shard, shard is of_each[-1]) for shard in of_each]
        if self._folder is not None:
            os.makedirs(self._folder, exist_ok=True)
            self.checkpoint()

    @property
    def samples_seen(self) -> int:
        """Number of samples learned, including those before the model was divided."""
        return self._rows

    def learn_many(self, X: ArrayLike, y: ArrayLike) -> None:
        """Learn rows one after another; all actors learn at the same time."""
        self._learn(X, y, lambda start, x, y: [actor.learn.remote(start, x, y) for actor in self.actors])

    def predict_many(self, X: ArrayLike) -> NDArray[np.float64]:
        """Predict rows: one row of values for each, as ``predict`` of the model."""
        x = np.asarray(X)
        start = self._rows
        flying: deque[Any] = deque()
        results = []
        for part in _pieces_of(x):
            flying.append(self._handed_on("add_votes", start, x[part]))
            if len(flying) == MOST_IN_FLIGHT:
                results.append(self._got(flying.popleft()))
        return _table(results + [self._got(result) for result in flying])

    def predict_then_learn_many(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Learn rows one after another, and return the prediction for each just before it was learned."""
        return _table(self._learn(X, y, lambda *piece: self._handed_on("add_votes_then_learn", *piece)))

    def model(self) -> Learner:
        """Return the whole forest in this process, as if it had learned all rows."""
        whole: Learner = joined(self._got([actor.learner.remote(self._rows) for actor in self.actors]))
        return whole

    def save(self, path: Folder) -> None:
        """Save the whole forest to one file, equal to that of one process."""
        self.model().save(path)

    def checkpoint(self) -> None:
        """Save the trees of all actors in the folder of checkpoints now. The previous checkpoint is kept."""
        if self._folder is None:
            raise ValueError("this forest has no folder for checkpoints; set one with checkpoints=")
        files = [file_of(self._folder, self._rows, shard, len(self.actors)) for shard in range(len(self.actors))]
        self._got([actor.save.remote(self._rows, path) for actor, path in zip(self.actors, files, strict=True)])
        remove_all_but(self._folder, {self._saved, self._rows})
        self._saved = self._rows

    def _learn(self, X: ArrayLike, y: ArrayLike, send: Callable[[int, Any, Any], Any]) -> list[Any]:
        x, targets = np.asarray(X), np.asarray(y)
        if x.shape[:1] != targets.shape[:1]:
            raise ValueError(f"there must be a target for each row, but X has shape {x.shape} and y {targets.shape}")
        pieces = _pieces_of(x)
        if len(pieces) > 1:
            # A batch is refused as a whole. All shards would refuse the same, so only the first one checks it.
            self._got(self.actors[0].check.remote(self._rows, x, targets))
        flying: deque[tuple[int, Any]] = deque()
        results = []
        sent = self._rows

        def wait(most: int) -> None:
            while len(flying) > most:
                end, result = flying.popleft()
                results.append(self._got(result))
                self._rows = end

        for part in pieces:
            end = sent + len(x[part])
            flying.append((end, send(sent, x[part], targets[part])))
            sent = end
            is_due = self._folder is not None and sent - self._saved >= self._every
            wait(0 if is_due else MOST_IN_FLIGHT - 1)
            if is_due:
                self.checkpoint()
        wait(0)
        return results

    def _handed_on(self, method: str, *piece: Any) -> Any:
        """Calls a method of each actor in turn with the votes of those before it; returns the last result."""
        votes: Any = b""
        for actor in self.actors:
            votes = getattr(actor, method).remote(*piece, votes)
        return votes

    def _got(self, results: Any) -> Any:
        """Returns the results of actors, or raises the error of the core that one has raised."""
        try:
            return ray.get(results)
        except Exception as error:
            if not _is_loss(error):
                raise getattr(error, "cause", None) or error from None
            continued = (
                "continue with ShardedForest.resume"
                if self._folder
                else "with checkpoints=, ShardedForest.resume can continue"
            )
            raise RuntimeError(f"an actor was lost with its trees; {continued}") from error


def _is_loss(error: BaseException | None) -> bool:
    """Returns whether an actor or its result was lost, which is then the cause of the error."""
    while error is not None:
        if isinstance(error, RayActorError | ObjectLostError):
            return True
        error = getattr(error, "cause", None)
    return False


def _pieces_of(x: Any) -> list[slice]:
    """Returns rows in pieces; no rows are one piece, which is checked, too."""
    rows = len(x) if x.ndim else 0
    return [slice(start, start + ROWS_OF_A_PIECE) for start in range(0, max(rows, 1), ROWS_OF_A_PIECE)]


def _table(pieces: list[Any]) -> NDArray[np.float64]:
    """Returns the predictions of all pieces. A class that was not known at a piece has probability 0 there."""
    width = pieces[-1].shape[1]
    filled = [np.pad(piece, ((0, 0), (0, width - piece.shape[1]))) for piece in pieces]
    return np.concatenate(filled)
