"""River's adaptive random forest on elec2, test then train; prints the accuracy.

python3.12 -m venv venv && venv/bin/pip install river==0.26.0
venv/bin/python arf.py $FOREST_DATA/elec2/electricity_openml.csv.gz SEED [FEATURES_LEFT_OUT,…]
"""

import csv
import gzip
import sys
from importlib.metadata import version

from river import forest

WANTED = "0.26.0"
MODELS = 10


def rows(path, dropped):
    with gzip.open(path, "rt") as file:
        lines = csv.reader(file)
        next(lines)
        for line in lines:
            values = [float(cell) for index, cell in enumerate(line[:-1], 1) if index not in dropped]
            yield dict(enumerate(values)), line[-1]


def accuracy(path, seed, dropped):
    model = forest.ARFClassifier(n_models=MODELS, seed=seed)
    right = count = 0
    for features, label in rows(path, dropped):
        right += model.predict_one(features) == label
        count += 1
        model.learn_one(features, label)
    return right / count, count


if version("river") != WANTED:
    sys.exit(f"river {version('river')} is installed, not {WANTED}")
left_out = {int(column) for column in "".join(sys.argv[3:]).split(",") if column}
print("accuracy {:.4f} over {} rows".format(*accuracy(sys.argv[1], int(sys.argv[2]), left_out)))
