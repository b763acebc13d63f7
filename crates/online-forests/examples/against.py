#!/usr/bin/env python3
"""Times learning and predicting of every algorithm in this checkout against another one, in turns.

    crates/online-forests/examples/against.py OTHER [--rounds N] [--rows N] [ALGORITHM ...]

OTHER is the folder of the other checkout; both are built first. Without names, all algorithms of crates/online-forests/tests/pinned.txt.
Prints microseconds a row and tree, the median of the rounds in OTHER and here, and their ratio with the least and the greatest one of a
round; then the number of those that are more than 3 % slower.
"""

import argparse
import csv
import io
import statistics
import subprocess
from pathlib import Path

HERE = Path(__file__).resolve().parents[3]
TIMES = ("learn_us", "test_then_learn_us", "predict_us")


def every_algorithm():
    lines = (HERE / "crates/online-forests/tests/pinned.txt").read_text().splitlines()
    names = [line.split()[0] for line in lines]
    return list(dict.fromkeys(name for name in names if ":" not in name))


def build(checkout):
    subprocess.run(["cargo", "build", "--release", "--workspace", "--example", "speed"], cwd=checkout, check=True)
    return checkout / "target/release/examples/speed"


def times(program, rows, algorithm):
    """Returns the times by task and pass; none if this checkout lacks the algorithm."""
    done = subprocess.run([program, str(rows), "1000", algorithm], capture_output=True, text=True)
    lines = csv.DictReader(io.StringIO(done.stdout))
    return {(line.get("task", "classification"), time): float(line[time]) for line in lines for time in TIMES}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=16_000)
    parser.add_argument("algorithms", nargs="*", metavar="ALGORITHM")
    args = parser.parse_intermixed_args()
    programs = [build(args.other), build(HERE)]
    slower = 0
    print(f"{'algorithm':28} {'task':15} {'time':19} {'other':>8} {'here':>8} ratio")
    for algorithm in args.algorithms or every_algorithm():
        rounds = [[times(program, args.rows, algorithm) for program in programs] for _ in range(args.rounds)]
        for key in rounds[0][1]:
            pairs = [(other[key], here[key]) for other, here in rounds if other.get(key)]
            if not pairs:
                continue
            other, here = (statistics.median(side) for side in zip(*pairs))
            ratios = [here / other for other, here in pairs]
            slower += here > 1.03 * other
            task, time = key
            print(
                f"{algorithm:28} {task:15} {time:19} {other:8.3f} {here:8.3f} "
                f"{here / other:.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
            )
    print(f"{slower} times are more than 3 % longer here")


if __name__ == "__main__":
    main()
