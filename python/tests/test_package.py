"""The package: versions, generated files, types, modules that need only their own library, examples that run."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import re
import subprocess
import sys
import tomllib

import pytest

import online_forests

PYTHON = pathlib.Path(__file__).parents[1]
ROOT = PYTHON.parent


def test_version_licence_and_compiler_are_those_of_the_workspace():
    package = tomllib.loads((PYTHON / "Cargo.toml").read_text(encoding="utf-8"))["package"]
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for key in ("version", "edition", "rust-version", "license"):
        assert package[key] == workspace[key]
    assert online_forests.__version__ == package["version"]
    assert project["license"] == package["license"]


def test_shared_crates_have_one_version_in_both_lock_files():
    """Else each is compiled twice, and so is what depends on it."""
    locks = [tomllib.loads((folder / "Cargo.lock").read_text(encoding="utf-8"))["package"] for folder in (PYTHON, ROOT)]
    wheel, workspace = ({(crate["name"], crate["version"]) for crate in lock} for lock in locks)
    shared = {name for name, _ in workspace}
    assert not {crate for crate in wheel - workspace if crate[0] in shared}


def test_stubs_of_classes_are_what_the_algorithms_declare():
    subprocess.run([sys.executable, PYTHON / "tools" / "generate.py", "--check"], check=True)


MODULES = ["", ".sklearn", ".river", ".capymoa", ".compare", ".plots"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    if name == ".capymoa":
        pytest.importorskip("capymoa", reason="CapyMOA, or the Java that it needs, is not installed")
    module = importlib.import_module(f"online_forests{name}")
    failed, tried = doctest.testmod(module, optionflags=doctest.ELLIPSIS)
    assert failed == 0 and (tried > 0 or name == ".capymoa")


OTHERS = {
    "sklearn": ["river", "capymoa", "pandas", "matplotlib"],
    "river": ["capymoa", "narwhals", "matplotlib"],
    "capymoa": ["river"],
    "compare": ["sklearn", "river", "capymoa", "pandas", "narwhals", "matplotlib"],
    "ray": ["sklearn", "river", "capymoa", "pandas", "narwhals", "matplotlib"],
    "plots": ["sklearn", "river", "capymoa", "pandas", "narwhals"],
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_module_needs_its_own_library_only(name):
    if name == "capymoa":
        pytest.importorskip("capymoa", reason="CapyMOA, or the Java that it needs, is not installed")
    if name == "ray":
        pytest.importorskip("ray", reason="Ray is not installed: pip install './python[ray]'")
    blocked = "".join(f"sys.modules[{other!r}] = None\n" for other in OTHERS[name])
    code = f"import sys\n{blocked}import online_forests.{name}"
    subprocess.run([sys.executable, "-c", code], check=True)


LIBRARIES = {"sklearn": "sklearn", "river": "river", "capymoa": "capymoa", "ray": "ray"}


@pytest.mark.parametrize("module", LIBRARIES)
def test_a_module_whose_library_is_missing_names_the_extra(module):
    code = f"import sys\nsys.modules[{LIBRARIES[module]!r}] = None\nimport online_forests.{module}"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 1
    assert f"online-forests[{module}]" in result.stderr.splitlines()[-1]
    extras = tomllib.loads((PYTHON / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert module in extras


@pytest.mark.parametrize("path", [PYTHON / "README.md", ROOT / "README.md"], ids=["python", "workspace"])
def test_what_the_readme_installs_is_enough_for_its_python(path):
    """The first command brings what every block after it imports."""
    text = path.read_text(encoding="utf-8")
    extras = re.search(r"^pip install './python\[(.*?)\]'", text, re.MULTILINE).group(1).split(",")
    modules = set(re.findall(r"^from online_forests\.(\w+) import", text, re.MULTILINE))
    assert modules <= set(extras)


def test_stubs_are_true():
    pytest.importorskip("mypy", reason="mypy is not installed")
    # Those of River are written like those of scikit-learn, but its metaclass is among the types that pyproject.toml
    # skips.
    modules = ["online_forests._core", "online_forests.sklearn"]
    command = [
        sys.executable,
        "-m",
        "mypy.stubtest",
        *modules,
        "--ignore-missing-stub",
        "--mypy-config-file",
        PYTHON / "pyproject.toml",
    ]
    result = subprocess.run(command, capture_output=True, text=True, cwd=PYTHON)
    assert result.returncode == 0, result.stdout + result.stderr


WRONG_TYPES = """
from online_forests import river, sklearn

sklearn.MondrianClassifier(budget=2.0, labels="aggregated", n_jobs=2).fit([[0.0]], [1]).predict_proba([[0.0]])
river.AMFRegressor(n_estimators=3, seed=1).predict_one({"a": 1.0})
sklearn.MondrianIncreasingClassifier(budget_scale=2.0)
sklearn.MondrianClassifier(bugdet=2.0)
sklearn.MondrianIncreasingClassifier(labels="agregated")
river.AMFRegressor(n_models=3)
river.MondrianRegressor(2.0)
"""


def test_parameters_have_types(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    (tmp_path / "program.py").write_text(WRONG_TYPES.lstrip(), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--ignore-missing-imports", "--follow-imports=silent", "program.py"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    lines = re.findall(r"^program.py:(\d+): error", result.stdout, re.MULTILINE)
    assert lines == ["6", "7", "8", "9"], result.stdout + result.stderr


def test_types_are_right():
    pytest.importorskip("mypy", reason="mypy is not installed")
    command = [sys.executable, "-m", "mypy", "--config-file", PYTHON / "pyproject.toml"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "target")
    assert result.returncode == 0, result.stdout + result.stderr
