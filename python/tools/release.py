"""Builds a release for Linux on x86-64 and ARM64 into target/release-files: wheels, the program, licences, checksums.

    rustup target add aarch64-unknown-linux-gnu x86_64-unknown-linux-gnu
    pip install maturin ziglang cargo-zigbuild && python python/tools/release.py

zig is the linker and the C compiler, so that the files need no newer C library than that of manylinux2014.
`--profile dev` builds for a trial.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OUT = ROOT / "target" / "release-files"
# Ours, and those of all crates that are linked.
LICENCES = (ROOT / "LICENSE-APACHE", ROOT / "LICENSE-MIT", OUT / "LICENCES.txt")
MACHINES = ["x86_64", "aarch64"]
GLIBC = "2.17"
PROGRAM = ["--package", "online-forests-cli", "--features", "serve"]
# Texts that a crate has beside its code.
TEXTS = ("LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--profile", default="release", help="profile of cargo (default: release)")
    profile = arguments.parse_args().profile
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    write_licences()
    # Maturin packs the licences that are beside the manifest.
    copies = [shutil.copy(licence, ROOT / "python") for licence in LICENCES]
    try:
        build(profile)
    finally:
        for copy in copies:
            os.remove(copy)
    names = sorted(path.name for path in OUT.iterdir())
    sums = [f"{hashlib.sha256((OUT / name).read_bytes()).hexdigest()}  {name}\n" for name in names]
    (OUT / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")
    print(*sums, sep="", end="")


def build(profile: str) -> None:
    """Builds the source distribution, and the wheel and the program for each machine."""
    manifest = ROOT / "python" / "Cargo.toml"
    run("maturin", "sdist", "--manifest-path", manifest, "--out", OUT)
    for machine in MACHINES:
        target = f"{machine}-unknown-linux-gnu"
        wheel = ["--zig", "--compatibility", "manylinux2014", "--manifest-path", manifest, "--out", OUT]
        run("maturin", "build", "--locked", "--profile", profile, "--target", target, *wheel)
        run("cargo-zigbuild", "build", "--locked", "--profile", profile, "--target", f"{target}.{GLIBC}", *PROGRAM)
        pack(ROOT / "target" / target / {"dev": "debug"}.get(profile, profile) / "online-forests", machine)


def run(*command: object) -> None:
    """Runs a command with the target folder of the workspace."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(ROOT / "target")}
    subprocess.run(list(map(str, command)), check=True, cwd=ROOT, env=environment)


def pack(program: pathlib.Path, machine: str) -> None:
    """Packs the program with its licences."""
    name = f"online-forests-{version()}-linux-{machine}"
    with tarfile.open(OUT / f"{name}.tar.gz", "w:gz") as archive:
        for path in (program, *LICENCES, ROOT / "README.md"):
            archive.add(path, f"{name}/{path.name}")


def version() -> str:
    metadata = json.loads(
        subprocess.check_output(["cargo", "metadata", "--no-deps", "--format-version", "1"], cwd=ROOT)
    )
    return next(package["version"] for package in metadata["packages"] if package["name"] == "online-forests-cli")


def linked() -> dict[str, str]:
    """Returns the crates that the wheels and the program link, with their licences."""
    targets = [word for machine in MACHINES for word in ("--target", f"{machine}-unknown-linux-gnu")]
    found = {}
    for crate in (PROGRAM, ["--manifest-path", "python/Cargo.toml"]):
        tree = [
            "cargo",
            "tree",
            "--locked",
            "--edges",
            "normal",
            "--prefix",
            "none",
            "--format",
            "{p}\t{l}",
            *targets,
            *crate,
        ]
        lines = subprocess.check_output(tree, cwd=ROOT, text=True).splitlines()
        found |= dict(line.removesuffix(" (*)").split("\t") for line in lines if line)
    # The others are ours, with a path.
    return {crate: licence for crate, licence in sorted(found.items()) if "(/" not in crate}


def sources() -> dict[str, pathlib.Path]:
    """Returns where the code of each crate is."""
    found = {}
    for manifest in ("Cargo.toml", "python/Cargo.toml"):
        command = [
            "cargo",
            "metadata",
            "--locked",
            "--all-features",
            "--format-version",
            "1",
            "--manifest-path",
            manifest,
        ]
        for package in json.loads(subprocess.check_output(command, cwd=ROOT))["packages"]:
            found[f"{package['name']} v{package['version']}"] = pathlib.Path(package["manifest_path"]).parent
    return found


def write_licences() -> None:
    """Writes the licences of all that is linked, with the texts that the crates have."""
    folders = sources()
    crates = {crate.removesuffix(" (proc-macro)"): licence for crate, licence in linked().items()}
    lines = ["The wheels and the program contain these crates and Rust's standard library (MIT OR Apache-2.0).", ""]
    lines += [f"{crate}: {licence}" for crate, licence in crates.items()]
    owners: dict[str, list[str]] = {}
    for crate in crates:
        for path in sorted(folders[crate].rglob("*")):
            if path.is_file() and path.name.upper().startswith(TEXTS):
                text = path.read_text(encoding="utf-8", errors="replace").strip()
                owners.setdefault(text, []).append(f"{crate}, {path.relative_to(folders[crate])}")
    for text, names in owners.items():
        lines += ["", "=" * 80, *names, "=" * 80, "", text]
    (OUT / "LICENCES.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
