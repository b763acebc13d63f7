"""The service under load.

Rows arrive at a steady rate, one per request: nine in ten are predicted, one is learned. Time counts from the moment at which a row arrives, and
includes waiting for a free client. Needs the program with the service: `cargo install --path crates/programs/online-forests-cli --features serve`.
"""

import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE, Popen, run
from urllib.request import urlopen

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import make_friedman1


def milliseconds(number, arrival):
    time.sleep(max(0, arrival - time.perf_counter()))
    urlopen(f"{address}/{'predict' if number % 10 else 'learn'}", rows[number % 1000]).read()
    return 1000 * (time.perf_counter() - arrival)


folder, points = tempfile.mkdtemp(), {}
table = np.column_stack(make_friedman1(1000, n_features=5, random_state=1))
np.savetxt(f"{folder}/first.csv", table, delimiter=",", header="a,b,c,d,e,y", comments="")
rows = [b"a,b,c,d,e,y\n" + ",".join(map(str, row)).encode() for row in table]
run(["online-forests", "train", "--data", f"{folder}/first.csv", "--target", "y", "--model", f"{folder}/model"], check=True)
command = ["online-forests", "serve", "--model", f"{folder}/model", "--listen", "127.0.0.1:0"]
with Popen(command, stderr=PIPE, text=True) as service, ThreadPoolExecutor(32) as clients:
    address = next(line.split()[-1] for line in service.stderr if "http://" in line)
    for rate in (25, 50, 100, 200, 400, 800):
        arrivals = time.perf_counter() + np.arange(2 * rate) / rate
        points[rate] = np.percentile(list(clients.map(milliseconds, range(2 * rate), arrivals)), [50, 90, 99])
    service.terminate()
plt.figure(figsize=(7, 4.4), layout="constrained")
plt.semilogy(list(map(str, points)), list(points.values()), marker="o", label=["median", "90th percentile", "99th percentile"])
plt.gca().set(xlabel="requests per second", ylabel="milliseconds until the reply", title="32 clients; a tenth of the requests learn")
plt.legend()
plt.show()
