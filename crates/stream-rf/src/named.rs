//! Both forests by name, where dimensions are features.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry, MAX_NODES, VOTE};
use forest_core::{Forest, ForestSettings, Schema};

use crate::labels::Labels;
use crate::settings::{self, SaffariSettings, StreamSettings};
use crate::{SaffariTree, StreamTree};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[STREAM_RF, SAFFARI];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners.

/// `stream-rf`: the stream-partitioned forest.
pub const STREAM_RF: &Entry = &Entry {
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[RANDOM_ORDER],
    parameters: &[settings::STREAM, &[MAX_NODES, VOTE]],
    classes: Some(stream),
    numbers: Some(stream),
    ..Entry::new(
        "stream-rf",
        "splits by gain on one part of the stream, votes from the other: consistent",
    )
};

/// `saffari`: the online forest that its paper compares with.
pub const SAFFARI: &Entry = &Entry {
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[RANDOM_ORDER],
    parameters: &[settings::SAFFARI, &[MAX_NODES, VOTE]],
    classes: Some(saffari),
    numbers: Some(saffari),
    ..Entry::new(
        "saffari",
        "online bagging, random tests, splits by gain once a leaf has enough points",
    )
};

const RANDOM_ORDER: &str = "rows in random order: sorted by their target they have up to three times the log loss (docs/algorithms.md)";

fn stream<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let built = Forest::<StreamTree<T>>::new(schema, StreamSettings::of(v), forest)?;
    Ok(Box::new(built))
}

fn saffari<T: Labels>(v: &mut Values, schema: Schema<T>, forest: ForestSettings) -> Built<T> {
    let built = Forest::<SaffariTree<T>>::new(schema, SaffariSettings::of(v), forest)?;
    Ok(Box::new(built))
}
