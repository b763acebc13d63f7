//! Tests of `row-parts`, as one program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod conformance;
mod parts;
mod shards;

use forest_core::{ForestSettings, Schema};
use registry::NamedTask;
use row_parts::{RowParts, RowPartsSettings};

registry::submit!(&[row_parts::ROW_PARTS, mondrian::MONDRIAN, mondrian::AMF]);

fn settings(base: &str, parts: u32) -> RowPartsSettings {
    let base = base.to_owned();
    RowPartsSettings { base, parts }
}

fn forest(seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(seed)
}

fn learner<T: NamedTask>(schema: Schema<T>, (base, parts): (&str, u32), seed: u64) -> RowParts<T> {
    RowParts::new(schema, settings(base, parts), forest(seed)).unwrap()
}
