"""Builds the site into target/site, and checks its links:

    pip install './python[site,test]' && python docs/site/build.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import algorithms
import documents
import examples
import links
import rustdoc
from places import HERE, PLAYGROUND, SITE, SOURCE

READ = ["options:", "  force_inspection: false"]
MODULES = {
    "online_forests": ["options:", "  members: [load, algorithms]"],
    "online_forests.sklearn": [],
    "online_forests.river": [],
    "online_forests.capymoa": READ,
    "online_forests.compare": READ,
    "online_forests.ray": READ,
    "online_forests.plots": READ,
}


def main() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(HERE / "pages", SOURCE)
    write_api(SOURCE / "api")
    rustdoc.copy(SOURCE)
    documents.copy(SOURCE)
    algorithms.write(SOURCE)
    examples.write(SOURCE)
    copy_playground()
    # Material's notice about the next MkDocs, printed on every build, is not about this site.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", HERE / "mkdocs.yml"], check=True, env=environment)
    links.check()
    print(f"the site is in {SITE}")


def write_api(folder: Path) -> None:
    """Writes the pages that mkdocstrings fills in, one for each module. Modules whose classes are made at import are inspected, others are read."""
    for module, options in MODULES.items():
        text = f"# {module}\n\n::: {module}\n" + "".join(f"    {line}\n" for line in options)
        if module == "online_forests":
            text += "\nLearners by name, from the module of Rust:\n\n::: online_forests._core\n"
            text += "    options:\n      force_inspection: false\n      members: [Classifier, Regressor, Retriever]\n"
        name = module.removeprefix("online_forests").removeprefix(".") or "python"
        (folder / f"{name}.md").write_text(text, encoding="utf-8")


def copy_playground() -> None:
    """Copies the playground, which is built on its own, to where the navigation has it."""
    if (PLAYGROUND / "index.html").exists():
        shutil.copytree(PLAYGROUND, SOURCE / "playground", dirs_exist_ok=True)
    else:
        (SOURCE / "playground").mkdir()
        shutil.copy(HERE / "no-playground.html", SOURCE / "playground" / "index.html")


if __name__ == "__main__":
    main()
