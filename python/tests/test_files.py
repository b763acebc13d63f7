"""The files of the program `online-forests`: read here, and the same bits as what is learned here."""

from __future__ import annotations

import os
import pathlib
import subprocess

import numpy as np
import pytest
from conftest import data

from online_forests import Classifier, Regressor, load

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="module")
def program() -> str:
    """The program: FOREST_PROGRAM says where it is; otherwise it is looked for in target/."""
    given = os.environ.get("FOREST_PROGRAM")
    places = [given] if given else [str(ROOT / "target" / kind / "online-forests") for kind in ("release", "debug")]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    pytest.skip("the program online-forests is not built; cargo build --release -p online-forests-cli builds it")


def table(path, x, y):
    lines = ["a,b,c,target"] + [
        ",".join(map(repr, row)) + f",{target}" for row, target in zip(x.tolist(), y, strict=True)
    ]
    path.write_text("\n".join(lines) + "\n")


def train(program, folder, x, targets, task, algorithm, *more):
    table(folder / "table.csv", x, targets)
    model = folder / "model"
    command = [program, "train", "--data", folder / "table.csv", "--target", "target", "--model", model, "--task", task]
    command += ["--algorithm", algorithm, "--trees", "5", "--seed", "3", "--scale", "none", *more]
    subprocess.run(command, check=True, capture_output=True)
    return model


@pytest.mark.parametrize("algorithm", ["mondrian", "obsp", "amf", "boundary-forest", "stream-rf", "adaptive"])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_classifier_of_the_program_has_the_same_bits(program, tmp_path, algorithm, threads):
    x, y = data(300)
    first = y[0]  # the program numbers classes by their names
    names = np.array(["a", "b"])[(y != first).astype(int)]
    model = load(train(program, tmp_path, x, names, "classify", algorithm, "--threads", threads))
    forest = Classifier(algorithm, 3, trees=5, seed=3, classes=2)
    forest.learn(x, (y != first).astype(np.uint32))
    assert isinstance(model, Classifier)
    assert (model.feature_names, model.class_names) == (["a", "b", "c"], ["a", "b"])
    assert model.to_bytes() == (tmp_path / "model").read_bytes()
    assert model.algorithm == f"model/pipeline/{forest.algorithm}"
    np.testing.assert_array_equal(model.predict(x), forest.predict(x))
    # And both continue alike.
    model.learn(x[:50], y[:50])
    forest.learn(x[:50], y[:50])
    np.testing.assert_array_equal(model.predict(x), forest.predict(x))


@pytest.mark.parametrize("algorithm", ["mondrian", "amf", "conformal"])
def test_a_regressor_of_the_program_has_the_same_bits(program, tmp_path, algorithm):
    x, _ = data(300)
    y = (x[:, 0] * 2 + x[:, 1]).astype(np.float64)
    model = load(train(program, tmp_path, x, y.tolist(), "regress", algorithm))
    forest = Regressor(algorithm, 3, trees=5, seed=3)
    for row, target in zip(x, y, strict=True):
        forest.learn(row.reshape(1, -1), [target])
    np.testing.assert_array_equal(model.predict(x), forest.predict(x))


def test_a_model_that_python_saved_is_read_by_the_program(program, tmp_path):
    x, y = data(100)
    path = train(program, tmp_path, x, y.tolist(), "classify", "mondrian")
    model = load(path)
    model.learn(x, y)
    model.save(path)
    predictions = tmp_path / "predictions.csv"
    command = [program, "predict", "--model", path, "--data", tmp_path / "table.csv", "--out", predictions]
    subprocess.run(command, check=True, capture_output=True)
    assert len(predictions.read_text().splitlines()) == 101
