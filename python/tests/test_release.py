"""The files of a release: what is linked has a licence, and the page and the workflow build in the same way."""

from __future__ import annotations

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).parents[2]
sys.path.append(str(ROOT / "python" / "tools"))
import release


def test_the_workflow_runs_the_commands_of_the_page():
    page = (ROOT / "RELEASE.md").read_text(encoding="utf-8")
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    for command in (
        "rustup target add x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu",
        "pip install maturin ziglang cargo-zigbuild",
        "python python/tools/release.py",
        "python python/tools/emulated.py",
    ):
        assert f"\n{command}\n" in page and re.search(rf"run: {re.escape(command)}$", workflow, re.MULTILINE)


def test_every_crate_that_is_linked_is_listed_with_a_licence(tmp_path, monkeypatch):
    monkeypatch.setattr(release, "OUT", tmp_path)
    release.write_licences()
    text = (tmp_path / "LICENCES.txt").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^([\w-]+) v[\w.+-]+: (.+)$", text, re.MULTILINE))
    # Those of the wheel alone, of the service, and of C.
    assert {"pyo3", "numpy", "rustls", "zstd-sys"} <= set(listed)
    assert "Copyright (c) Meta Platforms" in text
    allowed = tomllib.loads((ROOT / "deny.toml").read_text(encoding="utf-8"))["licenses"]["allow"]
    for name, licence in listed.items():
        assert any(word in licence for word in allowed), name
