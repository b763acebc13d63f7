"""Processor time and memory of `train` in 1, 2 and 4 processes, in turn, each started with --hosts; needs no package.

    PROGRAM=target/release/online-forests python docs/results/beyond-one-machine/processes.py --algorithm amf --trees 64

40,000 rows of Friedman's function with 10 features; ROUNDS (6) measurements of each. What stands behind the name of this
program goes to `train`.
"""

from __future__ import annotations

import math
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

PROGRAM = Path(os.environ.get("PROGRAM", "target/release/online-forests")).resolve()
ROUNDS = int(os.environ.get("ROUNDS", "6"))
ROWS = 40_000


def friedman() -> str:
    chance = random.Random(1)
    lines = [",".join(f"x{feature}" for feature in range(10)) + ",y"]
    for _ in range(ROWS):
        x = [chance.random() for _ in range(10)]
        signal = 10 * math.sin(math.pi * x[0] * x[1]) + 20 * (x[2] - 0.5) ** 2 + 10 * x[3] + 5 * x[4]
        lines.append(",".join(f"{number:.6f}" for number in [*x, signal + chance.gauss(0, 1)]))
    return "\n".join(lines) + "\n"


def hosts(processes: int) -> str:
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(processes)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return "".join(f"127.0.0.1:{one.getsockname()[1]}\n" for one in sockets)


def run(processes: int, options: list[str], data: Path) -> tuple[float, float, list[float]]:
    """Processor time of all, time of the clock, and memory of each in MB."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "hosts").write_text(hosts(processes))
        fixed = "--target y --threads 1 --checkpoint never --model m --hosts hosts --checkpoint-dir c"
        line = [str(PROGRAM), "train", "--data", str(data), *fixed.split(), *options]
        start = time.monotonic()
        started = [
            subprocess.Popen([*line, "--process", str(process)], cwd=folder, stderr=subprocess.DEVNULL)
            for process in range(processes)
        ]
        used: list[resource.struct_rusage] = []
        for process in started:
            _, status, usage = os.wait4(process.pid, 0)
            assert status == 0, status
            used.append(usage)
        seconds = sum(usage.ru_utime + usage.ru_stime for usage in used)
        return seconds, time.monotonic() - start, [usage.ru_maxrss / 1024 for usage in used]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "friedman.csv"
        data.write_text(friedman())
        rounds = [{processes: run(processes, sys.argv[1:], data) for processes in (1, 2, 4)} for _ in range(ROUNDS)]
    for processes in (1, 2, 4):
        seconds, clock, _ = zip(*(one[processes] for one in rounds), strict=True)
        memory = ", ".join(f"{megabytes:.0f}" for megabytes in rounds[0][processes][2])
        print(
            f"{processes} processes: {statistics.mean(seconds):.2f} s of processor time ({min(seconds):.2f} to {max(seconds):.2f}), "
            f"{statistics.mean(clock):.1f} s of the clock ({min(clock):.1f} to {max(clock):.1f}), {memory} MB"
        )
    print(f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
