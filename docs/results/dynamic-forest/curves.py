"""prequential.csv: scores along streams, of runs of `cargo xtask compare` and of what river_forests.py has printed.

python3 curves.py runs.jsonl river.csv... > prequential.csv

Of the runs' curves, the point nearest to each twentieth of the rows; microseconds are those of predicting and learning a row, per tree.
"""

import csv
import json
import sys

PARTS = 20
NAMES = {
    "california_housing": "california",
    "king_county_housing": "king county",
    "kingcounty": "king county",
    "rbf": "random RBF",
    "friedman5": "friedman, d = 5",
    "friedman10": "friedman, d = 10",
    "friedman:d=5,n=16000,test=4000": "friedman, d = 5",
    "friedman:d=10,n=16000,test=4000": "friedman, d = 10",
    "sea:n=20000": "sea",
    "random-rbf:n=20000": "random RBF",
}


def name(data):
    return NAMES.get(data, data)


def of_run(run):
    curve, trees, seconds = run["curve"], max(run["trees"], 1), 0.0
    points = []
    for rows, score, took in zip(curve["rows"], curve["cumulative"], curve["seconds"]):
        seconds += took
        points.append((rows, score, 1e6 * seconds / rows / trees))
    for part in range(1, PARTS + 1):
        rows, score, micros = min(points, key=lambda point: abs(point[0] - run["n_test"] * part / PARTS))
        yield [run["label"], name(run["dataset"]), run["trees"], run["seed"], rows, f"{score:.6f}", f"{micros:.2f}"]


def main(runs, *rivers):
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(["learner", "data", "trees", "seed", "rows", "score", "micros"])
    with open(runs) as file:
        for line in file:
            out.writerows(of_run(json.loads(line)))
    for path in rivers:
        with open(path) as file:
            for learner, data, *rest in csv.reader(file):
                out.writerow([learner, name(data), *rest])


main(*sys.argv[1:])
