//! A table of algorithms to take bases from, and streams.

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask, InTable};
use forest_core::{ForestSettings, Schema};
use registry::{Entry, Registry};

/// A table with bases that forget, that cannot, and that hold no samples.
#[derive(Clone, Copy, Debug)]
pub struct Table;

impl Registry for Table {
    const ENTRIES: &'static [&'static Entry] = &[
        InTable::<Self>::ENTRY,
        &mondrian::MONDRIAN,
        &boundary_forest::BOUNDARY_FOREST,
        &stream_rf::STREAM_RF,
        &registry::NO_CHANGE,
        &registry::MAJORITY,
        &registry::MEAN,
    ];
}

pub type Algorithm = registry::Algorithm<Table>;

/// Two trees a copy.
pub fn forest(seed: u64) -> ForestSettings {
    ForestSettings {
        trees: 2,
        seed,
        ..ForestSettings::default()
    }
}

/// A learner of these members, separated by `+`.
pub fn of_members<T: AdaptiveTask>(
    members: &str,
    settings: AdaptiveSettings<T>,
    schema: Schema<T>,
    seed: u64,
) -> Adaptive<T, Table> {
    let members = members.split('+').map(str::to_owned).collect();
    let settings = AdaptiveSettings {
        members,
        ..settings
    };
    Adaptive::new(schema, settings, forest(seed)).unwrap()
}
