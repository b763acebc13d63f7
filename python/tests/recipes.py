"""Runs the blocks of code of docs/recipes against real servers, each in a folder of its own and on ports of its own."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

ROOT = pathlib.Path(__file__).parents[2]
PAGES = ROOT / "docs" / "recipes"
HOUSES = ROOT / "datasets" / "tests" / "fixtures" / "houses.csv"
# One that was built with the service.
PROGRAM = pathlib.Path(os.environ.get("ONLINE_FORESTS", ROOT / "target" / "debug" / "online-forests"))
TRAIN = "--target price --task regress --missing median --fit-rows 100 --algorithm mondrian"


def needs(*programs: str) -> None:
    """Skips a test where a program, or a service of ours, is not installed."""
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        pytest.skip(f"{', '.join(missing)}: not installed")
    serves = PROGRAM.exists() and subprocess.run([PROGRAM, "serve", "--help"], capture_output=True).returncode == 0
    if not serves:
        pytest.skip(f"{PROGRAM} was not built with --features serve; ONLINE_FORESTS names another one")


def block(page: str, language: str = "sh", number: int = 0) -> str:
    """Returns a block of code of a page, or of a section of it: ``page.md#Heading``."""
    name, _, heading = page.partition("#")
    text = (PAGES / name).read_text(encoding="utf-8")
    if heading:
        [text] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[number]


def kills(by_default: int) -> int:
    """Returns how often a test kills both sides: ``KILLS``, or so often."""
    return int(os.environ.get("KILLS", by_default))


def free_port() -> int:
    """Returns a port below those that Linux gives to connections, so that none takes it before the server does."""
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as free, contextlib.suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port
    raise OSError("of a hundred ports none is free")


def wait(what: str, is_so: Any, seconds: float = 300) -> None:
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def rows(times: int = 1) -> tuple[str, list[str]]:
    """The header of the houses, and their rows so many times."""
    header, *lines = HOUSES.read_text(encoding="utf-8").splitlines()
    return header, lines * times


class Place:
    """A folder, and the processes that were started in it."""

    def __init__(self, folder: pathlib.Path):
        self.folder, self.started = folder, []
        self.environment = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "NO_PROXY": "*"}
        self.service_port = free_port()
        self.service: subprocess.Popen[bytes] | None = None

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")

    def run(self, command: str, **options: Any) -> str:
        """Runs a shell command that has to succeed, and returns its output."""
        options = {"check": True, "text": True, "stdout": subprocess.PIPE, "timeout": 600, **options}
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.environment, **options).stdout

    def start(self, command: str, **options: Any) -> subprocess.Popen[bytes]:
        """Starts a shell command, in a group of processes of its own."""
        options = {"stderr": (self.folder / "stderr").open("ab"), **options}
        process = subprocess.Popen(
            ["sh", "-c", command], cwd=self.folder, env=self.environment, start_new_session=True, **options
        )
        self.started.append(process)
        return process

    def here(self, text: str) -> str:
        """Returns a block with the port of this place's service."""
        return text.replace("localhost:8080", f"localhost:{self.service_port}")

    def train(self, lines: list[str], model: str) -> None:
        self.write(f"{model}.csv", "\n".join([rows()[0], *lines]) + "\n")
        self.run(f"online-forests train --data {model}.csv --model {model} {TRAIN}")

    def serve(self) -> None:
        """Starts the service, or starts it again after a kill."""
        command = (
            f"exec online-forests serve --model houses.model --checkpoint never --listen 127.0.0.1:{self.service_port}"
        )
        self.service = self.start(command)
        wait("the service is ready", lambda: self.ask("/readyz") is not None)

    def ask(self, path: str) -> str | None:
        """Returns the reply of the service, `None` if there is none."""
        try:
            with urllib.request.urlopen(f"http://localhost:{self.service_port}{path}") as reply:
                return reply.read().decode()
        except (OSError, urllib.error.URLError):
            return None

    def learned(self) -> int:
        return json.loads(self.ask("/model") or '{"samples_seen": 0}')["samples_seen"]

    def stop_service(self) -> None:
        self.service.send_signal(signal.SIGTERM)
        assert self.service.wait(timeout=300) == 0

    def close(self) -> None:
        for process in self.started:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def kill_consumer(loop: subprocess.Popen[bytes]) -> None:
    """Kills the script that a loop of the shell runs, but not what the script has started; the loop starts it again."""
    children = pathlib.Path(f"/proc/{loop.pid}/task/{loop.pid}/children").read_text().split()
    for child in children:
        # It may have ended by itself.
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(child), signal.SIGKILL)


def as_json(header: str, line: str) -> str:
    """Returns a row as JSON, in which numbers are spelled as in the table."""
    [cells] = csv.reader([line])
    number = re.compile(r"-?\d+(\.\d+)?")
    value = [cell if number.fullmatch(cell) else json.dumps(cell) if cell else "null" for cell in cells]
    return "{" + ", ".join(f'"{name}": {value}' for name, value in zip(header.split(","), value, strict=True)) + "}"
