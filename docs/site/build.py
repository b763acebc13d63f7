"""Builds the site into target/site, and checks its links:

    pip install './python[site,test]' && python docs/site/build.py
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import algorithms
import documents
import examples
import links
import rustdoc
from places import HERE, PLAYGROUND, SITE, SOURCE


def main() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(HERE / "pages", SOURCE)
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


def copy_playground() -> None:
    """Copies the playground, which is built on its own, to where the navigation has it."""
    if (PLAYGROUND / "index.html").exists():
        shutil.copytree(PLAYGROUND, SOURCE / "playground", dirs_exist_ok=True)
    else:
        (SOURCE / "playground").mkdir()
        shutil.copy(HERE / "no-playground.html", SOURCE / "playground" / "index.html")


if __name__ == "__main__":
    main()
