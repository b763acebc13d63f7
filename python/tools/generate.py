"""Write the estimators of `online_forests.sklearn` and the models of `online_forests.river`.

    python tools/generate.py            # writes both files
    python tools/generate.py --check    # says whether they are what it would write

Signatures and documentation come from what the algorithms declare in Rust (`online_forests.algorithms()`).
"""

from __future__ import annotations

import argparse
import pathlib
import re
import sys
import textwrap
from typing import Any

from online_forests import algorithms

PACKAGE = pathlib.Path(__file__).parent.parent / "package" / "online_forests"
WIDTH = 120
# Written in capitals in the papers.
ACRONYMS = {"amf", "urtf", "wurtf", "mrtf", "wmrtf", "rf"}
PYTHON_WORDS = {"lambda": "lambda_"}
TASKS = {"classification": "Classifier", "regression": "Regressor"}
HEADER = '''"""{what}, one for each algorithm.

Written by `python tools/generate.py` from what the algorithms declare in Rust; not to be edited.
"""

from __future__ import annotations

{imports}

'''


def class_name(algorithm: str, task: str) -> str:
    parts = algorithm.split("-")
    return "".join(part.upper() if part in ACRONYMS else part.capitalize() for part in parts) + TASKS[task]


def own_parameters(known: dict[str, Any]) -> list[dict[str, str]]:
    """The parameters that the algorithm declares, as Python has them."""
    return [
        {
            "name": PYTHON_WORDS.get(declared["name"], declared["name"]),
            "type": annotation(declared),
            "default": default(declared),
            "text": f"{sentence(declared['meaning'])} {sentence(rule(declared))}",
        }
        for declared in known["parameters"]
    ]


def annotation(declared: dict[str, Any]) -> str:
    known = [] if declared["kind"] == "word" else [declared["kind"]]
    if declared["words"]:
        known.append(f"Literal[{', '.join(quoted(word) for word in declared['words'])}]")
    if declared["default"] is None:
        known.append("None")
    return " | ".join(known)


def quoted(word: str) -> str:
    return f'"{word}"'


def default(declared: dict[str, Any]) -> str:
    text = declared["default"]
    if text is None:
        return "None"
    if text in declared["words"] or declared["kind"] in ("str", "word"):
        return quoted(text)
    if declared["kind"] == "int":
        return str(int(text))
    return "inf" if text == "inf" else repr(float(text))


def rule(declared: dict[str, Any]) -> str:
    if declared["default"] is None:
        return f"{declared['rule']}; by default {declared['default_text']}"
    return str(declared["rule"])


def sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


TREES_IN_RIVER = {"amf": "n_estimators"}
CLASS_WEIGHT = {
    "name": "class_weight",
    "type": 'dict[Any, float] | Literal["balanced"] | None',
    "default": "None",
    "text": "By which number the weights of the rows of each label are multiplied: 1 for labels that are left out, and so that all labels "
    "weigh the same in a fit if balanced.",
}
CLASS_CAP = {
    "name": "class_cap",
    "type": "int | None",
    "default": "None",
    "text": "Number of classes there may be, at most; 4096 by default. A label beyond is refused.",
}
RESERVOIR = {
    "name": "reservoir",
    "type": "int | None",
    "default": "None",
    "text": "Samples held, a uniform random sample of all so far: at least 1; all of them by default.",
}


VERBOSE = {
    "name": "verbose",
    "type": "int",
    "default": "0",
    "text": "If not 0, a long fit writes to standard error, once in a second, how many rows are learned.",
}


def sklearn_parameters(entry: dict[str, Any], task: str) -> list[dict[str, str]]:
    forest = [
        {
            "name": "n_estimators",
            "type": "int",
            "default": "10",
            "text": "Number of trees, at least 1. Time and memory are proportional to it.",
        },
        {
            "name": "random_state",
            "type": "int | np.random.RandomState | None",
            "default": "None",
            "text": "Seed: the same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by numpy's global generator.",
        },
    ]
    weights = [CLASS_WEIGHT] if task == "classification" and entry[task]["weights"] else []
    return [*common(entry, task, forest, *weights), VERBOSE]


