"""The tables of README.md, from the CSV files beside it: python3 docs/results/residual-forest/tables.py"""

import csv
import pathlib
import statistics

FOLDER = pathlib.Path(__file__).parent
NAMES = {
    "friedman:d=5,n=16000,test=4000": "friedman-5",
    "friedman:d=10,n=16000,test=4000": "friedman-10",
    "friedman:d=20,noise=3,n=16000,test=4000": "friedman-20",
    "friedman:d=5,noise=0.1,n=16000,test=4000": "friedman-little",
    "sine-product:n=16000,test=4000": "sine-product",
    "sine-product:noise=3,n=16000,test=4000": "sine-product-noisy",
    "california_housing": "california",
    "king_county_sales": "king-county",
    "airline": "flights",
}
OFFLINE = ["extra trees", "random forest", "boosting", "boosting, tuned"]


def read(name):
    with open(FOLDER / name, encoding="utf-8") as file:
        return list(csv.reader(file))


def row(cells):
    print("| " + " | ".join(cells) + " |")


def short(number):
    return f"{number:.0f}" if number >= 1000 else f"{number:.4g}"


def mean(values):
    return short(statistics.mean(values)) if values else ""


def hold_out():
    ours, offline = read("cost.csv"), read("scikit-learn.csv")
    row(["data", "residual-forest", *OFFLINE, "µs to learn", "µs to answer", "bytes"])
    row(["---"] + ["---:"] * 8)
    for address, name in NAMES.items():
        runs = [run for run in ours if run[1] == address]
        cells = [mean([float(run[4]) for run in runs])]
        for label in OFFLINE:
            cells.append(mean([float(run[4]) for run in offline if run[1:3] == [label, name]]))
        cells += [f"{statistics.median(float(run[cell]) for run in runs):.2f}" for cell in (5, 6)] if runs else ["", ""]
        cells.append(f"{statistics.median(float(run[7]) for run in runs):.0f}" if runs else "")
        row([f"`{address}`", *cells])


def parts():
    runs = read("parts.csv")
    chains = list(dict.fromkeys(run[0] for run in runs))
    addresses = list(dict.fromkeys(run[1] for run in runs))
    row(["chains", *(f"`{address}`" for address in addresses)])
    row(["---"] + ["---:"] * len(addresses))
    for one in chains:
        cells = [mean([float(run[4]) for run in runs if run[:2] == [one, address]]) for address in addresses]
        row([f"`{one}`", *cells])


def curves():
    runs = read("curves.csv")
    lines = list(dict.fromkeys((run[0], run[1], run[2]) for run in runs))
    row(["chains", "data", "window", *(f"{part} %" for part in (5, 10, 20, 40, 60, 80, 100))])
    row(["---", "---", "---:"] + ["---:"] * 7)
    for line in lines:
        errors = [float(run[4]) for run in runs if tuple(run[:3]) == line]
        cells = [short(errors[part - 1]) for part in (1, 2, 4, 8, 12, 16, 20)]
        row([f"`{line[0]}`", f"`{line[1]}`", line[2], *cells])


for table in (hold_out, parts, curves):
    table()
    print()
