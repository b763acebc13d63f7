"""Writes tables.json: random tables of accuracies, many values in them equal, with scipy's results for them. Needs scipy 1.15 or later.

Values have few decimals, and each is written as the mean of two others, so that values which are equal on paper may differ by rounding.
"""
import json

import numpy as np
from scipy import stats

rng = np.random.default_rng(20261126)


def with_rounding(hundredths):
    """Returns the mean of two accuracies that are further apart by a random number of hundredths."""
    shift = rng.integers(0, 7, hundredths.shape)
    return ((hundredths + shift) / 100 + (hundredths - shift) / 100) / 2


tables = []
for sets, algorithms, spread in [(2, 2, 3), (3, 2, 3), (8, 2, 4), (3, 3, 3), (4, 3, 9), (5, 3, 2), (3, 4, 5), (12, 2, 30), (20, 5, 6), (40, 8, 12)]:
    for _ in range(12 if sets * algorithms < 50 else 4):
        exact = rng.integers(60, 60 + spread, (sets, algorithms))
        values = with_rounding(exact)
        ranks = np.array([stats.rankdata(-row) for row in exact])
        statistic = stats.friedmanchisquare(*exact.T).statistic if algorithms > 2 else None
        difference = exact[:, 0] - exact[:, 1]
        # With ties, scipy counts signs only if it is asked to permute; ranks of zeros are dropped by "pratt", in which no sign changes
        # the sum of those of the others.
        method = stats.PermutationMethod(n_resamples=np.inf) if sets <= 12 else "asymptotic"
        wilcoxon = None
        if sets <= 12:
            wilcoxon = 1.0 if not difference.any() else float(stats.wilcoxon(difference, zero_method="pratt", method=method).pvalue)
        tables.append(dict(
            values=values.tolist(), ranks=ranks.mean(axis=0).tolist(),
            chi_square=None if statistic is None or np.isnan(statistic) else float(statistic), wilcoxon=wilcoxon,
        ))
json.dump(tables, open("tables.json", "w"), separators=(",", ":"))
print(len(tables), sum(t["wilcoxon"] is not None for t in tables))
