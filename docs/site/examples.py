"""The gallery: each script of docs/gallery is run, and gets a page, a picture and a notebook."""

from __future__ import annotations

import ast
import runpy
import time
import warnings
from pathlib import Path

import matplotlib
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from places import ROOT

GALLERY = ROOT / "docs" / "gallery"


def write(source: Path) -> None:
    """Runs the examples, and writes their pages and the page of all pictures."""
    folder = source / GALLERY.relative_to(ROOT)
    cards = [card(example, folder) for example in sorted(GALLERY.glob("*.py"))]
    with (folder / "README.md").open("a", encoding="utf-8") as page:
        page.write('\n<div class="gallery" markdown="1">\n\n' + "\n".join(cards) + "\n\n</div>\n")


def card(example: Path, folder: Path) -> str:
    """Writes what belongs to an example, and returns its entry in the list of all."""
    code = example.read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(code))
    title = text.splitlines()[0].rstrip(".")
    program = code.split('"""', 2)[2].lstrip()
    seconds = draw(example, folder / f"{example.stem}.png")
    page = [
        f"# {title}",
        *text.splitlines()[1:],
        "",
        f"![{title}]({example.stem}.png)",
        "",
        f"Runs in {seconds:.1f} seconds. Download: [script]({example.name}), [notebook]({example.stem}.ipynb).",
        "",
        f"```python\n{program}```",
    ]
    (folder / f"{example.stem}.md").write_text("\n".join(page) + "\n", encoding="utf-8")
    (folder / example.name).write_text(code, encoding="utf-8")
    cells = [new_markdown_cell(f"# {text}"), new_code_cell(program.rstrip())]
    nbformat.write(new_notebook(cells=cells), folder / f"{example.stem}.ipynb")
    return f"[![]({example.stem}.png) {title}]({example.stem}.md)"


def draw(example: Path, picture: Path) -> float:
    """Runs an example, saves the picture that it shows, and returns how long it took."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    plt.rcdefaults()
    start = time.perf_counter()
    with warnings.catch_warnings():
        # Without a screen, nothing is shown.
        warnings.filterwarnings("ignore", message="FigureCanvasAgg is non-interactive")
        runpy.run_path(str(example), run_name="__main__")
    if plt.get_fignums() != [1]:
        raise ValueError(f"{example} shows {len(plt.get_fignums())} pictures; an example has one")
    plt.savefig(picture, dpi=110, metadata={"Software": None})
    return time.perf_counter() - start
