"""Feature importances of extra trees of scikit-learn, as a line of CSV for each set: python3 importances.py FOLDER TREES NAME...

FOLDER/NAME.csv is what `cargo run --release -p dynamic-forest --example rows -- ADDRESS` writes.
"""

import csv
import sys

import numpy
import sklearn
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor


def main(folder, trees, *names):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for name in names:
        with open(f"{folder}/{name}.csv") as file:
            split = int(file.readline())
            table = numpy.loadtxt(file, delimiter=",")[:split]
        rows, targets = table[:, :-1].astype(numpy.float32), table[:, -1]
        is_class = numpy.all(targets == numpy.round(targets)) and len(numpy.unique(targets)) <= 100
        kind = ExtraTreesClassifier if is_class else ExtraTreesRegressor
        model = kind(n_estimators=int(trees), n_jobs=1, random_state=1).fit(rows, targets)
        out.writerow([f"scikit-learn {sklearn.__version__}", name, trees, *(f"{share:.4f}" for share in model.feature_importances_)])


main(*sys.argv[1:])
