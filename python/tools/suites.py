"""Print how many checks of scikit-learn and of River every estimator and model passes, as a table.

python python/tools/suites.py > suites.md
"""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from importlib.metadata import version
from pathlib import Path
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

from river.checks import yield_checks
from sklearn.utils.estimator_checks import check_estimator

import online_forests.river
import online_forests.sklearn

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from conftest import expected_failures, few_trees


def of_sklearn(name: str) -> str:
    estimator = few_trees(getattr(online_forests.sklearn, name)())
    expected = expected_failures(estimator)
    results = check_estimator(estimator, expected_failed_checks=expected, on_skip=None, on_fail=None)
    count = Counter(result["status"] for result in results)
    return f"{count['passed']} of {len(results)}" + (f", {count['xfail']} expected" if count["xfail"] else "")


def expected() -> dict[str, tuple[str, int]]:
    """The checks that are expected to fail, with the reason and the number of classes."""
    failures = [expected_failures(getattr(online_forests.sklearn, name)()) for name in online_forests.sklearn.__all__]
    reasons = {check: reason for of_class in failures for check, reason in of_class.items()}
    return {check: (reason, sum(check in of_class for of_class in failures)) for check, reason in reasons.items()}


def of_river(name: str) -> str:
    if name not in online_forests.river.__all__:
        return ""
    model = getattr(online_forests.river, name)()
    checks = list(yield_checks(model))
    return f"{sum(passes(check, model) for check in checks)} of {len(checks)}"


def passes(check: Any, model: Any) -> bool:
    try:
        check(model.clone())
    except Exception:
        return False
    return True


def main() -> None:
    warnings.simplefilter("ignore")
    print("# The suites of scikit-learn and River\n")
    print("Checks that every class passes; none is switched off. Written by `python python/tools/suites.py`.\n")
    print(
        "Of the checks of scikit-learn that do not pass, these are expected "
        "(`expected_failures` of `python/tests/conftest.py`):\n"
    )
    for check, (reason, classes) in expected().items():
        print(f"- `{check}`, of {classes} classes: {reason}.")
    print()
    print(
        f"| class | scikit-learn {version('scikit-learn')}, SCIPY_ARRAY_API=1 | River {version('river')} |\n"
        "|---|---|---|"
    )
    for name in online_forests.sklearn.__all__:
        print(f"| `{name}` | {of_sklearn(name)} | {of_river(name)} |")


if __name__ == "__main__":
    main()
