"""The learners of CapyMOA, if it is installed."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import data

from online_forests import Classifier as CoreClassifier
from online_forests import Regressor as CoreRegressor

pytest.importorskip("capymoa", reason="CapyMOA, or the Java that it needs, is not installed")

from capymoa.evaluation import prequential_evaluation
from capymoa.stream import NumpyStream

from online_forests.capymoa import Classifier, Regressor


def streams(rows: int = 500):
    x, y = data(rows)
    x = x.astype(np.float64)
    return x, y, NumpyStream(x, y), NumpyStream(x, x[:, 0] * 2, target_type="numeric")


@pytest.mark.parametrize("algorithm", ["mondrian", "amf:min_points=2", "stream-rf"])
def test_a_stream_is_learned_as_the_core_learns_it(algorithm):
    x, y, of_classes, of_numbers = streams()
    classifier = Classifier(of_classes.get_schema(), algorithm, random_seed=4)
    regressor = Regressor(of_numbers.get_schema(), algorithm, random_seed=4)
    assert classifier.predict(next(of_classes)) is None and regressor.predict(next(of_numbers)) == 0
    of_classes.restart()
    of_numbers.restart()
    while of_classes.has_more_instances():
        classifier.train(of_classes.next_instance())
        regressor.train(of_numbers.next_instance())
    core = CoreClassifier(algorithm, 3, seed=4, classes=2)
    core.learn(x, y)
    assert classifier._core.to_bytes() == core.to_bytes()
    core = CoreRegressor(algorithm, 3, seed=4)
    core.learn(x, x[:, 0] * 2)
    assert regressor._core.to_bytes() == core.to_bytes()
    assert str(classifier) == f"Classifier({algorithm})"


def test_prequential_evaluation_takes_them():
    _, _, of_classes, of_numbers = streams()
    schema = of_classes.get_schema()
    results = prequential_evaluation(of_classes, Classifier(schema))
    assert results.cumulative.accuracy() > 75
    results = prequential_evaluation(of_numbers, Regressor(of_numbers.get_schema()))
    assert results.cumulative.rmse() < 0.5


def test_batches_are_their_rows():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed", exc_type=Exception)
    from online_forests.capymoa import BatchClassifier, BatchRegressor

    x, y, of_classes, of_numbers = streams()
    classifier = BatchClassifier(of_classes.get_schema(), random_seed=4)
    classifier.batch_train(torch.from_numpy(x), torch.from_numpy(y.astype(np.int64)))
    core = CoreClassifier("mondrian", 3, seed=4, classes=2)
    core.learn(x, y)
    np.testing.assert_array_equal(classifier.batch_predict_proba(torch.from_numpy(x)).numpy(), core.predict(x))
    results = prequential_evaluation(of_classes, BatchClassifier(of_classes.get_schema()), batch_size=50)
    assert results.cumulative.accuracy() > 70
    results = prequential_evaluation(of_numbers, BatchRegressor(of_numbers.get_schema()), batch_size=50)
    assert results.cumulative.rmse() < 1


def test_what_does_not_fit_is_refused():
    _, _, of_classes, _ = streams()
    with pytest.raises(ValueError, match="did you mean"):
        Classifier(of_classes.get_schema(), "mondrain")