WIDENS = (
    "Number of features there is room for from the start; by default those of the first sample. Features that appear later are "
    "added all the same, and were 0 until then."
)
READS_NO_MORE = (
    "Number of features there may be; by default those of the first sample. What appears when all columns are taken is not read, and "
    "a warning says so."
)


def river_parameters(entry: dict[str, Any], task: str) -> list[dict[str, str]]:
    forest = [
        {
            # What the forest of River that the algorithm is also named after calls it.
            "name": TREES_IN_RIVER.get(entry["name"], "n_models"),
            "type": "int",
            "default": "10",
            "text": "Number of trees, at least 1. Time and memory are proportional to it.",
        },
        {
            "name": "seed",
            "type": "int | None",
            "default": "None",
            "text": "The same seed, parameters and samples give the same forest, bit for bit. By default one is drawn by numpy's global generator.",
        },
    ]
    columns = {
        "name": "columns",
        "type": "int | None",
        "default": "None",
        "text": WIDENS if entry[task]["widens"] else READS_NO_MORE,
    }
    return common(entry, task, forest, columns)


def common(
    entry: dict[str, Any], task: str, forest: list[dict[str, str]], *more: dict[str, str]
) -> list[dict[str, str]]:
    known = entry[task]
    declared = own_parameters(known)
    holds = known["reservoir"] and any(parameter["name"] == "window" for parameter in declared)
    jobs = {
        "name": "n_jobs",
        "type": "int | None",
        "default": "None",
        "text": "Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.",
    }
    caps = [CLASS_CAP] if task == "classification" else []
    return declared + ([RESERVOIR] if holds else []) + ([] if entry["is_baseline"] else forest) + [*more, *caps, jobs]


EXAMPLES = {
    ("sklearn", "classification"): """
>>> from sklearn.datasets import load_iris
>>> from online_forests.sklearn import {name}
>>> X, y = load_iris(return_X_y=True)
>>> {name}().fit(X, y).predict_proba(X).shape
(150, 3)
""",
    ("sklearn", "regression"): """
>>> from sklearn.datasets import load_diabetes
>>> from online_forests.sklearn import {name}
>>> X, y = load_diabetes(return_X_y=True)
>>> {name}().fit(X, y).predict(X).shape
(442,)
""",
    ("river", "classification"): """
>>> from online_forests.river import {name}
>>> model = {name}()
>>> for number in range(20):
...     model.learn_one({{"size": number / 20, "age": 0.5}}, "large")
>>> model.predict_one({{"size": 0.9, "age": 0.5}})
'large'
""",
    ("river", "regression"): """
>>> from online_forests.river import {name}
>>> model = {name}()
>>> for number in range(20):
...     model.learn_one({{"size": number / 20, "age": 0.5}}, 3.0)
>>> model.predict_one({{"size": 0.9, "age": 0.5}})
3.0
""",
}


def documentation(library: str, task: str, entry: dict[str, Any], parameters: list[dict[str, str]]) -> str:
    name = class_name(entry["name"], task)
    lines = [f"{sentence(entry['description'])}", ""]
    lines += textwrap.wrap(sentence(entry["paper"]), WIDTH - 4) + [""]
    for limit in entry["limits"]:
        lines += textwrap.wrap(f"Limit: {limit}.", WIDTH - 4) + [""]
    lines += ["Parameters", "----------"]
    for parameter in parameters:
        kind = numpydoc_type(parameter)
        lines += textwrap.wrap(
            f"{parameter['name']} : {kind}", WIDTH - 4, subsequent_indent="    "
        ) + textwrap.wrap(parameter["text"], WIDTH - 8, initial_indent="    ", subsequent_indent="    ")
    if library == "sklearn":
        lines += ["", "Attributes", "----------"]
        if task == "classification":
            lines += ["classes_ : ndarray of shape (n_classes,)", "    The labels, sorted."]
        lines += ["n_features_in_ : int", "    Number of features of a row."]
        lines += ["feature_names_in_ : ndarray of shape (n_features_in_,)", "    Names of the features, where the rows had any."]
        lines += ["samples_seen_ : int", "    Number of samples learned: after an interrupt, those of whole blocks of the batch."]
    lines += ["", "Examples", "--------"]
    lines += EXAMPLES[library, task].format(name=name).strip().splitlines()
    return "\n".join(lines)


