"""Learners side by side: ours by name, and anyone's from Python.

One call of :func:`compare` gives what ``cargo xtask compare`` gives: every learner with the same splits, shuffles and
seeds, a record of each run in ``runs.jsonl``, tables with intervals and ranks, and a page. Protocols, metrics,
statistics and the page are those of the Rust library.

>>> import tempfile
>>> from online_forests.compare import compare
>>> class MostFrequent:
...     def __init__(self):
...         self.counts = {}
...     def learn_one(self, x, y):
...         self.counts[y] = self.counts.get(y, 0) + 1
...     def predict_one(self, x):
...         return max(self.counts, key=self.counts.get, default=None)
>>> with tempfile.TemporaryDirectory() as folder:
...     results = compare(
...         {"mondrian": "mondrian", "most frequent": MostFrequent},
...         data=["sea:n=500"], protocol="prequential", seeds=2, out=folder, progress=False,
...     )
>>> sorted({record["label"] for record in results.records})
['mondrian', 'most frequent']
"""

from online_forests.compare._compare import compare
from online_forests.compare._results import Report, Results

__all__ = ["Report", "Results", "compare"]
