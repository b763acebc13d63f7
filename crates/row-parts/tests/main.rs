//! Tests of `row-parts`, as one program.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod conformance;
mod parts;
mod shards;

use forest_core::{ForestSettings, Schema};
use registry::{Entry, NamedTask, Registry};
use row_parts::{InTable, RowParts, RowPartsSettings};

/// A table with bases.
#[derive(Clone, Copy, Debug)]
struct Table;

impl Registry for Table {
    const ENTRIES: &'static [&'static Entry] = &[
        InTable::<Self>::ENTRY,
        mondrian::Algorithms::MONDRIAN,
        mondrian::Algorithms::AMF,
        &registry::MEAN,
        &registry::MAJORITY,
    ];
}

fn settings(base: &str, parts: u32) -> RowPartsSettings {
    let base = base.to_owned();
    RowPartsSettings { base, parts }
}

fn forest(seed: u64) -> ForestSettings {
    ForestSettings::default().with_trees(5).with_seed(seed)
}

fn learner<T: NamedTask>(
    schema: Schema<T>,
    (base, parts): (&str, u32),
    seed: u64,
) -> RowParts<T, Table> {
    RowParts::new(schema, settings(base, parts), forest(seed)).unwrap()
}
