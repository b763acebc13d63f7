//! The boundary forest beside exact and approximate neighbours: error, time and memory of 1-NN and
//! 3-NN by brute force, by a cover tree (smartcore) and by an HNSW graph (`hnsw_rs`), one thread.
//!
//! `cargo run --release -p benches --features hnsw --example boundary_neighbours` writes `neighbours.csv` and `neighbours.md` into
//! `docs/results/boundary-forest/`. Every method runs in its own process, one after another, so that
//! its memory can be read from the system.

mod common;
mod methods;
mod process;

use std::fmt::Write;
use std::process::Command;

use common::{Split, processor_seconds, write};
use methods::{Method, Samples};

/// A data set, its training rows, its test rows, and the methods that are fast enough for it.
const SETS: [(&str, usize, usize, &[Method]); 5] = [
    ("dna", 1400, 1186, &Method::ALL),
    ("letter", 15_000, 5000, &Method::ALL),
    ("pendigits", 7494, 3498, &Method::ALL),
    ("mnist", 10_000, 1000, &Method::ALL),
    ("mnist", 60_000, 10_000, &Method::ALL_BUT_COVER_TREE),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [set, train, test, method] => measure(set, train.parse()?, test.parse()?, method),
        _ => compare(),
    }
}

/// Measures one method on one data set and prints its row.
fn measure(
    set: &str,
    train: usize,
    test: usize,
    method: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let split = Split::open(set, train);
    let method = Method::named(method).ok_or("unknown method")?;
    let (queries, labels) = split.test();
    let queries = queries.slice(ndarray::s![..test, ..]);
    let (memory, start) = (process::resident_kilobytes()?, processor_seconds());
    let (rows, classes) = split.train();
    let mut model = method.learn(Samples {
        rows,
        labels: classes,
    });
    let learned = processor_seconds() - start;
    let memory = process::resident_kilobytes()?.saturating_sub(memory) / 1024;
    let start = processor_seconds();
    let predictions = model.predict_all(queries);
    let predicted = processor_seconds() - start;
    let wrong = predictions
        .iter()
        .zip(labels)
        .filter(|(a, b)| a != b)
        .count();
    let error = 100.0 * wrong as f64 / test as f64;
    println!(
        "{set},{train},{test},{},{error:.2},{learned:.3},{predicted:.3},{memory}",
        method.name()
    );
    Ok(())
}

fn compare() -> Result<(), Box<dyn std::error::Error>> {
    let (mut csv, mut table) = (String::from(HEADER), String::from(TITLE));
    for (set, train, test, methods) in SETS {
        for method in methods {
            let sizes = [train.to_string(), test.to_string()];
            let child = Command::new(std::env::current_exe()?)
                .arg(set)
                .args(sizes)
                .arg(method.name())
                .output()?;
            let row = String::from_utf8(child.stdout)?;
            let row = row.lines().last().ok_or("a method failed")?;
            println!("{row}");
            writeln!(csv, "{row}")?;
            writeln!(table, "| {} |", row.replace(',', " | "))?;
        }
        write("neighbours.csv", &csv)?;
        write("neighbours.md", &table)?;
    }
    Ok(())
}

const HEADER: &str = "set,train_rows,test_rows,method,error,train_seconds,test_seconds,megabytes\n";

const TITLE: &str = "\
Errors in percent, seconds of processor time on one thread, megabytes of resident memory that learning
added, by the system's account (forests state their own in `footprint()`, which counts allocated bytes). Made by
`cargo run --release -p benches --features hnsw --example boundary_neighbours`. Boundary forest: `n_T` = 50, `k` = 50. Brute force reads
the data in place, with an `f32` kernel and queries in blocks. HNSW: 16 links, 200 candidates when
building, 64 when searching, the same `f32` kernel.

| set | training rows | test rows | method | error | to learn | to predict | memory |
|---|---|---|---|---|---|---|---|
";
