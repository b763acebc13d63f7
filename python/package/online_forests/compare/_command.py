"""What the page of a comparison states as its command."""

from __future__ import annotations

import shlex
import sys


def command() -> str:
    """Returns the command line of the program, or the module's name where there is none."""
    program = sys.argv[0] if sys.argv and sys.argv[0] not in ("", "-c") else ""
    python = ["python"] if program.endswith(".py") else []
    return shlex.join([*python, *sys.argv]) if program else "online_forests.compare"
