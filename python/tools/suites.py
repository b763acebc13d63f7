"""Print how many checks of scikit-learn and of River every estimator and model passes, as a table.

    python python/tools/suites.py > docs/results/python/suites.md
"""

from __future__ import annotations

import os
import warnings
from importlib.metadata import version
from typing import Any

os.environ["SCIPY_ARRAY_API"] = "1"

from river.checks import yield_checks
from sklearn.utils.estimator_checks import check_estimator

import online_forests.river
import online_forests.sklearn


def of_sklearn(name: str) -> str:
    results = check_estimator(getattr(online_forests.sklearn, name)(), on_skip=None, on_fail=None)
    return f"{sum(result['status'] == 'passed' for result in results)} of {len(results)}"


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
    print(f"| class | scikit-learn {version('scikit-learn')}, SCIPY_ARRAY_API=1 | River {version('river')} |\n|---|---|---|")
    for name in online_forests.sklearn.__all__:
        print(f"| `{name}` | {of_sklearn(name)} | {of_river(name)} |")


if __name__ == "__main__":
    main()
