"""Compares what the ARM64 files of target/release-files compute under emulation with the x86-64 files, bit for bit.

    # On Debian 12:
    apt-get install qemu-user-static && dpkg --add-architecture arm64 && apt-get update
    python python/tools/release.py && python python/tools/emulated.py

Python for ARM64 comes from Debian's packages, NumPy from its wheel.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILES = ROOT / "target" / "release-files"
PLACE = ROOT / "target" / "emulated"
FIXTURES = ROOT / "datasets" / "tests" / "fixtures"
FROZEN = ROOT / "crates" / "programs" / "online-forests-cli" / "tests" / "frozen"
PACKAGES = (
    "python3.11-minimal libpython3.11-minimal libpython3.11-stdlib libc6 libgcc-s1 libstdc++6 "
    "zlib1g libexpat1 libssl3 libffi8 libbz2-1.0 liblzma5"
)

# Learns and predicts with every algorithm; prints a digest of each model and of its predictions.
LEARNED = """
import hashlib, platform, sys
import numpy as np
import online_forests as forests

def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]

print(platform.machine(), file=sys.stderr)
at = np.arange(600, dtype=np.uint64)
X = np.column_stack([at * np.uint64(k) % np.uint64(1009) for k in (389, 607, 811)]).astype(float) / 1009
Y = {"classification": (3 * X[:, 0] + X[:, 1]).astype(np.uint32), "regression": X[:, 0] * X[:, 1] - X[:, 2] / 3}
for entry in forests.algorithms():
    for task, kind in (("classification", forests.Classifier), ("regression", forests.Regressor)):
        if entry[task] is not None:
            forest = kind(entry["name"], 3, trees=4, seed=7)
            forest.learn(X[:400], Y[task][:400])
            predictions = np.asarray(forest.predict(X[400:]))
            print(entry["name"], task, digest(forest.to_bytes()), digest(predictions.tobytes()))
"""


def main() -> None:
    shutil.rmtree(PLACE, ignore_errors=True)
    unpack_debian()
    python = {"x86_64": [sys.executable], "aarch64": emulator() + [PLACE / "debian/usr/bin/python3.11"]}
    learned = {machine: learn(machine, command) for machine, command in python.items()}
    differ = [pair for pair in zip(*learned.values(), strict=True) if len(set(pair)) > 1]
    print(f"{len(learned['aarch64'])} models of the wheels, {len(differ)} different")
    files = {machine: train(machine) for machine in python}
    differ += [name for name in files["x86_64"] if files["x86_64"][name] != files["aarch64"][name]]
    print(f"{len(files['aarch64'])} files of the programs: {', '.join(files['aarch64'])}")
    if differ:
        sys.exit(f"these differ: {differ}")
    print("the same bits")


def emulator() -> list[object]:
    return ["qemu-aarch64-static", "-L", PLACE / "debian"]


def unpack_debian() -> None:
    """Unpacks Debian's packages into a folder; nothing is installed."""
    downloads = PLACE / "packages"
    downloads.mkdir(parents=True)
    packages = [f"{name}:arm64" for name in PACKAGES.split()]
    subprocess.run(["apt-get", "--quiet", "--quiet", "download", *packages], check=True, cwd=downloads)
    for package in downloads.glob("*.deb"):
        subprocess.run(["dpkg", "--extract", package, PLACE / "debian"], check=True)


def learn(machine: str, python: list[object]) -> list[str]:
    """Returns the digests of what the wheel of a machine computes."""
    site = PLACE / f"site-{machine}"
    [wheel] = FILES.glob(f"*{machine}.whl")
    version = ".".join(map(str, sys.version_info[:2])) if machine == "x86_64" else "3.11"
    place = ["--platform", f"manylinux2014_{machine}", "--python-version", version, "--only-binary=:all:"]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", site, *place, wheel], check=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    return subprocess.check_output([*python, "-c", LEARNED], env=environment, text=True).splitlines()


def train(machine: str) -> dict[str, bytes]:
    """Returns the files that the program of a machine writes, and compares predictions with those that were frozen."""
    folder = PLACE / f"program-{machine}"
    [archive] = FILES.glob(f"online-forests-*-linux-{machine}.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    [program] = folder.glob("*/online-forests")
    command = [program] if machine == "x86_64" else [*emulator(), program]
    houses = ["--data", FIXTURES / "houses.csv"]
    for algorithm in ("residual-forest", "mondrian", "amf", "obsp"):
        options = [
            "--target",
            "price",
            "--missing",
            "median",
            "--algorithm",
            algorithm,
            "--model",
            folder / f"{algorithm}.model",
        ]
        subprocess.run([*command, "train", *houses, *options], check=True)
    for name, options in (("v1-price", []), ("v1-place", ["--proba"])):
        out = folder / f"{name}.csv"
        subprocess.run(
            [*command, "predict", *houses, "--model", FROZEN / f"{name}.model", "--out", out, *options], check=True
        )
        assert out.read_bytes() == (FROZEN / f"{name}.csv").read_bytes(), (
            f"{machine}: {name} does not predict what was frozen"
        )
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


if __name__ == "__main__":
    main()