def numpydoc_type(parameter: dict[str, str]) -> str:
    kind = re.sub(r"Literal\[(.*?)\]", r"{\1}", parameter["type"]).replace(" | ", " or ")
    return f"{kind}, default={parameter['default']}"


def class_source(library: str, task: str, entry: dict[str, Any]) -> str:
    known = entry[task]
    parameters = (sklearn_parameters if library == "sklearn" else river_parameters)(entry, task)
    own = own_parameters(known)
    kind = "Weighted" if library == "sklearn" and known["weights"] else "Online"
    base = f"{kind}Forest{TASKS[task]}"
    star = "        *,\n" if library == "sklearn" or parameters else ""
    signature = "".join(f"        {p['name']}: {p['type']} = {p['default']},\n" for p in parameters)
    assigned = "".join(f"        self.{p['name']} = {p['name']}\n" for p in parameters)
    after = "        self._start()\n" if library == "river" else ""
    defaults = "".join(f'        "{p["name"]}": {p["default"]},\n' for p in own)
    doc = textwrap.indent(documentation(library, task, entry, parameters), "    ").strip()
    baseline = "    _is_baseline = True\n" if entry["is_baseline"] else ""
    if library == "river" and entry["name"] in TREES_IN_RIVER:
        baseline += f'    _trees = "{TREES_IN_RIVER[entry["name"]]}"\n'
    return (
        f"class {class_name(entry['name'], task)}({base}):\n"
        f'    """{doc}\n    """\n\n'
        f'    _algorithm = "{entry["name"]}"\n{baseline}'
        f"    _defaults = {{{defaults and chr(10) + defaults + '    '}}}\n\n"
        f"    def __init__(\n        self,\n{star}{signature}    ) -> None:\n{assigned}{after}"
    )


IMPORTS = {
    "sklearn": (
        "from math import inf\nfrom typing import Any, Literal\n\nimport numpy as np\n\n"
        "from online_forests.sklearn._base import (\n    OnlineForestClassifier,\n    OnlineForestRegressor,\n"
        "    WeightedForestClassifier,\n    WeightedForestRegressor,\n)"
    ),
    "river": (
        "from math import inf\nfrom typing import Literal\n\n"
        "from online_forests.river._base import OnlineForestClassifier, OnlineForestRegressor"
    ),
}
WHAT = {"sklearn": "Estimators of scikit-learn", "river": "Models of River"}


def module(library: str) -> str:
    classes, names = [], []
    for entry in algorithms():
        for task in TASKS:
            if entry[task] is not None:
                classes.append(class_source(library, task, entry))
                names.append(class_name(entry["name"], task))
    exported = "__all__ = [\n" + "".join(f'    "{name}",\n' for name in names) + "]\n\n\n"
    return HEADER.format(what=WHAT[library], imports=IMPORTS[library]) + exported + "\n\n".join(classes)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    check = arguments.parse_args().check
    outdated = False
    for library in WHAT:
        path, text = PACKAGE / library / "_generated.py", module(library)
        if check and path.read_text(encoding="utf-8") != text:
            outdated = True
            print(f"{path} is not what the algorithms declare; run python tools/generate.py", file=sys.stderr)
        elif not check:
            path.write_text(text, encoding="utf-8")
    return int(outdated)


if __name__ == "__main__":
    sys.exit(main())
