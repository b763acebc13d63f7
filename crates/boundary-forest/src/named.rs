//! The forest as a learner of classes or numbers, as the contract of all forests has it, and by name.

use forest_core::parameters::Values;
use forest_core::registry::{Built, Entry};
use forest_core::{
    Batch, Classification, Footprint, ForestSettings, InputError, InvariantError, OnlineLearner,
    PredictionRows, Regression, Rows, Schema, Task,
};

use crate::grower::Grower;
use crate::label::Label;
use crate::settings::PARAMETERS;
use crate::{BoundaryForest, BoundaryTree, TreeSettings};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[BOUNDARY_FOREST];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `boundary-forest`.
pub const BOUNDARY_FOREST: &Entry = &Entry {
    paper: "Mathy, Derbinsky, Bento, Rosenthal, Yedidia: The Boundary Forest Algorithm for Online \
        Supervised and Unsupervised Learning, AAAI 2015",
    limits: &[
        "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them first",
        "rows sorted by their class have two to three times the log loss (docs/algorithms.md)",
        "at most 2³⁰ samples",
    ],
    parameters: &[&PARAMETERS],
    classes: Some(classes),
    numbers: Some(numbers),
    ..Entry::new(
        "boundary-forest",
        "trees of the samples that they predicted wrong; predicts from the nearest samples found",
    )
};

fn classes(
    v: &mut Values,
    schema: Schema<Classification>,
    forest: ForestSettings,
) -> Built<Classification> {
    Ok(Box::new(BoundaryForest::new(
        schema,
        TreeSettings::of(v),
        forest,
    )?))
}

fn numbers(
    v: &mut Values,
    schema: Schema<Regression>,
    forest: ForestSettings,
) -> Built<Regression> {
    Ok(Box::new(BoundaryForest::new(
        schema,
        TreeSettings::of(v),
        forest,
    )?))
}

impl<T: Task<Target: Label>> OnlineLearner for BoundaryForest<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let trees = self.trees.capacity() * size_of::<Grower>();
        let nodes: usize = self.trees().map(BoundaryTree::bytes).sum();
        Footprint {
            nodes: self.trees().map(BoundaryTree::len).sum(),
            stored_samples: self.samples.len(),
            bytes: self.samples.bytes() + trees + nodes,
        }
    }

    fn trees(&self) -> usize {
        self.trees.len()
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.check_space(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check_shape()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.learn_rows(batch.rows(), batch.targets());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        self.average_rows(rows, predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        self.average_then_learn(batch.rows(), batch.targets())
    }
}
