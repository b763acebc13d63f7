"""Builds the site into target/site, and checks its links:

    pip install './python[site,test]' && python docs/site/build.py

With `--pages`, rustdoc's pages and the pictures of the gallery are left out, which take minutes.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import algorithms
import docstrings
import documents
import examples
import rustdoc
from lxml import html
from places import HERE, PLAYGROUND, SITE, SOURCE

READ = ["options:", "  force_inspection: false"]
MODULES = {
    "online_forests": ["options:", "  members: [load, algorithms]"],
    "online_forests.capymoa": READ,
    "online_forests.compare": READ,
    "online_forests.ray": READ,
    "online_forests.plots": READ,
}
# Modules of many classes have a page for each, the ones to start with first.
CLASSES = {"online_forests.sklearn": "estimators for scikit-learn", "online_forests.river": "models for River"}
FIRST = ("ResidualForest", "DynamicExtraTrees", "AMF", "Adaptive")


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the site into target/site, and checks its links.")
    parser.add_argument("--pages", action="store_true", help="leave out rustdoc's pages and the pictures of the gallery")
    pages_alone = parser.parse_args().pages
    shutil.rmtree(SOURCE, ignore_errors=True)
    shutil.copytree(HERE / "pages", SOURCE)
    write_api(SOURCE / "api")
    if not pages_alone:
        rustdoc.copy(SOURCE)
    documents.copy(SOURCE)
    algorithms.write(SOURCE)
    if not pages_alone:
        examples.write(SOURCE)
    # In place of the page that says that the playground, which is built on its own, was not built.
    if (PLAYGROUND / "index.html").exists():
        shutil.copytree(PLAYGROUND, SOURCE / "playground", dirs_exist_ok=True)
    # Material's notice about the next MkDocs, printed on every build, is not about this site.
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    # Without rustdoc's pages, links to them lead nowhere.
    strict = [] if pages_alone else ["--strict"]
    subprocess.run([sys.executable, "-m", "mkdocs", "build", *strict, "--config-file", HERE / "mkdocs.yml"], check=True, env=environment)
    if not pages_alone:
        check_links()
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
    for module, title in CLASSES.items():
        write_classes(module, title, folder / module.removeprefix("online_forests."))


def write_classes(module: str, title: str, folder: Path) -> None:
    """Writes a page for each class of a module, and the page that lists them."""
    folder.mkdir()
    made = importlib.import_module(module)
    names = sorted(made.__all__, key=lambda name: (next((at for at, first in enumerate(FIRST) if name.startswith(first)), len(FIRST)), name))
    rows = [f"| [`{name}`]({name}.md) | {made.__dict__[name].__doc__.strip().splitlines()[0]} |" for name in names]
    page = [f"# {module}: {title}", "", "To start: `ResidualForestClassifier` and `ResidualForestRegressor`.", "", "| class | what it is |", "|---|---|", *rows, ""]
    (folder / "index.md").write_text("\n".join(page), encoding="utf-8")
    for name in names:
        page = f"# {name}\n\n::: {module}.{name}\n\n{methods(made.__dict__[name])}\n"
        (folder / f"{name}.md").write_text(page, encoding="utf-8")


def methods(made: type) -> str:
    """Returns a table of the methods of a class, those of its base classes included, without those that its learner does not support."""
    instance, rows = made(), []
    for name, method in inspect.getmembers(made, callable):
        if not name.startswith("_") and method.__module__.startswith("online_forests") and hasattr(instance, name):
            names = [parameter for parameter in inspect.signature(method).parameters if parameter not in ("self", "cls")]
            first = docstrings.as_markdown(inspect.getdoc(method)).splitlines()[0].replace("``", "`")
            rows.append(f"| `{name}({', '.join(names)})` | {first} |")
    return "\n".join(["## Methods", "", "`help` describes each of them.", "", "| method | what it does |", "|---|---|", *rows])


def check_links() -> None:
    """Checks each link, picture and anchor of the built pages. rustdoc has checked its own pages, which are only linked to."""
    # The page that a host shows instead of a missing one has links from the root of the host.
    pages = [page for page in sorted(SITE.rglob("*.html")) if SITE / "rust" not in page.parents and page.name != "404.html"]
    missing = [f"{page.relative_to(SITE)}: {link}" for page in pages for link in broken(page)]
    if missing:
        sys.exit("These links of the site lead nowhere:\n" + "\n".join(missing))
    print(f"{len(pages)} pages: every link leads to a page, a file or an anchor")


def broken(page: Path) -> Iterator[str]:
    """Returns the links of a page that lead to no file of the site, or to no anchor of its file, and what it loads from other hosts."""
    for element, attribute, link, _ in parsed(page).iterlinks():
        whole, anchor = urldefrag(urljoin(page.as_uri(), link))
        parts = urlsplit(whole)
        # Other hosts change on their own; nothing is loaded from them.
        if parts.scheme != "file":
            if parts.netloc and (attribute == "src" or element.get("rel") == "stylesheet"):
                yield link
            continue
        target = Path(unquote(parts.path))
        target = target / "index.html" if target.is_dir() else target
        if SITE not in target.parents or not target.is_file() or (anchor and unquote(anchor) not in anchors(target)):
            yield link


@cache
def parsed(page: Path) -> html.HtmlElement:
    return html.parse(page, html.HTMLParser(encoding="utf-8")).getroot()


@cache
def anchors(page: Path) -> frozenset[str]:
    return frozenset(parsed(page).xpath("//@id | //a/@name"))


if __name__ == "__main__":
    main()
