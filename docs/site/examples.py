"""The gallery: each script of docs/gallery is run, and gets a page, a picture and a notebook; tests of cargo have run those in Rust."""

from __future__ import annotations

import ast
import runpy
import shutil
import time
import warnings
from pathlib import Path

import matplotlib
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from places import ROOT

GALLERY = ROOT / "docs" / "gallery"


def write(source: Path) -> None:
    """Writes the pages of the examples, and the page of all pictures."""
    folder = source / GALLERY.relative_to(ROOT)
    examples = sorted(GALLERY.glob("*.py"))
    cards = [of_python(example, folder) for example in examples] + [of_rust(example, folder) for example in sorted(GALLERY.glob("*.rs"))]
    with (folder / "README.md").open("a", encoding="utf-8") as page:
        page.write('\n<div class="gallery" markdown="1">\n\n' + "\n".join(cards) + "\n\n</div>\n")


def of_python(example: Path, folder: Path) -> str:
    """Runs an example in Python, writes what belongs to it, and returns its entry in the list of all."""
    code = example.read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(code))
    program = code.split('"""', 2)[2].lstrip()
    seconds = draw(example, folder / f"{example.stem}.png")
    cells = [new_markdown_cell(f"# {text}"), new_code_cell(program.rstrip())]
    nbformat.write(new_notebook(cells=cells), folder / f"{example.stem}.ipynb")
    note = f"Runs in {seconds:.1f} seconds. Download: [script]({example.name}), [notebook]({example.stem}.ipynb)."
    return card(example, folder, "png", text, f"{note}\n\n```python\n{program}```")


def of_rust(example: Path, folder: Path) -> str:
    """Writes what belongs to an example in Rust, which has its picture beside it, and returns its entry in the list of all."""
    shutil.copy(example.with_suffix(".svg"), folder)
    lines = example.read_text(encoding="utf-8").splitlines(keepends=True)
    text = "".join(line.removeprefix("//!").removeprefix(" ") for line in lines if line.startswith("//!"))
    program = "".join(line for line in lines if not line.startswith("//!"))
    command = f"cargo run --release --package forest-comparison --example {example.stem} > {example.stem}.svg"
    return card(example, folder, "svg", text, f"Download: [source]({example.name}). In the repository:\n\n```sh\n{command}\n```\n\n```rust\n{program}```")


def card(example: Path, folder: Path, kind: str, text: str, rest: str) -> str:
    """Writes the page of an example, and returns its entry in the list of all."""
    title, *description = text.splitlines()
    title, picture = title.rstrip("."), f"{example.stem}.{kind}"
    page = [f"# {title}", *description, "", f"![{title}]({picture})", "", rest, ""]
    (folder / f"{example.stem}.md").write_text("\n".join(page), encoding="utf-8")
    shutil.copy(example, folder)
    return f"[![]({picture}) {title}]({example.stem}.md)"


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
