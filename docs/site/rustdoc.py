"""The pages of `cargo doc` for the crates that are published."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from pathlib import Path

from places import ROOT, RUSTDOC

FOLDER = "rust"
# Of all crates together: styles, the index that is searched, and what implements what.
SHARED = ("static.files", "search.index", "trait.impl", "type.impl", "src-files.js", "help.html", "settings.html")


def copy(source: Path) -> None:
    """Copies rustdoc's pages of the published crates, and writes the page that lists these."""
    # The flags of `.ci/run`: with others, rustdoc would write all pages again.
    environment = {**os.environ, "RUSTDOCFLAGS": "--deny warnings"}
    subprocess.run(["cargo", "doc", "--workspace", "--no-deps", "--quiet"], check=True, cwd=ROOT, env=environment)
    crates = published()
    for name in (*SHARED, *crates, *(f"src/{crate}" for crate in crates)):
        if (RUSTDOC / name).is_dir():
            shutil.copytree(RUSTDOC / name, source / FOLDER / name)
        else:
            shutil.copy(RUSTDOC / name, source / FOLDER / name)
    # The crates that each page lists.
    (source / FOLDER / "crates.js").write_text(f"window.ALL_CRATES = {json.dumps(sorted(crates))};", encoding="utf-8")
    rows = [f"| [`{crate}`](../{FOLDER}/{crate}/index.html) | {description} |" for crate, description in crates.items()]
    page = (source / "api" / "rust.md").open("a", encoding="utf-8")
    with page:
        page.write("\n".join(["| crate | what it has |", "|---|---|", *rows, ""]))


def published() -> dict[str, str]:
    """Returns the libraries that are published, the one to start with first, with their descriptions."""
    command = ["cargo", "metadata", "--no-deps", "--format-version", "1"]
    packages = json.loads(subprocess.run(command, check=True, cwd=ROOT, stdout=subprocess.PIPE).stdout)["packages"]
    crates = {
        target["name"].replace("-", "_"): package["description"]
        for package in packages
        if package["publish"] != []
        for target in package["targets"]
        if "lib" in target["kind"]
    }
    return dict(sorted(crates.items(), key=lambda crate: (crate[0] != "online_forests", crate[0])))


def page_of(path: Path, source: Path) -> Path | None:
    """Returns rustdoc's page of a source file, relative to the site, if the file belongs to a published crate."""
    folders = os.path.relpath(path, ROOT).split(os.sep)
    if "src" not in folders:
        return None
    at = folders.index("src")
    manifest = ROOT.joinpath(*folders[:at], "Cargo.toml")
    library = library_of(manifest) if manifest.exists() else ""
    page = Path(FOLDER, "src", library, *folders[at + 1 :])
    page = page.with_name(page.name + ".html")
    return page if (source / page).exists() else None


def library_of(manifest: Path) -> str:
    """Returns the name of a package's library."""
    package = tomllib.loads(manifest.read_text(encoding="utf-8"))
    return package.get("lib", {}).get("name", package["package"]["name"]).replace("-", "_")
