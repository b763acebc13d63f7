//! The paper's Table 2: errors of the online and the offline boundary forest, `n_T` = 50, `k` = 50,
//! raw features, in three readings of what was shuffled.
//!
//! `cargo run --release -p boundary-forest --example boundary_table2` writes
//! `docs/results/boundary-forest/table2.csv` and `table2.md`.

#[path = "../common/mod.rs"]
mod common;
mod readings;

use std::fmt::{self, Write};

use common::Split;
use readings::{READINGS, Sample};

/// A set, its training rows, the seeds, and the paper's errors of BF and OBF.
struct Set {
    name: &'static str,
    rows: usize,
    seeds: u64,
    bf: f64,
    obf: f64,
}

const fn set(name: &'static str, rows: usize, seeds: u64, bf: f64, obf: f64) -> Set {
    Set {
        name,
        rows,
        seeds,
        bf,
        obf,
    }
}

const SETS: [Set; 5] = [
    set("dna", 1400, 20, 14.3, 13.1),
    set("letter", 10_500, 20, 5.4, 5.5),
    set("letter", 15_000, 20, 5.4, 5.5),
    set("pendigits", 7494, 20, 2.62, 2.60),
    set("mnist", 60_000, 10, 2.24, 2.6),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut csv, mut errors, mut ratios) =
        (HEADER.to_string(), TITLE.to_string(), RATIOS.to_string());
    for set in SETS {
        let measured = measure(&set, &mut csv)?;
        write_errors(&mut errors, &set, &measured)?;
        write_ratios(&mut ratios, &set, &measured)?;
    }
    print!("{errors}{ratios}");
    common::write("table2.csv", &csv)?;
    common::write("table2.md", &(errors + &ratios))?;
    Ok(())
}

/// Test errors, one sample per reading, and the training error of the first.
struct Measured {
    test: Vec<Sample>,
    train: Sample,
}

fn measure(set: &Set, csv: &mut String) -> Result<Measured, fmt::Error> {
    let split = Split::open(set.name, set.rows);
    let (mut test, mut train) = (vec![Sample::default(); READINGS.len()], Sample::default());
    for seed in 0..set.seeds {
        for ((name, grow), sample) in READINGS.iter().zip(&mut test) {
            let forest = grow(&split, seed);
            let on_test = readings::error(&forest, split.test());
            writeln!(
                csv,
                "{},{},\"{name}\",{seed},{on_test:.4}",
                set.name, set.rows
            )?;
            sample.0.push(on_test);
            if *name == READINGS[0].0 {
                train.0.push(readings::error(&forest, split.train()));
            }
        }
        println!("{} {} seed {seed}", set.name, set.rows);
    }
    Ok(Measured { test, train })
}

fn write_errors(table: &mut String, set: &Set, measured: &Measured) -> fmt::Result {
    let [file, once, each] = [0, 1, 2].map(|reading| measured.test[reading].interval());
    let train = measured.train.mean();
    writeln!(
        table,
        "| {} | {} | {} | {file} | {once} | {each} | {} | {} | {train:.2} |",
        set.name, set.rows, set.seeds, set.bf, set.obf
    )
}

fn write_ratios(table: &mut String, set: &Set, measured: &Measured) -> fmt::Result {
    let [file, once, each] = [0, 1, 2].map(|reading| &measured.test[reading]);
    let regret = 100.0 * (1.0 - each.mean() / file.mean());
    let same = 100.0 * (1.0 - once.mean() / file.mean());
    let paper = 100.0 * (1.0 - set.obf / set.bf);
    let bf = [
        ("file order", file.deviations(set.bf)),
        ("shuffled once", once.deviations(set.bf)),
    ];
    let obf = [
        ("shuffled once", once.deviations(set.obf)),
        ("shuffled for each tree", each.deviations(set.obf)),
    ];
    writeln!(
        table,
        "| {} | {} | {} | {} | {paper:+.0} % | {same:+.0} % | {regret:+.0} % |",
        set.name,
        set.rows,
        fitting(bf),
        fitting(obf),
    )
}

/// Both readings with their deviations, those that fit in bold.
fn fitting(readings: [(&str, f64); 2]) -> String {
    let text = |(name, deviations): (&str, f64)| match deviations.abs() <= 2.0 {
        true => format!("**{name}: {deviations:+.1}**"),
        false => format!("{name}: {deviations:+.1}"),
    };
    readings.map(text).join(", ")
}

const HEADER: &str = "set,train_rows,reading,seed,test_error\n";

const TITLE: &str = "\
Errors in percent, `n_T` = 50, `k` = 50, raw features: mean and 95 % interval of the mean (Student's t
over seeds, which draw the trees' random streams and, where rows are shuffled, their order). Made by
`cargo run --release -p boundary-forest --example boundary_table2`; every run is in `table2.csv`.

| set | training rows | seeds | BF, rows in file order | BF, rows shuffled once for all trees | OBF, rows shuffled for each tree | paper: BF | paper: OBF | BF in file order on its training set |
|---|---|---|---|---|---|---|---|---|
";

const RATIOS: &str = "
How far the paper's numbers, taken for single runs, are from our means, in standard deviations of that
difference; a reading within ±2 fits, in bold. And how much lower an error is than that of BF in file
order, in percent of the latter: the paper's regret, \"less than 10% of the error rate\".

| set | training rows | paper's BF | paper's OBF | regret in the paper | regret, shuffled once | regret, shuffled for each tree |
|---|---|---|---|---|---|---|
";
