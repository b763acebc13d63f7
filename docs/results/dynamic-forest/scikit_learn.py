"""ExtraTrees of scikit-learn on the rows that `rows` wrote: score, time a row and tree. Usage: all.py FOLDER TREES SEEDS NAME..."""
import sys, time, csv, numpy as np, sklearn
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
folder, trees, seeds, names = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
out = csv.writer(sys.stdout, lineterminator="\n")
for name in names:
    with open(f"{folder}/{name}.csv") as f:
        split = int(f.readline()); table = np.loadtxt(f, delimiter=",")
    X, y = table[:, :-1].astype(np.float32), table[:, -1]
    classes = np.all(y == np.round(y)) and len(np.unique(y)) <= 100
    for seed in range(1, seeds + 1):
        m = (ExtraTreesClassifier if classes else ExtraTreesRegressor)(n_estimators=trees, n_jobs=1, random_state=seed)
        t = time.process_time(); m.fit(X[:split], y[:split]); fit = time.process_time() - t
        t = time.process_time(); p = m.predict(X[split:]); ask = time.process_time() - t
        s = (p == y[split:]).mean() if classes else np.sqrt(np.mean((p - y[split:]) ** 2))
        out.writerow(["scikit-learn " + sklearn.__version__, name, trees, seed, "%.6f" % s, "%.4f" % (fit * 1e6 / split / trees), "%.4f" % (ask * 1e6 / (len(y) - split) / trees)])
        sys.stdout.flush()
