//! Model files that were written once load, and predict as they did: `FREEZE=1 cargo test -p online-forests-cli frozen` writes those missing.

use std::fs;
use std::path::{Path, PathBuf};

use forest_core::registry::snapshot::from_bytes;
use forest_model::{Model, TableTask};
use online_forests::{Classification, Regression};

use crate::bench::Bench;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A model that was written once, and what it has predicted.
struct Frozen {
    name: &'static str,
    data: &'static str,
    train: &'static str,
    predict: &'static str,
}

const FROZEN: [Frozen; 3] = [
    Frozen {
        name: "v1-price",
        data: "houses.csv",
        train: "--target price --missing median --categories one-hot",
        predict: "",
    },
    Frozen {
        name: "v1-place",
        data: "houses.csv",
        train: "--target place --missing indicator --categories one-hot",
        predict: "--proba",
    },
    Frozen {
        name: "v1-values",
        data: "values.csv",
        train: "--target y --task regress",
        predict: "",
    },
];

/// Large numbers, from which an origin is subtracted, and dates in a pattern.
fn values() -> String {
    let row = |i: u32| {
        format!(
            "2026-11-25T10:00:{i:02},{i}.50,{},{}\n",
            10_000_000_000_u64 + u64::from(i),
            3 * i % 7
        )
    };
    let rows = (0..60).map(row).collect::<String>();
    format!("when,price,id,y\n{rows}")
}

/// A folder with the tables.
fn bench() -> Bench {
    let bench = Bench::new();
    let houses = here("../../../datasets/tests/fixtures/houses.csv");
    fs::copy(houses, bench.path("houses.csv")).unwrap();
    bench.write("values.csv", values());
    bench
}

impl Frozen {
    fn model(&self) -> PathBuf {
        here(&format!("tests/frozen/{}.model", self.name))
    }

    fn predictions(&self) -> PathBuf {
        here(&format!("tests/frozen/{}.csv", self.name))
    }

    /// Writes the model and its predictions if they are not there and `FREEZE` is set.
    fn freeze(&self, bench: &Bench) {
        if std::env::var_os("FREEZE").is_none() || self.model().exists() {
            return;
        }
        let Self {
            data,
            train,
            predict,
            ..
        } = self;
        bench.ok(&format!(
            "train --data {data} {train} --trees 5 --model new"
        ));
        fs::copy(bench.path("new"), self.model()).unwrap();
        let predictions = bench.ok(&format!("predict --data {data} --model new {predict}"));
        fs::write(self.predictions(), predictions).unwrap();
    }
}

/// Predictions are the same bit for bit: numbers are written so that they are read back to the last bit.
#[test]
fn frozen_models_predict_what_they_did_and_learn() {
    for frozen in &FROZEN {
        let bench = bench();
        frozen.freeze(&bench);
        fs::copy(frozen.model(), bench.path("m")).unwrap();
        let (data, predict) = (frozen.data, frozen.predict);
        let predictions = bench.ok(&format!("predict --data {data} --model m {predict}"));
        let expected = fs::read_to_string(frozen.predictions()).unwrap();
        assert_eq!(predictions, expected, "{}", frozen.name);
        bench.ok(&format!("train --data {data} --model m --update"));
    }
}

/// Number of files with one bit changed and of truncated files; loading any of them is an error.
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
        refused::<Regression>("v1-values"),
    ];
    println!("refused (changed bits, cuts): {counts:?}");
}
