"""kill -9 of actors of Ray at random moments: every run ends with the bits of a learner that nobody has killed.

``KILLS=160 python python/benchmarks/ray_kills.py`` says how many kills have to land (default: 20); needs the package built for
release, and Ray. It fails at the first run whose predictions or saved learner differ.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

# Ray listens on the loopback interface then; it reads this when it is imported.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
import ray  # noqa: E402

from online_forests import Classifier  # noqa: E402
from online_forests.ray import ShardedForest  # noqa: E402

ROWS, FEATURES, TREES = 30_000, 5, 8
ALGORITHMS = ["amf", "mondrian:window=2000", "stream-rf"]


def parent_of(process: Path) -> int:
    # The name, in parentheses, may hold spaces.
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def actors() -> Iterator[int]:
    """The processes of actors of the Ray that this program has started."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            is_actor = (process / "cmdline").read_bytes().startswith(b"ray::Shard")
            if is_actor and parent_of(Path("/proc", str(parent_of(process)))) == os.getpid():
                yield int(process.name)
        except OSError:
            continue


class Killer(threading.Thread):
    """Kills one of so many actors now and then, whenever all are there, until it is asked to end."""

    def __init__(self, shards: int, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.shards, self.chance, self.landed, self.done = shards, chance, 0, threading.Event()

    def run(self) -> None:
        while not self.done.wait(self.chance.uniform(0.05, 0.8)):
            found = sorted(actors())
            if len(found) == self.shards:
                os.kill(self.chance.choice(found), signal.SIGKILL)
                self.landed += 1


def learned(learner: Any, x: Any, y: Any, chance: random.Random) -> list[Any]:
    """Predictions for some of the rows, in calls of random sizes; all are learned."""
    is_sharded = isinstance(learner, ShardedForest)
    test = learner.predict_then_learn_many if is_sharded else learner.predict_then_learn
    learn = learner.learn_many if is_sharded else learner.learn
    predictions, start = [], 0
    while start < len(x):
        rows = slice(start, start + chance.randrange(1, 6_000))
        predictions.append(learn(x[rows], y[rows]) if chance.random() < 0.3 else test(x[rows], y[rows]))
        start = rows.stop
    return predictions


def end(forest: ShardedForest) -> None:
    """The next run starts without these actors."""
    for actor in forest.actors:
        ray.kill(actor)
    while any(True for _ in actors()):
        time.sleep(0.1)


def run(number: int, x: Any, y: Any) -> int:
    """One run with kills; how many have landed."""
    chance = random.Random(number)
    algorithm = ALGORITHMS[number % len(ALGORITHMS)]
    alone = Classifier(algorithm, FEATURES, trees=TREES, seed=number, threads=1)
    with tempfile.TemporaryDirectory() as folder:
        shards, every = 2 + number % 2, chance.choice([1_000, 5_000, 100_000])
        forest = ShardedForest(alone, shards, checkpoints=folder, checkpoint_every=every)
        killer = Killer(shards, chance)
        killer.start()
        found = learned(forest, x, y, random.Random(number))
        killer.done.set()
        killer.join()
        model = forest.model().to_bytes()
        end(forest)
    expected = learned(alone, x, y, random.Random(number))
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
    assert model == alone.to_bytes(), f"run {number}, {algorithm}: another learner"
    print(f"run {number}: {algorithm}, {shards} actors, a checkpoint each {every} rows: {killer.landed} kills", flush=True)
    return killer.landed


def main() -> None:
    x = np.random.default_rng(0).random((ROWS, FEATURES), dtype=np.float32)
    y = (x[:, 0] + x[:, 1] > 1).astype(np.uint32)
    ray.init(num_cpus=3, include_dashboard=False, log_to_driver=False)
    wanted, landed, runs, start = int(os.environ.get("KILLS", "20")), 0, 0, time.monotonic()
    while landed < wanted:
        landed += run(runs, x, y)
        runs += 1
    print(f"{landed} kills in {runs} runs, all with the bits of a learner that nobody has killed; {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
