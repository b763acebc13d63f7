"""Classes of a library, made from the table of algorithms when its module is imported.

A class is a dataclass around a learner of the core: its fields are the parameters, which ``help``,
``inspect.signature`` and the libraries' own ``clone`` and ``get_params`` read. An alias is its algorithm with other
defaults.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, make_dataclass
from typing import Any, ClassVar

from online_forests._core import algorithms

_WIDTH = 116
# Written in capitals in the papers.
_ACRONYMS = {"amf", "urtf", "wurtf", "mrtf", "wmrtf", "rf"}
_PYTHON_WORDS = {"lambda": "lambda_"}
_TASKS = {"classification": "Classifier", "regression": "Regressor"}
# The algorithms to start with, whose classes come first.
_FIRST = ("ResidualForest", "DynamicExtraTrees")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a class: its type as an annotation, its default, and what it means."""

    name: str
    type: str
    default: Any
    text: str

    def documentation(self) -> list[str]:
        """Returns the lines that numpydoc has for it."""
        kind = re.sub(r"Literal\[(.*?)\]", r"{\1}", self.type).replace(" | ", " or ")
        head = f"{self.name} : {kind}, default={_quoted(self.default)}"
        indent = " " * 4
        return [
            *textwrap.wrap(head, _WIDTH, subsequent_indent=indent),
            *textwrap.wrap(self.text, _WIDTH, initial_indent=indent, subsequent_indent=indent),
        ]


CLASS_CAP = Parameter(
    "class_cap", "int | None", None, "Maximum number of classes; 4096 by default. A label beyond is refused."
)
JOBS = Parameter(
    "n_jobs",
    "int | None",
    None,
    "Threads that work on a batch: 1 if None, as many as cores if -1. They change no bit of a prediction.",
)


class Library:
    """What the classes of a library have beside the parameters of their algorithms."""

    examples: ClassVar[dict[str, str]]
    #: What a learner may support, by the capability of the core.
    supports: ClassVar[dict[str, str]] = {
        "weights": "weights of samples",
        "missing_values": "missing values and categories",
        "forget": "forgetting single samples",
        "intervals": "prediction intervals",
        "explain": "feature importances, contributions and export of trees",
    }

    def base(self, task: str, known: dict[str, Any]) -> type:
        """Returns the class that a class of the task derives from."""
        raise NotImplementedError

    def forest(self, algorithm: str) -> list[Parameter]:
        """Returns the parameters of forests, which baselines lack."""
        raise NotImplementedError

    def more(self, task: str, known: dict[str, Any]) -> list[Parameter]:
        """Returns further parameters."""
        raise NotImplementedError

    def attributes(self, task: str, known: dict[str, Any]) -> list[str]:
        """Returns the documentation of attributes."""
        return []

    def members(self, algorithm: str) -> dict[str, Any]:
        """Returns further attributes of the class."""
        return {}


def add_classes(module: dict[str, Any], library: Library) -> list[str]:
    """Adds the classes of a library to the dictionary of a module; returns their names, those to start with first."""
    names = []
    for entry, task in _learners():
        name = _class_name(entry["name"], task)
        algorithm = entry["alias_of"]
        parent = None if algorithm is None else module[_class_name(algorithm, task)]
        module[name] = _made(name, parent, entry, task, library)
        module[name].__module__ = module["__name__"]
        names.append(name)
    return sorted(
        names,
        key=lambda name: next((place for place, first in enumerate(_FIRST) if name.startswith(first)), len(_FIRST)),
    )


def _learners() -> Iterator[tuple[dict[str, Any], str]]:
    """Returns the rows of the table with each task that they learn; aliases come behind their algorithm."""
    return ((entry, task) for entry in algorithms() for task in _TASKS if entry[task] is not None)


def _class_name(algorithm: str, task: str) -> str:
    return "".join(map(_capitalized, algorithm.split("-"))) + _TASKS[task]


def _capitalized(word: str) -> str:
    return word.upper() if word in _ACRONYMS else word.capitalize()


def _made(name: str, parent: type | None, entry: dict[str, Any], task: str, library: Library) -> type:
    known = entry[task]
    own = [_declared(parameter) for parameter in known["parameters"]]
    parameters = [*own, *_common(entry, task, own, library)]
    base = library.base(task, known)
    # Forests with hierarchical labels learn no weights, unlike the algorithm that they are: their base class is
    # another.
    bases = (parent,) if parent is not None and base in parent.__bases__ else (base,)
    members = {
        "__doc__": "\n".join(_documentation(name, entry, task, parameters, library)),
        "_algorithm": entry["name"],
        "_defaults": {parameter.name: parameter.default for parameter in own},
        "_is_baseline": entry["is_baseline"],
        **library.members(entry["name"]),
    }
    fields = [(parameter.name, parameter.type, parameter.default) for parameter in parameters]
    return make_dataclass(name, fields, bases=bases, namespace=members, repr=False, eq=False, kw_only=True)


def _common(entry: dict[str, Any], task: str, own: list[Parameter], library: Library) -> list[Parameter]:
    return [
        *([] if entry["is_baseline"] else library.forest(entry["name"])),
        *library.more(task, entry[task]),
        *([CLASS_CAP] if task == "classification" else []),
        JOBS,
    ]


def _declared(parameter: dict[str, Any]) -> Parameter:
    """Returns a parameter of the algorithm, as Python has it."""
    name = parameter["name"]
    rule = parameter["rule"]
    if parameter["default"] is None:
        rule = f"{rule}; by default {parameter['default_text']}"
    text = f"{_sentence(parameter['meaning'])} {_sentence(rule)}"
    return Parameter(_PYTHON_WORDS.get(name, name), _annotation(parameter), _default(parameter), text)


def _annotation(parameter: dict[str, Any]) -> str:
    types = [] if parameter["kind"] == "word" else [parameter["kind"]]
    if parameter["words"]:
        types.append(f"Literal[{', '.join(_quoted(word) for word in parameter['words'])}]")
    if parameter["default"] is None:
        types.append("None")
    return " | ".join(types)


def _default(parameter: dict[str, Any]) -> Any:
    text = parameter["default"]
    if text is None or text in parameter["words"]:
        return text
    return {"int": int, "float": float}.get(parameter["kind"], str)(text)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def _documentation(
    name: str, entry: dict[str, Any], task: str, parameters: list[Parameter], library: Library
) -> Iterator[str]:
    first, *others = entry["name"].split("-")
    title = " ".join(
        [_capitalized(first), *(word.upper() if word in _ACRONYMS else word for word in others), _TASKS[task].lower()]
    )
    yield from (f"{title}. {_sentence(entry['description'])}", "")
    yield from (*textwrap.wrap(_sentence(entry["paper"]), _WIDTH), "")
    capabilities = entry[task]["capabilities"]
    supported = [phrase for capability, phrase in library.supports.items() if capability in capabilities]
    yield from (
        *textwrap.wrap(
            f"Supports: {'; '.join(supported) or 'none of weights, missing values, intervals, explanations'}.", _WIDTH
        ),
        "",
    )
    if entry["alias_of"]:
        yield from (f"Another name for ``{entry['alias_of']}:{entry['preset']}``.", "")
    for limit in entry["limits"]:
        yield from (*textwrap.wrap(f"Limit: {limit}.", _WIDTH), "")
    yield from ("Parameters", "----------")
    for parameter in parameters:
        yield from parameter.documentation()
    if attributes := library.attributes(task, entry[task]):
        yield from ("", "Attributes", "----------", *attributes)
    yield from ("", "Examples", "--------", library.examples[task].format(name=name).strip())
