"""Rows a second of a forest in actors of Ray on this machine, beside one process; needs the package built for release, and Ray.

The last lines are of a forest with hardly any work: what the way from actor to actor takes.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

# Ray listens on the loopback interface then; it reads this when it is imported.
os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
import ray  # noqa: E402

from online_forests import Regressor  # noqa: E402
from online_forests.ray import ShardedForest  # noqa: E402

ROWS, FEATURES = 40_000, 10


def friedman() -> tuple[Any, Any]:
    random = np.random.default_rng(0)
    x = random.random((ROWS, FEATURES), dtype=np.float32)
    signal = 10 * np.sin(np.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2 + 10 * x[:, 3] + 5 * x[:, 4]
    return x, (signal + random.normal(size=ROWS)).astype(float)


def timed(label: str, work: Callable[[], Any]) -> None:
    start = time.perf_counter()
    work()
    seconds = time.perf_counter() - start
    print(f"{label}: {ROWS / seconds:,.0f} rows/s (load {os.getloadavg()[0]:.1f})", flush=True)


def in_actors(algorithm: str, trees: int, shards: int, x: Any, y: Any) -> None:
    def forest() -> ShardedForest:
        return ShardedForest(Regressor(algorithm, FEATURES, trees=trees, seed=1, threads=1), shards)

    tested, learned = forest(), forest()
    label = f"{algorithm}, {trees} trees, {shards} actors"
    timed(f"{label}, test-then-train", lambda: tested.predict_then_learn_many(x, y))
    timed(f"{label}, predict", lambda: tested.predict_many(x))
    timed(f"{label}, learn", lambda: learned.learn_many(x, y))


def main() -> None:
    x, y = friedman()
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    alone = [Regressor("amf", FEATURES, trees=64, seed=1, threads=1) for _ in range(2)]
    timed("amf, 64 trees, one process, test-then-train", lambda: alone[0].predict_then_learn(x, y))
    timed("amf, 64 trees, one process, predict", lambda: alone[0].predict(x))
    timed("amf, 64 trees, one process, learn", lambda: alone[1].learn(x, y))
    for shards in (1, 2):
        in_actors("amf", 64, shards, x, y)
    in_actors("mondrian:max_nodes=1", 2, 2, x, y)


if __name__ == "__main__":
    main()
