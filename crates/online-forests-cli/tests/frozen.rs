//! Model files of every released version load, and answer as they did.

use std::fs;
use std::path::{Path, PathBuf};

use crate::bench::Bench;

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Answers to the invented houses, bit for bit: numbers are written so that they are read back to the last bit.
#[test]
fn models_of_version_1_answer_as_they_did() {
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
