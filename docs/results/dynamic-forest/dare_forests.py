"""Deletion from DaRE forests (dare-rf, with the defaults of their experiments: 25 thresholds a feature, depth of at most 20, no random layers), one sample after another,
as lines of CSV in the columns of the table forgetting.

python3 dare_forests.py FOLDER TREES GONE NAME...

FOLDER/NAME.csv is what `cargo run --release -p dynamic-forest --example rows -- ADDRESS` writes; its targets are 0 and 1.
"""

import csv
import sys
import time
from importlib.metadata import version

import dare
import numpy


def read(path):
    with open(path) as file:
        file.readline()
        table = numpy.loadtxt(file, delimiter=",", dtype=numpy.float32)
    return table[:, :-1].copy(), table[:, -1].astype(numpy.int32)


def timed(work):
    start = time.process_time()
    work()
    return time.process_time() - start


def delete(model, samples):
    for sample in samples:
        model.delete(int(sample))


def main(folder, trees, gone, *names):
    trees, gone, out = int(trees), int(gone), csv.writer(sys.stdout, lineterminator="\n")
    for name in names:
        rows, targets = read(f"{folder}/{name}.csv")
        model = dare.Forest(n_estimators=trees, max_depth=20, k=25, topd=0, random_state=1)
        build = timed(lambda: model.fit(rows, targets))
        # A sample is named by its place in the data, whatever was deleted before it.
        samples = numpy.random.default_rng(1).permutation(len(rows))[:gone]
        forget = timed(lambda: delete(model, samples)) / gone
        micros, millis = 1e6 * forget / trees, 1e3 * build / trees
        out.writerow([f"dare-rf {version('dare-rf')}", name, len(rows), trees, f"{micros:.2f}", f"{millis:.2f}", f"{build / forget:.0f}"])
        sys.stdout.flush()


main(*sys.argv[1:])
