"""Every block of code in the documents runs in a test, or is listed here with the reason why it does not."""

from __future__ import annotations

import fnmatch
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]
BLOCK = re.compile(r"^( *)```(\w*)[^\n]*\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
NO_PROGRAMS = {"text", "mermaid"}

# Documents, a language, and where another test runs its blocks (a path) or else why they are not run.
ELSEWHERE = [
    ("README.md", "sh", "crates/programs/online-forests-cli/tests/readme.rs"),
    ("docs/guide.md", "sh", "crates/programs/online-forests-cli/tests/readme.rs"),
    ("docs/guide.md", "sh", "crates/programs/online-forests-cli/tests/serve/readme.rs"),
    ("docs/service-deployment.md", "ini", "crates/programs/online-forests-cli/tests/serve/deployed.rs"),
    ("docs/service-deployment.md", "nginx", "crates/programs/online-forests-cli/tests/serve/deployed.rs"),
    ("docs/adding-an-algorithm.md", "toml", "crates/online-forests/tests/adding_an_algorithm.rs"),
    ("crates/*README.md", "rust", "crates/forest-core/src/lib.rs"),
    ("datasets/README.md", "rust", "datasets/src/lib.rs"),
    ("docs/beyond-one-machine.md", "yaml", "crates/programs/online-forests-cli/tests/readme.rs"),
    ("docs/beyond-one-machine.md", "python", "python/tests/test_ray.py"),
    ("docs/gallery/README.md", "sh", "docs/site/examples.py"),
    ("docs/recipes/brokers.md", "sh", "python/tests/test_recipes.py"),
    ("docs/recipes/brokers.md", "python", "python/tests/test_recipes.py"),
    ("docs/recipes/postgresql.md", "sh", "python/tests/test_recipes.py"),
    ("docs/recipes/monitoring.md", "yaml", "python/tests/test_deployment.py"),
]
NOT_RUN = [
    ("docs/results/*", "sh", "they made the numbers of the page, some in hours"),
    (
        "docs/beyond-one-machine.md",
        "sh",
        "installs Ray, and runs grids; crates/programs/online-forests-cli/tests/readme.rs runs the other lines",
    ),
    ("docs/service.md", "sh", "installs the service; the commands are those of the guide, which are run"),
    (
        "docs/service-deployment.md",
        "sh",
        "makes users of the system, and images; python/tests/test_deployment.py runs the command of the image",
    ),
    ("docs/recipes/README.md", "sh", "start a service; the commands are those of the guide, which are run"),
    ("docs/determinism.md", "sh", "masks the processor, which some processors do not have"),
    ("docs/adding-an-algorithm.md", "sh", "runs an example, which is compiled with the tests"),
    ("crates/*README.md", "sh", "run examples or builds, which are compiled with the tests"),
    ("docs/tables.md", "sh", "the command of the guide, which is run"),
    ("python/README.md", "sh", "installs the package, and runs tests and benchmarks"),
    ("fuzz/README.md", "sh", "needs a nightly compiler and runs without an end"),
    ("CONTRIBUTING.md", "sh", "tests, tools and builds, which .ci/run runs where it can"),
    ("RELEASE.md", "sh", "publishes a release"),
]


def documents() -> dict[str, str]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    names = [name for name in listed.split("\0") if name and name != "CHANGELOG.md"]
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in names if (ROOT / name).exists()}


DOCUMENTS = documents()
BLOCKS = [(name, language, code) for name, text in DOCUMENTS.items() for _, language, code in BLOCK.findall(text)]


def listed(name: str, language: str, entries: list[tuple[str, str, str]]) -> list[str]:
    return [text for pattern, of, text in entries if of == language and fnmatch.fnmatchcase(name, pattern)]


def test_every_block_of_code_is_run_or_has_a_reason():
    included = included_in_sources()
    kinds = {(name, language) for name, language, _ in BLOCKS if language not in NO_PROGRAMS}
    unknown = [
        f"{name}: a block of {language or 'an unnamed language'}"
        for name, language in sorted(kinds)
        if not listed(name, language, ELSEWHERE + NOT_RUN)
        and not (language == "python")
        and not (language == "rust" and name in included)
    ]
    assert not unknown


def included_in_sources() -> set[str]:
    """Returns the documents whose blocks Rust's tests run, or compare with files that are run."""
    found = set()
    for source in [*ROOT.glob("crates/**/src/lib.rs"), *ROOT.glob("crates/**/tests/*.rs")]:
        for path in re.findall(r'include_str!\("([^"]+\.md)"\)', source.read_text(encoding="utf-8")):
            found.add((source.parent / path).resolve().relative_to(ROOT).as_posix())
    return found


def test_every_entry_is_needed_and_its_test_exists():
    kinds = {(name, language) for name, language, _ in BLOCKS}
    unused = [
        entry for entry in ELSEWHERE + NOT_RUN if not any(listed(name, language, [entry]) for name, language in kinds)
    ]
    missing = [path for _, _, path in ELSEWHERE if not (ROOT / path).exists()]
    assert not unused and not missing


PYTHON = [
    (name, code) for name, language, code in BLOCKS if language == "python" and not listed(name, language, ELSEWHERE)
]


@pytest.mark.parametrize(("name", "code"), PYTHON, ids=[f"{name}-{number}" for number, (name, _) in enumerate(PYTHON)])
def test_blocks_of_python_run(name, code, tmp_path):
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


SHELL = [(name, code) for name, language, code in BLOCKS if language == "sh"]
# Paths of the repository that a line reads. Those behind `--out` and the like are written.
READ = re.compile(
    r"(?:^|\s)(?:python3?\s+|--data\s+|--path\s+|--manifest-path\s+)?((?:crates|datasets|docs|python|xtask)/[\w./-]+)"
)


def test_the_files_that_shell_lines_name_exist():
    examples = {
        path.stem
        for of in ("benches/**/examples/*", "crates/**/examples/*", "docs/gallery/*.rs")
        for path in ROOT.glob(of)
    }
    missing = []
    for name, code in SHELL:
        missing += [f"{name}: {path}" for path in READ.findall(code) if not (ROOT / path).exists()]
        missing += [
            f"{name}: --example {example}"
            for example in re.findall(r"--example (\w+)", code)
            if example not in examples
        ]
    assert not missing


def test_no_file_of_tests_is_forgotten():
    """Where the tests of a crate are one program, cargo finds no file that is not a module of it."""
    for manifest in ROOT.glob("crates/**/Cargo.toml"):
        text, tests = manifest.read_text(encoding="utf-8"), manifest.parent / "tests"
        if "autotests = false" in text:
            known = text + (tests / "main.rs").read_text(encoding="utf-8")
            assert not [
                path
                for path in tests.glob("*.rs")
                if path.name != "main.rs" and f"mod {path.stem};" not in known and path.name not in known
            ]


def test_the_lines_of_the_readme_are_those_of_the_guide():
    """Which are run; the other lines of the README install something."""
    lines = re.findall(r"^online-forests .*$", DOCUMENTS["README.md"], re.MULTILINE)
    assert lines and all(line in DOCUMENTS["docs/guide.md"] for line in lines)
