"""A comparison in parts, each a task of Ray, and one report of them.

    cargo build --release -p xtask && python docs/grids/ray_tasks.py 4

Run it in the workspace's folder, which all machines of the cluster have under this path on a shared disk.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

# Ray listens on the loopback interface then, unless it is given the address of a cluster; it reads this when it is imported.
os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
import ray  # noqa: E402

FOLDER = Path.cwd()
COMPARE = ["target/release/xtask", "compare"]
GRID = ["--data", "friedman", "--seeds", "10", "--threads", "1"]


@ray.remote(num_cpus=1, max_retries=3)
def run(part: int, parts: int) -> str:
    """An interrupted part resumes where its records end."""
    out = f"parts/{part}"
    subprocess.run([*COMPARE, *GRID, "--resume", "--part", f"{part}/{parts}", "--out", out], cwd=FOLDER, check=True)
    return f"{out}/runs.jsonl"


def main(parts: int) -> None:
    ray.init(include_dashboard=False)
    records = ray.get([run.remote(part, parts) for part in range(1, parts + 1)])
    subprocess.run([*COMPARE, "--report-from", *records, "--out", "all"], check=True)


main(int(sys.argv[1]))
