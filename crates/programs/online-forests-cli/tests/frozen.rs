//! Model files that were written once load, and predict as they did: `FREEZE=1 cargo test -p online-forests-cli frozen`
//! writes those missing.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::Bench;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn frozen(name: &str) -> PathBuf {
    here(&format!("tests/frozen/{name}"))
}

/// Names of models that were written once, and how they were trained and have predicted.
const FROZEN: [(&str, &str, &str, &str); 3] = [
    (
        "v1-price",
        "houses.csv",
        "--target price --missing median --categories one-hot",
        "",
    ),
    (
        "v1-place",
        "houses.csv",
        "--target place --missing indicator --categories one-hot",
        "--proba",
    ),
    ("v1-values", "values.csv", "--target y --task regress", ""),
];

/// Predictions are the same bit for bit: numbers are written so that they are read back to the last bit.
#[test]
fn frozen_models_predict_what_they_did_and_learn() {
    // Large numbers, from which an origin is subtracted, and dates in a pattern.
    let mut values = "when,price,id,y\n".to_owned();
    for i in 0..60 {
        let id = 10_000_000_000_u64 + i;
        values += &format!("2026-11-25T10:00:{i:02},{i}.50,{id},{}\n", 3 * i % 7);
    }
    for (name, data, train, predict) in FROZEN {
        let bench = Bench::with(&[("values.csv", &values)]);
        let houses = here("../../../datasets/tests/fixtures/houses.csv");
        fs::copy(houses, bench.path("houses.csv")).unwrap();
        let [model, csv] = ["model", "csv"].map(|kind| frozen(&format!("{name}.{kind}")));
        let predict = format!("predict --data {data} --model m {predict}");
        if std::env::var_os("FREEZE").is_some() && !model.exists() {
            bench.ok(&format!("train --data {data} {train} --trees 5 --model m"));
            fs::copy(bench.path("m"), &model).unwrap();
            fs::write(&csv, bench.ok(&predict)).unwrap();
        }
        fs::copy(model, bench.path("m")).unwrap();
        let expected = fs::read_to_string(csv).unwrap();
        assert_eq!(bench.ok(&predict), expected, "{name}");
        bench.ok(&format!("train --data {data} --model m --update"));
    }
}
