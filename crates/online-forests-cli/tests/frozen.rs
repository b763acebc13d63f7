//! Model files of every released version load, and answer as they did.

use std::fs;
use std::path::{Path, PathBuf};

use online_forests::{Classification, Regression};
use online_forests_cli::{Model, TableTask};
use registry::snapshot::from_bytes;

use crate::bench::Bench;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Answers to the invented houses, bit for bit: numbers are written so that they are read back to the last bit.
#[test]
fn models_of_versions_1_and_2_answer_as_they_did() {
    let bench = Bench::new();
    let houses = here("../../datasets/tests/fixtures/houses.csv");
    for (name, option) in [("v1-price", ""), ("v1-place", "--proba")] {
        let model = here(&format!("tests/frozen/{name}.model"));
        fs::copy(model, bench.path("m")).unwrap();
        fs::copy(&houses, bench.path("houses.csv")).unwrap();
        let answers = bench.ok(&format!("predict --data houses.csv --model m {option}"));
        let frozen = fs::read_to_string(here(&format!("tests/frozen/{name}.csv"))).unwrap();
        assert_eq!(answers, frozen, "{name}");
        // It goes on learning, too.
        bench.ok("train --data houses.csv --model m --update");
    }
}

/// What version 3 of the format has added to columns: numbers that are subtracted, patterns of dates.
fn values() -> String {
    let row = |i: u32| {
        format!(
            "25.11.2026 10:00:{i:02},{},{}\n",
            10_000_000_000_u64 + u64::from(i),
            3 * i % 7
        )
    };
    let rows = (0..60).map(row).collect::<String>();
    format!("when,id,y\n{rows}")
}

/// Writes the model and its answers if they are not there and `FREEZE` is set.
fn freeze(bench: &Bench, name: &str) {
    let model = here(&format!("tests/frozen/{name}.model"));
    if std::env::var_os("FREEZE").is_none() || model.exists() {
        return;
    }
    bench.ok("train --data values.csv --target y --task regress --trees 5 --model new");
    fs::copy(bench.path("new"), model).unwrap();
    let answers = bench.ok("predict --data values.csv --model new");
    fs::write(here(&format!("tests/frozen/{name}.csv")), answers).unwrap();
}

#[test]
fn models_of_version_3_answer_as_they_did() {
    let bench = Bench::new();
    bench.write("values.csv", &values());
    freeze(&bench, "v3-values");
    fs::copy(here("tests/frozen/v3-values.model"), bench.path("m")).unwrap();
    let frozen = fs::read_to_string(here("tests/frozen/v3-values.csv")).unwrap();
    assert_eq!(bench.ok("predict --data values.csv --model m"), frozen);
    bench.ok("train --data values.csv --model m --update");
}

/// Number of files with one bit changed and of files that are cut off, none of which is loaded.
fn refused<T: TableTask>(name: &str) -> (usize, usize) {
    let mut bytes = fs::read(here(&format!("tests/frozen/{name}.model"))).unwrap();
    assert!(from_bytes::<Model<T>>(&bytes).is_ok());
    let is_refused = |bytes: &[u8]| from_bytes::<Model<T>>(bytes).is_err();
    let lengths = 0..bytes.len();
    let cut = lengths
        .filter(|length| is_refused(&bytes[..*length]))
        .count();
    let mut changed = 0;
    for bit in 0..8 * bytes.len() {
        bytes[bit / 8] ^= 1 << (bit % 8);
        changed += usize::from(is_refused(&bytes));
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert_eq!((changed, cut), (8 * bytes.len(), bytes.len()), "{name}");
    (changed, cut)
}

#[test]
fn every_changed_bit_and_every_cut_is_refused() {
    let counts = [
        refused::<Regression>("v1-price"),
        refused::<Classification>("v1-place"),
        refused::<Regression>("v3-values"),
    ];
    println!("refused (changed bits, cuts): {counts:?}");
}
