"""Records as a frame of the user's library."""

from __future__ import annotations

import importlib.util
from typing import Any, Literal

from online_forests._extras import require

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")

# What a record has beside its metrics, in the order of the columns.
KEYS = ("dataset", "task", "protocol", "label", "offline", "seed", "n_train", "n_test")
MEASURED = (
    "learn_seconds",
    "predict_seconds",
    "learn_processor_seconds",
    "predict_processor_seconds",
    "model_bytes",
    "trees",
)


def frame(records: list[dict[str, Any]], backend: Backend | None) -> Any:
    """Returns a row for each record; what a run has not is missing."""
    require("narwhals", "compare")
    import narwhals as nw

    backend = backend or next((name for name in BACKENDS if importlib.util.find_spec(name)), None)
    if backend is None:
        raise ModuleNotFoundError(
            "to_frame needs pandas, polars or pyarrow, of which none is installed; `records` are dictionaries"
        )
    metrics = sorted({name for record in records for name in record.get("metrics", {})})
    columns: dict[str, list[Any]] = {key: [record[key] for record in records] for key in KEYS}
    columns |= {name: [record.get("metrics", {}).get(name) for record in records] for name in metrics}
    columns |= {key: [record.get(key) for record in records] for key in MEASURED}
    columns["error"] = [record.get("error") for record in records]
    return nw.from_dict(columns, backend=backend).to_native()
