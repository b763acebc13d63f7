"""An extension of griffe: the notation of docstrings that Markdown does not have."""

from __future__ import annotations

import re
from typing import Any

from griffe import Extension

# A paragraph that begins like an interactive session.
SESSION = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
ROLE = re.compile(r":(?:class|func|mod|meth):(`[^`]+`)")


class Docstrings(Extension):
    """Marks interactive sessions outside of sections of examples as code, and names of Python without their roles."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        if obj.docstring is not None:
            text, *sections = re.split(r"(?=^Examples\n-+$)", obj.docstring.value, flags=re.MULTILINE)
            text = SESSION.sub(lambda session: f"```pycon\n{session[0]}\n```", ROLE.sub(r"\1", text))
            obj.docstring.value = "".join([text, *sections])
