"""Extra trees of scikit-learn on one thread: score and microseconds of processor time a row and tree, as lines of CSV.

python3 scikit_learn.py FOLDER TREES SEEDS NAME...

FOLDER/NAME.csv is what `cargo run --release -p dynamic-forest --example rows -- ADDRESS` writes: the number of training rows, then rows,
the target last.
"""

import csv
import sys
import time

import numpy
import sklearn
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor


def read(path):
    with open(path) as file:
        split = int(file.readline())
        table = numpy.loadtxt(file, delimiter=",")
    return split, table[:, :-1].astype(numpy.float32), table[:, -1]


def timed(work):
    start = time.process_time()
    result = work()
    return result, 1e6 * (time.process_time() - start)


def main(folder, trees, seeds, *names):
    trees, out = int(trees), csv.writer(sys.stdout, lineterminator="\n")
    for name in names:
        split, rows, targets = read(f"{folder}/{name}.csv")
        is_class = numpy.all(targets == numpy.round(targets)) and len(numpy.unique(targets)) <= 100
        kind = ExtraTreesClassifier if is_class else ExtraTreesRegressor
        for seed in range(1, int(seeds) + 1):
            model = kind(n_estimators=trees, n_jobs=1, random_state=seed)
            _, fit = timed(lambda: model.fit(rows[:split], targets[:split]))
            predictions, ask = timed(lambda: model.predict(rows[split:]))
            truth = targets[split:]
            score = numpy.mean(predictions == truth) if is_class else numpy.mean((predictions - truth) ** 2) ** 0.5
            learned, asked = fit / split / trees, ask / len(truth) / trees
            out.writerow([f"scikit-learn {sklearn.__version__}", name, trees, seed, f"{score:.6f}", f"{learned:.4f}", f"{asked:.4f}"])
            sys.stdout.flush()


main(*sys.argv[1:])
