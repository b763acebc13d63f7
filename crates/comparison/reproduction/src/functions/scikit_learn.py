"""Learns FOLDER/train.csv, and writes the classes it predicts for FOLDER/test.csv to FOLDER/predictions.csv.

python3 scikit_learn.py versions
python3 scikit_learn.py NAME TREES SEED FOLDER

The first ends with an error unless the versions of scikit_learn.txt are there. A line of a table is a class, then features.
"""

import pathlib
import sys
from importlib.metadata import version


def check_versions():
    pinned = pathlib.Path(__file__).with_suffix(".txt").read_text().split()
    for name, wanted in (line.split("==") for line in pinned):
        if version(name) != wanted:
            sys.exit(f"{name} {version(name)} is installed, not {wanted}")


def learner(name, trees, seed):
    from sklearn import ensemble, neighbors

    return {
        "scikit-learn: random forest": ensemble.RandomForestClassifier(trees, random_state=seed),
        "scikit-learn: extra trees": ensemble.ExtraTreesClassifier(trees, random_state=seed),
        "scikit-learn: 3-NN": neighbors.KNeighborsClassifier(3),
    }[name]


def main(name, trees, seed, folder):
    import numpy

    folder = pathlib.Path(folder)
    train, test = (numpy.loadtxt(folder / f"{part}.csv", delimiter=",", dtype="float32") for part in ("train", "test"))
    model = learner(name, int(trees), int(seed)).fit(train[:, 1:], train[:, 0].astype(int))
    numpy.savetxt(folder / "predictions.csv", model.predict(test[:, 1:]), fmt="%d")


if sys.argv[1:] == ["versions"]:
    check_versions()
else:
    main(*sys.argv[1:])
