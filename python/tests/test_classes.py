"""Classes that are made from the table of algorithms: what Python, scikit-learn and River read of them."""

from __future__ import annotations

import inspect
import pickle
import pydoc
from dataclasses import is_dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import data
from sklearn.base import clone

from online_forests import algorithms, river, sklearn

CLASSES = [
    of_class
    for module in (sklearn, river)
    for of_class in map(module.__dict__.get, module.__all__)
    if is_dataclass(of_class)
]
every_class = pytest.mark.parametrize(
    "of_class", CLASSES, ids=lambda of_class: f"{of_class.__module__}.{of_class.__name__}"
)


def parameters(made: Any) -> dict[str, Any]:
    """The parameters as the library of an estimator or model reads them."""
    return dict(made.get_params() if hasattr(made, "get_params") else made._get_params())


@every_class
def test_signature_documentation_and_parameters_agree(of_class):
    known = inspect.signature(of_class).parameters
    defaults = {name: parameter.default for name, parameter in known.items()}
    assert {parameter.kind for parameter in known.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert parameters(of_class()) == defaults
    documented = [
        line.split(" : ")[0] for line in of_class.__doc__.splitlines() if " : " in line and not line.startswith(" ")
    ]
    assert [name for name in documented if not name.endswith("_")] == [name for name in defaults if name != "lambda_"]
    assert all(name in pydoc.render_doc(of_class) for name in defaults)


@every_class
def test_a_class_is_that_of_its_module(of_class):
    assert pickle.loads(pickle.dumps(of_class)) is of_class
    made = of_class(**dict.fromkeys({"random_state", "seed"} & set(inspect.signature(of_class).parameters), 3))
    for other in (pickle.loads(pickle.dumps(made)), clone(made) if hasattr(made, "get_params") else made.clone()):
        assert type(other) is of_class and parameters(other) == parameters(made)
    assert repr(made).startswith(of_class.__name__)


@every_class
def test_unknown_parameters_are_refused_with_the_name_of_the_class(of_class):
    with pytest.raises(TypeError, match=f"{of_class.__name__}.* 'bugdet'"):
        of_class(bugdet=1.0)


def test_every_row_of_the_table_has_a_class():
    for module in (sklearn, river):
        rows = {
            (entry["name"], task) for entry in algorithms() for task in ("classification", "regression") if entry[task]
        }
        made = [of_class for of_class in CLASSES if of_class.__module__ == module.__name__]
        tasks = {True: "classification", False: "regression"}
        assert {(of_class._algorithm, tasks[of_class.__name__.endswith("Classifier")]) for of_class in made} == rows
        assert len(made) == len(rows)


ALIASES = [entry for entry in algorithms() if entry["alias_of"] is not None]


@pytest.mark.parametrize("entry", ALIASES, ids=lambda entry: entry["name"])
def test_an_alias_is_its_algorithm_with_other_defaults(entry):
    x, y = data(120)
    for of_class in CLASSES:
        if of_class._algorithm != entry["name"]:
            continue
        task = "Classifier" if of_class.__name__.endswith("Classifier") else "Regressor"
        (algorithm,) = [
            other
            for other in CLASSES
            if other._algorithm == entry["alias_of"]
            and other.__name__.endswith(task)
            and other.__module__ == of_class.__module__
        ]
        own, general = parameters(of_class()), parameters(algorithm())
        changed = {name: value for name, value in own.items() if value != general[name]}
        assert {pair.split("=")[0] for pair in entry["preset"].split(",")} - {"vote"} <= set(changed)
        if of_class.__module__ == sklearn.__name__:
            trees = {"random_state": 1, "n_estimators": 10}
            alias, same = of_class(**trees).fit(x, y), algorithm(**trees, **changed).fit(x, y)
            assert alias._core.algorithm.startswith(entry["name"])
            np.testing.assert_array_equal(alias.predict(x), same.predict(x))


@pytest.mark.parametrize("module", [sklearn, river])
def test_the_classes_to_start_with_come_first_and_nothing_else_is_listed(module):
    first = [
        "ResidualForestClassifier",
        "ResidualForestRegressor",
        "DynamicExtraTreesClassifier",
        "DynamicExtraTreesRegressor",
    ]
    assert module.__all__[:4] == first and all(name in module.__doc__ for name in first)
    assert dir(module) == sorted(module.__all__)


@every_class
def test_the_documentation_says_what_is_supported_and_has_every_attribute(of_class):
    text, made = of_class.__doc__, of_class()
    title, task = (
        of_class.__name__.removesuffix("Classifier").removesuffix("Regressor"),
        of_class.__name__[-10:].lower().strip("r"),
    )
    first = text.splitlines()[0]
    assert (
        first.replace(" ", "")
        .lower()
        .startswith(title.lower() + ("classifier." if "lassifie" in task else "regressor."))
    )
    supported = text.partition("Supports: ")[2].partition("\n\n")[0]
    takes_weights = "sample_weight" in inspect.signature(of_class.fit).parameters if hasattr(of_class, "fit") else None
    assert takes_weights in (None, "weights of samples" in supported)
    assert ("missing values" in supported.partition("none of")[0]) == (
        "categorical_features" in parameters(made)
    ) or of_class.__module__ == river.__name__
    if of_class.__module__ != sklearn.__name__:
        return
    x, y = data(60)
    made = made.set_params(**{"n_estimators": 2} if "n_estimators" in parameters(made) else {}).fit(
        pd.DataFrame(x, columns=list("abc")), y
    )
    documented = [line.split(" : ")[0] for line in text.partition("Attributes\n---")[2].splitlines() if " : " in line]
    found = {name for name in dir(made) if name.endswith("_") and not name.startswith("_") and hasattr(made, name)}
    assert set(documented) == found - set(parameters(made))


def test_a_parameter_has_one_name_in_both_tasks():
    of_classes = {"branch_counts", "class_cap", "class_weight", "dirichlet", "discount", "recent", "vote"}
    of_numbers = {"epsilon", "hyperparameters", "variance"}
    for name in sklearn.__all__:
        other = getattr(sklearn, name.replace("Classifier", "Regressor"), None)
        if name.endswith("Classifier") and other is not None and other._algorithm == getattr(sklearn, name)._algorithm:
            classifier, regressor = set(parameters(getattr(sklearn, name)())), set(parameters(other()))
            assert classifier - regressor <= of_classes and regressor - classifier <= of_numbers
