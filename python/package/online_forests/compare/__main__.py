"""What ``cargo xtask compare --python`` runs: a comparison described in JSON, with the learners of a file."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import sys
from collections.abc import Mapping
from typing import Any

from online_forests.compare._compare import run

# The name under which the file is imported, so that what it defines can be pickled.
MODULE = "learners_of_comparison"
INTERRUPTED = 130


def main(text: str) -> int:
    """Run the comparison, and return the exit code: that of ``cargo xtask compare``."""
    asked = json.loads(text)
    # The command that the page states.
    sys.argv = shlex.split(asked["command"])
    learners = learners_of(asked["file"])
    both = [name for name in asked["algorithms"] if name in learners]
    if both:
        return refused(
            f"{', '.join(both)}: learners of {asked['file']} and algorithms of ours have the same name; "
            "rename the learners"
        )
    named = {name: name for name in asked["algorithms"]}
    try:
        results = run(named | learners, asked["data"], asked["request"])
    except KeyboardInterrupt:
        return INTERRUPTED
    except (OSError, TypeError, ValueError) as error:
        return refused(str(error))
    if asked["json"]:
        for record in results.records:
            print(json.dumps(record))
    else:
        print(results)
    return int(any("error" in record for record in results.records))


def learners_of(file: str) -> dict[str, Any]:
    """Return the dictionary `learners` of a file, which may import its neighbours as a program may."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec = importlib.util.spec_from_file_location(MODULE, file)
    if spec is None or spec.loader is None:
        raise SystemExit(refused(f"{file} is not a Python file: its name must end in .py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[MODULE] = module
    spec.loader.exec_module(module)
    learners = getattr(module, "learners", None)
    if not isinstance(learners, Mapping) or not learners:
        raise SystemExit(
            refused(
                f"{file} must define `learners`, a dictionary of names and learners, "
                'such as learners = {"mine": Mine}'
            )
        )
    return {str(name): learner for name, learner in learners.items()}


def refused(reason: str) -> int:
    """Report why there is no comparison."""
    print(f"error: {reason}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
