"""River's forests of 10 trees, test then train, in stream order, as lines of CSV: learner, data, trees, seed, rows, score over all rows so far, and microseconds
of processor time a row and tree so far, to predict and to learn; a line after each twentieth of the rows.

python3 river_forests.py FOLDER LEARNER LIMIT NAME...

LEARNER: arf or amf. FOLDER/NAME.csv is what `cargo run --release -p dynamic-forest --example rows -- ADDRESS` writes. A run of more than LIMIT seconds of
processor time ends with the twentieth in which it does.
"""

import csv
import sys
import time
from importlib.metadata import version

import numpy
from river import forest

TREES = 10
SEED = 1
LEARNERS = {
    "arf": (
        lambda: forest.ARFClassifier(n_models=TREES, seed=SEED),
        lambda: forest.ARFRegressor(n_models=TREES, seed=SEED),
    ),
    "amf": (
        lambda: forest.AMFClassifier(n_estimators=TREES, seed=SEED),
        lambda: forest.AMFRegressor(n_estimators=TREES, seed=SEED),
    ),
}


def read(path):
    with open(path) as file:
        file.readline()
        table = numpy.loadtxt(file, delimiter=",")
    features, targets = table[:, :-1], table[:, -1]
    is_class = numpy.all(targets == numpy.round(targets)) and len(numpy.unique(targets)) <= 100
    return [dict(enumerate(row)) for row in features.tolist()], targets.tolist(), is_class


def part(model, rows, targets, is_class):
    """Predicts and then learns each row; returns the number of correct predictions, or the sum of squared errors, and the seconds."""
    start, sum_ = time.process_time(), 0.0
    for row, target in zip(rows, targets):
        prediction = model.predict_one(row)
        sum_ += prediction == target if is_class else ((prediction or 0.0) - target) ** 2
        model.learn_one(row, int(target) if is_class else target)
    return sum_, time.process_time() - start


def main(folder, learner, limit, *names):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for name in names:
        rows, targets, is_class = read(f"{folder}/{name}.csv")
        model = LEARNERS[learner][0 if is_class else 1]()
        ends = [round(len(rows) * part / 20) for part in range(21)]
        score = seconds = 0.0
        for start, end in zip(ends, ends[1:]):
            more, took = part(model, rows[start:end], targets[start:end], is_class)
            score, seconds = score + more, seconds + took
            mean = score / end if is_class else (score / end) ** 0.5
            micros = 1e6 * seconds / end / TREES
            out.writerow([f"River {version('river')} {learner}", name, TREES, SEED, end, f"{mean:.6f}", f"{micros:.2f}"])
            sys.stdout.flush()
            if seconds > float(limit):
                break


main(*sys.argv[1:])
