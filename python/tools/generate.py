"""Write the type stubs of `online_forests.sklearn` and `online_forests.river`, whose classes are made at import.

python tools/generate.py            # writes both files
python tools/generate.py --check    # fails if a file would change
"""

from __future__ import annotations

import argparse
import importlib
import math
import pathlib
import re
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import Field, fields, is_dataclass
from types import ModuleType
from typing import Any

PACKAGE = pathlib.Path(__file__).parent.parent / "package" / "online_forests"
LIBRARIES = ("sklearn", "river")
WIDTH = 120


def stub(module: ModuleType) -> str:
    """Returns the stubs of the classes that a module exports."""
    exported = [getattr(module, name) for name in module.__all__]
    made = [of_class for of_class in exported if is_dataclass(of_class)]
    others = [of_class for of_class in exported if not is_dataclass(of_class)]
    bases = {of_class.__bases__[0] for of_class in made} - set(made)
    body = [line for of_class in made for line in class_stub(of_class)]
    lines = [
        f'"""Types of the classes of {module.__name__}. Written by `python tools/generate.py`; not to be edited."""',
        "",
        *_libraries("\n".join(body)),
        "",
        *(f"from {other.__module__} import {other.__name__}" for other in sorted(bases, key=_place)),
        *(f"from {other.__module__} import {other.__name__} as {other.__name__}" for other in others),
        "",
        "__all__ = [",
        *_filled([f'"{name}"' for name in module.__all__], "    "),
        "]",
        *body,
    ]
    return "\n".join(lines) + "\n"


def _place(of_class: type) -> tuple[str, str]:
    return of_class.__module__, of_class.__name__


def _libraries(body: str) -> list[str]:
    """Returns the imports of what the stubs use."""
    typing = [name for name in ("Any", "Literal") if re.search(rf"\b{name}\b", body)]
    return [f"from typing import {', '.join(typing)}", *(["", "import numpy as np"] if "np." in body else [])]


def _filled(items: list[str], indent: str) -> list[str]:
    """Returns lines of items that are followed by commas, as many on a line as there is room for."""
    whole = " ".join(f"{item},".replace(" ", "\0") for item in items)
    lines = textwrap.wrap(whole, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def class_stub(of_class: Any) -> Iterator[str]:
    """Returns the lines of a class: an alias has the parameters of its algorithm."""
    base = of_class.__bases__[0]
    first_line = of_class.__doc__.splitlines()[0]
    yield from ("", f"class {of_class.__name__}({base.__name__}):")
    yield from textwrap.wrap(f'"""{first_line}"""', WIDTH, initial_indent="    ", subsequent_indent="    ")
    if not is_dataclass(base):
        yield from ("", *(f"    {field.name}: {field.type}" for field in fields(of_class)))
        parameters = [f"{field.name}: {field.type} = {_default(of_class, field)}" for field in fields(of_class)]
        yield from ("", "    def __init__(", *_filled(["self", "*", *parameters], "        "), "    ) -> None: ...")


def _default(of_class: Any, field: Field[Any]) -> str:
    """Returns a default that aliases have, too, or else that there is one."""
    if any(getattr(alias, field.name) != field.default for alias in of_class.__subclasses__()):
        return "..."
    if isinstance(field.default, float) and not math.isfinite(field.default):
        return f'float("{field.default}")'
    return f'"{field.default}"' if isinstance(field.default, str) else repr(field.default)


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--check", action="store_true", help="write nothing; fail if a file would change")
    check = arguments.parse_args().check
    outdated = False
    for library in LIBRARIES:
        path = PACKAGE / library / "__init__.pyi"
        text = stub(importlib.import_module(f"online_forests.{library}"))
        if check and path.read_text(encoding="utf-8") != text:
            outdated = True
            print(f"{path} is not what the algorithms declare; run python tools/generate.py", file=sys.stderr)
        elif not check:
            path.write_text(text, encoding="utf-8")
    return int(outdated)


if __name__ == "__main__":
    sys.exit(main())
