"""Comparisons from Python and of `cargo xtask compare`: the same records, and learners of a file that join it."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import pytest
from comparing import run

from online_forests.compare import Results

ROOT = pathlib.Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("in_own_folder")


def program() -> list[str]:
    """The last build of the workspace's command, if there is one."""
    built = [path for profile in ("release", "debug") if (path := ROOT / "target" / profile / "xtask").is_file()]
    if built:
        return [str(max(built, key=lambda path: path.stat().st_mtime))]
    pytest.skip("the command is not built; cargo build --package xtask --no-default-features builds it")


SAME = {
    "prequential": ["--protocol", "prequential"],
    "holdout": ["--protocol", "holdout", "--train", "0.6"],
    "kfold": ["--protocol", "kfold", "--folds", "3"],
    "delayed": ["--protocol", "delayed", "--delay", "30"],
    "prequential-kfold": ["--protocol", "prequential-kfold", "--folds", "3", "--validation", "bootstrap"],
}


@pytest.mark.parametrize("protocol", SAME)
def test_ours_are_measured_as_by_the_command_to_the_last_bit(protocol):
    learners, data = (
        ["amf", "mondrian:budget=5", "stream-rf", "dynamic-extra-trees"],
        ["sea:n=800", "friedman:n=500,test=100"],
    )
    options = {
        "holdout": {"train": 0.6},
        "kfold": {"folds": 3},
        "delayed": {"delay": 30},
        "prequential-kfold": {"folds": 3, "validation": "bootstrap"},
    }
    options = options.get(protocol, {})
    ours = run(learners, data=data, seeds=2, protocol=protocol, n_jobs=2, **options).records
    words = [f"--algorithm={learner}" for learner in learners] + [f"--data={address}" for address in data]
    command = [*program(), "compare", *words, *SAME[protocol], "--seeds", "2", "--json", "--out", "program"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    seconds = {f"{what}{clock}_seconds" for what in ("learn", "predict") for clock in ("", "_processor")}
    timed = {"date", "threads", "revision", "cpu", "model_bytes", *seconds}

    def untimed(record: dict) -> dict:
        record = {key: value for key, value in record.items() if key not in timed}
        if record.get("curve"):
            record["curve"] = {key: value for key, value in record["curve"].items() if key != "seconds"}
        return record

    theirs = [json.loads(line) for line in lines]
    for one, other in zip(ours, theirs, strict=True):
        # A program that was built before a metric was added does not have it.
        both = one["metrics"].keys() & other["metrics"].keys()
        one["metrics"], other["metrics"] = ({name: run["metrics"][name] for name in both} for run in (one, other))
        assert len(both) >= 3
    assert [untimed(record) for record in ours] == [untimed(record) for record in theirs]
    assert len(lines) == 2 * len(learners) * len(data)


def command_with(file: str, *words: str) -> subprocess.CompletedProcess:
    """Runs the command with `--python`, by the interpreter of these tests."""
    programs = pathlib.Path("programs")
    programs.mkdir(exist_ok=True)
    if not (programs / "python3").exists():
        (programs / "python3").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python3").chmod(0o755)
    path = f"{programs.absolute()}{os.pathsep}{os.environ['PATH']}"
    words = ("--data", "sea:n=300", "--protocol", "prequential", "--seeds", "2", "--out", "out", *words)
    return subprocess.run(
        [*program(), "compare", "--python", file, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
    )


def test_learners_of_a_file_join_the_table_of_the_command():
    document = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
    (peers,) = [block for block in document.split("```") if block.startswith("python\n# peers.py")]
    pathlib.Path("peers.py").write_text(peers.removeprefix("python\n"))
    done = command_with("peers.py", "--algorithm", "majority", "--algorithm", "amf")
    assert done.returncode == 0, done.stderr
    by_label = {(record["label"], record["seed"]): record for record in Results("out").records}
    assert by_label.keys() == {(name, seed) for name in ("majority", "amf", "most frequent") for seed in (0, 1)}
    assert by_label["most frequent", 0]["metrics"]["accuracy"] == by_label["majority", 0]["metrics"]["accuracy"]
    assert by_label["most frequent", 0]["model_bytes"] > 0
    assert "most frequent" in done.stdout
    page = pathlib.Path("out/report.html").read_text()
    assert "cargo xtask compare --python peers.py" in page and "most frequent" in page
    again = command_with("peers.py", "--algorithm", "majority", "--resume", "--json")
    assert again.returncode == 0 and len(again.stdout.splitlines()) == 6


def test_files_that_cannot_join_are_refused_by_the_command():
    files = {
        "empty.py": (
            "",
            'must define `learners`, a dictionary of names and learners, such as learners = {"mine": Mine}',
        ),
        "text.txt": ("", "its name must end in .py"),
        "same.py": (
            'learners = {"amf": "mondrian"}',
            "amf: learners of same.py and algorithms of ours have the same name",
        ),
        "wrong.py": ('learners = {"mine": 3}', "error: 'mine' is int, which has neither learn_one"),
        "raises.py": ('raise RuntimeError("no peers")', "RuntimeError: no peers"),
    }
    for file, (text, expected) in files.items():
        pathlib.Path(file).write_text(text)
        done = command_with(file, "--algorithm", "amf")
        assert done.returncode == 1 and expected in done.stderr, (file, done.stderr)
    pathlib.Path("fails.py").write_text(
        "class Fails:\n    def learn_one(self, x, y): raise KeyError(y)\n    predict_one = learn_one\n"
        "learners = {'fails': Fails}\n"
    )
    done = command_with("fails.py", "--algorithm", "amf")
    assert done.returncode == 1 and "failed: TypeError: Fails.learn_one()" in done.stderr
