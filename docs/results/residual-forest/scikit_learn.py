"""Extra trees, random forests and gradient boosting of scikit-learn: root mean squared errors, as lines of CSV.

python3 scikit_learn.py FOLDER SEEDS NAME...

FOLDER/NAME-SEED.csv is what `cargo run --release -p residual-forest --example residual_rows -- ADDRESS SEED` writes: the number of training rows, then
rows, the target last. A number after the target is the target without noise: against it errors are measured, if it is there.
"""

import csv
import os
import sys

import numpy
import sklearn
from sklearn.ensemble import ExtraTreesRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.model_selection import GridSearchCV, KFold


def read(path):
    with open(path) as file:
        features, split = (int(number) for number in file.readline().split(","))
        table = numpy.loadtxt(file, delimiter=",")
    return split, table[:, :features].astype(numpy.float32), table[:, features], table[:, -1]


GRID = {"learning_rate": [0.05, 0.1], "max_leaf_nodes": [15, 31], "max_iter": [200, 500]}


def tuned(seed):
    """By three folds of the training rows."""
    boosting = HistGradientBoostingRegressor(random_state=seed)
    folds = KFold(3, shuffle=True, random_state=seed)
    return GridSearchCV(boosting, GRID, cv=folds, scoring="neg_root_mean_squared_error")


# Name, what makes it of a seed, and how many seeds at most: the seeds 0, 1, …
LEARNERS = [
    ("boosting", lambda seed: HistGradientBoostingRegressor(random_state=seed), 10),
    ("extra trees", lambda seed: ExtraTreesRegressor(100, random_state=seed), 10),
    ("random forest", lambda seed: RandomForestRegressor(100, random_state=seed), 3),
    ("boosting, tuned", tuned, 3),
]


def main(folder, seeds, names):
    out = csv.writer(sys.stdout, lineterminator="\n")
    for label, build, most in LEARNERS:
        for name in names:
            for seed in range(min(most, int(seeds))):
                path = f"{folder}/{name}-{seed}.csv"
                split, features, target, truth = read(path if os.path.exists(path) else f"{folder}/{name}-0.csv")
                learner = build(seed).fit(features[:split], target[:split])
                errors = learner.predict(features[split:]) - truth[split:]
                score = f"{numpy.sqrt(numpy.mean(errors**2)):.6g}"
                out.writerow([f"scikit-learn {sklearn.__version__}", label, name, seed, score])
                sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
