"""The driver: it sends rows through all actors, and brings back those that were lost."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self

import numpy as np
import ray
from numpy.typing import ArrayLike, NDArray
from ray.exceptions import ObjectLostError, RayActorError

from online_forests._core import Checkpoints
from online_forests.ray._actor import Behind, Shard
from online_forests.ray._pieces import ROWS_OF_A_PIECE, Asked, Checked, Fetched, Learned, Piece, Saved, Tested, parts_of, table
from online_forests.ray._trees import Learner, Path, joined, newest, split

MOST_IN_FLIGHT = 16
# Seconds for Ray to start an actor again.
RESTART_WITHIN = 60.0
PAUSE = 0.1
# Failures one after another without a piece that all actors have done.
MOST_FAILURES = 30


class ShardedForest:
    """A forest in shards, each an actor of Ray. For one thread.

    Parameters
    ----------
    model : Classifier or Regressor
        A forest of independent trees, alone or in a pipeline whose steps are fitted. It is copied.
    shards : int
        Number of actors, at most that of the trees.
    checkpoints : path, default=None
        A folder that every machine reaches by this path. With it an actor that was lost comes back, and continues with the bits
        that it would have had; without it that is an error.
    checkpoint_every : int, default=100_000
        Rows after which all actors save their trees. Rows since then are kept, to be learned again after a failure.
    actor_options : mapping, default=None
        Options of Ray for each actor, such as ``{"num_cpus": 4}``. Actors are spread over machines unless they say otherwise.
    """

    def __init__(
        self,
        model: Learner,
        shards: int,
        *,
        checkpoints: Path | None = None,
        checkpoint_every: int = 100_000,
        actor_options: Mapping[str, Any] | None = None,
    ) -> None:
        if checkpoints is not None and (found := Checkpoints.all_committed(checkpoints)):
            raise ValueError(
                f"there is a checkpoint after {found[0][0]} rows in {os.fspath(checkpoints)}; "
                "continue from it with ShardedForest.resume, or start again in another folder"
            )
        self._start(model, model.samples_seen, shards, checkpoints, checkpoint_every, actor_options)

    @classmethod
    def resume(
        cls,
        checkpoints: Path,
        shards: int,
        *,
        checkpoint_every: int = 100_000,
        actor_options: Mapping[str, Any] | None = None,
    ) -> Self:
        """Continue from the newest complete checkpoint, with any number of shards; :attr:`samples_seen` is the next row."""
        rows, model = newest(checkpoints)
        forest = cls.__new__(cls)
        forest._start(model, rows, shards, checkpoints, checkpoint_every, actor_options)
        return forest

    def _start(
        self,
        model: Learner,
        rows: int,
        shards: int,
        folder: Path | None,
        every: int,
        options: Mapping[str, Any] | None,
    ) -> None:
        of_each = split(model, shards)
        if every < 1:
            raise ValueError(f"checkpoint_every must be a number of rows from 1, but is {every}")
        self._rows = self._committed = rows
        self._every = every
        self._log: list[Learned] = []
        self._folder = None if folder is None else os.path.abspath(folder)
        restarts = 0 if folder is None else -1
        ours = {"max_restarts": restarts, "scheduling_strategy": "SPREAD", **(options or {})}
        actor = ray.remote(Shard).options(**ours)
        self.actors = [actor.remote(self._folder, shard, shards, model.threads) for shard in range(shards)]
        begun = zip(self.actors, of_each, strict=True)
        ray.get([actor.begin.remote(learner, rows) for actor, learner in begun])
        if self._folder is not None:
            self.checkpoint()

    @property
    def samples_seen(self) -> int:
        """Number of samples learned, by the model before it was divided, too."""
        return self._rows

    def learn_many(self, X: ArrayLike, y: ArrayLike) -> None:
        """Learn rows with their targets, one after another. All actors learn at once."""
        self._learn(Learned, X, y)

    def predict_many(self, X: ArrayLike) -> NDArray[np.float64]:
        """Predict rows, one row each: as ``predict`` of the model."""
        x = np.asarray(X)
        asked = (Asked(self._rows, x[part]) for part in parts_of(x))
        return table(self._run(asked))

    def predict_then_learn_many(self, X: ArrayLike, y: ArrayLike) -> NDArray[np.float64]:
        """Test-then-train: the prediction for every row just before it was learned."""
        return table(self._learn(Tested, X, y))

    def model(self) -> Learner:
        """The whole forest in this process, as if it had learned all rows itself."""
        [shards] = self._run([Fetched(self._rows)])
        whole: Learner = joined(shards)
        return whole

    def save(self, path: Path) -> None:
        """Save the whole forest as one file, the same as that of one process."""
        self.model().save(path)

    def checkpoint(self) -> None:
        """Have all actors save their trees in the folder of checkpoints now."""
        if self._folder is None:
            raise ValueError("this forest has no folder for checkpoints; set one with checkpoints=")
        self._run([Saved(self._rows, self._committed)])
        Checkpoints(self._folder, 0, len(self.actors)).commit(self._rows)
        self._committed = self._rows
        self._log = []

    def _learn(self, kind: type[Learned], X: ArrayLike, y: ArrayLike) -> list[Any]:
        x, targets = np.asarray(X), np.asarray(y)
        if x.shape[:1] != targets.shape[:1]:
            raise ValueError(f"there must be a target for each row, but X has shape {x.shape} and y {targets.shape}")
        pieces = parts_of(x)
        if len(pieces) > 1:
            # A batch that is refused is refused whole.
            self._run([Checked(self._rows, x, targets)])
        predictions = []
        while pieces:
            room = self._room(len(pieces))
            now, pieces = pieces[:room], pieces[room:]
            predictions += self._run(self._logged(kind, x, targets, now))
            if self._folder is not None and self._rows - self._committed >= self._every:
                self.checkpoint()
        return predictions

    def _room(self, pieces: int) -> int:
        """How many of these pieces go before the next checkpoint."""
        left = self._every - (self._rows - self._committed)
        return pieces if self._folder is None else max(1, left // ROWS_OF_A_PIECE)

    def _logged(self, kind: type[Learned], x: Any, y: Any, pieces: list[slice]) -> Iterator[Learned]:
        start = self._rows
        for part in pieces:
            piece = kind(start, x[part], y[part])
            if self._folder is not None:
                # The caller may write into its arrays after the call.
                self._log.append(Learned(start, x[part].copy(), y[part].copy()))
            start = piece.end
            yield piece

    def _run(self, pieces: Iterable[Piece]) -> list[Any]:
        """Send pieces through all actors; what they make of them."""
        flying: deque[Piece] = deque()
        results = []
        try:
            for piece in pieces:
                if len(flying) == MOST_IN_FLIGHT:
                    results.append(self._result(flying))
                flying.append(piece)
                for shard in range(len(self.actors)):
                    piece.send(self.actors, shard)
            while flying:
                results.append(self._result(flying))
        finally:
            # If one was refused, those behind it were not learned either.
            self._log = [piece for piece in self._log if piece.end <= self._rows]
        return results

    def _result(self, flying: deque[Piece]) -> Any:
        """The result of the first piece, once all actors have done it, whatever fails meanwhile."""
        failure: Exception | None = None
        for _ in range(MOST_FAILURES):
            try:
                if failure is not None:
                    self._recover(flying, failure)
                result = flying[0].result()
            except Exception as error:
                if not _is_loss(error):
                    raise getattr(error, "cause", None) or error from None
                failure = error
            else:
                self._rows = flying.popleft().end
                return result
        raise RuntimeError(f"{MOST_FAILURES} failures one after another: {failure}") from failure

    def _recover(self, flying: deque[Piece], failure: Exception) -> None:
        """Bring each actor to where it was, and send what it has not done."""
        if self._folder is None:
            raise RuntimeError(
                "an actor was lost with its trees, and this forest has no checkpoints to continue from: set checkpoints="
            ) from failure
        for shard in range(len(self.actors)):
            rows = self._rows_of(shard)
            # All are asked: Ray complains of failures that nobody has looked at.
            are_done = [piece.is_done(shard) for piece in flying]
            done = are_done.index(False) if False in are_done else len(flying)
            self._replay(shard, rows, flying[done - 1].end if done > 0 else flying[0].start)
            for piece in list(flying)[done:]:
                piece.send(self.actors, shard)

    def _replay(self, shard: int, rows: int | None, until: int) -> None:
        """Have an actor that has learned `rows` rows learn those up to `until`."""
        actor = self.actors[shard]
        if rows is None or rows > until:
            # Further than what is known of it: a result was lost, though not the actor.
            rows = self._committed
            ray.get(actor.resume.remote(rows))
        again = [piece for piece in self._log if rows <= piece.start < until]
        ray.get([actor.learn.remote(piece.start, piece.x, piece.y) for piece in again])

    def _rows_of(self, shard: int) -> int | None:
        """How many rows an actor has learned; None if it was started again. Waits until it is there."""
        deadline = time.monotonic() + RESTART_WITHIN
        while True:
            try:
                rows: int | None = ray.get(self.actors[shard].rows.remote())
                return rows
            except RayActorError as error:
                if time.monotonic() > deadline:
                    message = f"shard {shard} was lost, and has not come back within {RESTART_WITHIN:.0f} s"
                    raise RuntimeError(message) from error
            time.sleep(PAUSE)


def _is_loss(error: BaseException | None) -> bool:
    """Whether an actor was lost, or what it had made. What waited for that has failed with it as a cause."""
    while error is not None:
        if isinstance(error, RayActorError | ObjectLostError | Behind):
            return True
        error = getattr(error, "cause", None)
    return False
