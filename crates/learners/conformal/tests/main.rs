//! Tests of `conformal`, as one program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod conformance;
mod coverage;
mod first_rows;

use conformal::{Conformal, ConformalSettings};
use forest_core::{ForestSettings, Regression, Schema};

registry::submit!(&[conformal::CONFORMAL, mondrian::MONDRIAN, obsp::OBSP]);

/// Bases of both kinds.
const BASES: [&str; 3] = ["mondrian-2016", "mondrian:min_points=5", "mean"];

fn settings(base: &str, scores: u32) -> ConformalSettings {
    let base = base.to_owned();
    ConformalSettings { base, scores }
}

fn forest(seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(seed)
}

fn learner(schema: Schema<Regression>, settings: ConformalSettings, seed: u64) -> Conformal {
    Conformal::new(schema, settings, forest(seed)).unwrap()
}
