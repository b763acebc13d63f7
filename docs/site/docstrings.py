"""An extension of griffe: docstrings that are made at import, and notation that Markdown does not have."""

from __future__ import annotations

import importlib
import re
from typing import Any

from griffe import Extension

# The stubs of their classes have the first line of a docstring alone.
MADE_AT_IMPORT = ("online_forests.sklearn", "online_forests.river")
# A paragraph that begins like an interactive session.
SESSION = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
# Words that are the values of a parameter, as in `int or {"by-task"}`: griffe would read names without their quotes.
WORDS = re.compile(r"(?:(?<= or )|(?<= : ))\{([^}\n]+)\}")
ROLE = re.compile(r":(?:class|func|mod|meth):(`[^`]+`)")


class Docstrings(Extension):
    """Marks interactive sessions outside of sections of examples as code, and names of Python without their roles."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is None:
            return
        if obj.is_class and obj.parent.path in MADE_AT_IMPORT:
            obj.docstring.value = getattr(importlib.import_module(obj.parent.path), obj.name).__doc__
        obj.docstring.value = as_markdown(obj.docstring.value)

    def on_package(self, *, pkg: Any, **_: Any) -> None:
        """The package itself is not among the objects."""
        if pkg.docstring is not None:
            pkg.docstring.value = as_markdown(pkg.docstring.value)


def as_markdown(docstring: str) -> str:
    text, *sections = re.split(r"(?=^Examples\n-+$)", docstring, flags=re.MULTILINE)
    text = ROLE.sub(r"\1", text)
    text = WORDS.sub(lambda words: " or ".join(f"\"'{word[1:-1]}'\"" for word in words[1].split(", ")), text)
    text = text if "```" in text else SESSION.sub(lambda session: f"```pycon\n{session[0]}\n```", text)
    return "".join([text, *sections])
