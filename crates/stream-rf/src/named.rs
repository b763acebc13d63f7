//! Both forests by name, where dimensions are features.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};
use forest_core::{Classification, ForestSettings, Regression, Schema};

use crate::settings;
use crate::{
    SaffariClassifier, SaffariRegressor, SaffariSettings, StreamClassifier, StreamRegressor,
    StreamSettings,
};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[STREAM_RF, SAFFARI];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `stream-rf`: the stream-partitioned forest.
pub const STREAM_RF: &Entry = &Entry {
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[RANDOM_ORDER],
    parameters: &[&settings::STREAM],
    classes: Some(stream_classes),
    numbers: Some(stream_numbers),
    ..Entry::new(
        "stream-rf",
        "splits by gain on one part of the stream, votes from the other: consistent",
    )
};

/// `saffari`: the online forest that its paper compares with.
pub const SAFFARI: &Entry = &Entry {
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[RANDOM_ORDER],
    parameters: &[&settings::SAFFARI],
    classes: Some(saffari_classes),
    numbers: Some(saffari_numbers),
    ..Entry::new(
        "saffari",
        "online bagging, random tests, splits by gain once a leaf has enough points",
    )
};

const RANDOM_ORDER: &str = "rows in random order: sorted by their target they have up to three times the log loss (docs/algorithms.md)";

fn stream_classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let settings = StreamSettings::of(v);
    Ok(Box::new(StreamClassifier::new(schema, settings, forest)?))
}

fn stream_numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let settings = StreamSettings::of(v);
    Ok(Box::new(StreamRegressor::new(schema, settings, forest)?))
}

fn saffari_classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    let settings = SaffariSettings::of(v);
    Ok(Box::new(SaffariClassifier::new(schema, settings, forest)?))
}

fn saffari_numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    let settings = SaffariSettings::of(v);
    Ok(Box::new(SaffariRegressor::new(schema, settings, forest)?))
}
