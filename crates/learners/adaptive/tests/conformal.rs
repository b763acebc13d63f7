//! Tests of `conformal`.

mod conformance;
mod coverage;
mod first_rows;

use adaptive::conformal::Conformal;
use forest_core::{ForestSettings, Regression, Schema};

// With those of the other tests.
forest_core::submit!(&[adaptive::conformal::CONFORMAL, obsp::OBSP]);

/// Bases of both kinds.
const BASES: [&str; 3] = ["mondrian-2016", "mondrian:min_points=5", "mean"];

fn forest(seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(seed)
}

fn learner(schema: Schema<Regression>, base: &str, scores: u32, seed: u64) -> Conformal {
    Conformal::new(schema, base, scores, forest(seed)).unwrap()
}
