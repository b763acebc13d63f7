"""Where the site's parts are."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TARGET = ROOT / "target"
# What MkDocs reads, and what it writes.
SOURCE = TARGET / "site-source"
SITE = TARGET / "site"
PLAYGROUND = TARGET / "playground"
RUSTDOC = TARGET / "doc"
