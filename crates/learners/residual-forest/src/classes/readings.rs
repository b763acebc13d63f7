//! The readings of one forest for the rows of a round.

use forest_core::{OnlineLearner, PredictionRows};
use ndarray::ArrayView2;

use super::{Tree, Trees};

/// The readings of one forest for the rows of a round; it is used again for the next.
#[derive(Debug, Default)]
pub(super) struct Readings {
    /// Of rows that were learned: their widths grow with the classes.
    learned: Option<PredictionRows>,
    /// Of rows of one width.
    cells: Vec<f64>,
    width: usize,
}

const SOUND: &str = "rows were checked";

impl Readings {
    /// Reads the forest at each row.
    pub(super) fn read(&mut self, forest: &Trees, rows: ArrayView2<'_, f32>) {
        self.learned = None;
        self.width = Tree::SIZES.len() * forest.schema().width();
        let read = forest.predict_full_into(rows, &mut self.cells);
        read.expect(SOUND);
    }

    /// Lets the forest learn rows; reads it at each row before if that is asked for, unless rows have weights. A single row allocates nothing.
    pub(super) fn learn(
        &mut self,
        forest: &mut Trees,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
        weights: Option<&[f64]>,
        is_read: bool,
    ) {
        let learned = match weights {
            _ if is_read && (targets.len() == 1 || weights.is_some()) => {
                self.read(forest, rows);
                self.learn(forest, rows, targets, weights, false);
                return;
            }
            Some(weights) => forest.learn_weighted(rows, targets, weights),
            None if is_read => {
                let learned = forest.predict_full_then_learn(rows, targets);
                learned.map(|learned| self.learned = Some(learned))
            }
            None => forest.learn(rows, targets),
        };
        learned.expect(SOUND);
    }

    /// Returns those of a row: a row of classes for each of [`ReadingTree::SIZES`](dynamic_forest::ReadingTree::SIZES).
    pub(super) fn row(&self, row: usize) -> &[f64] {
        match &self.learned {
            Some(rows) => rows.row(row),
            None => &self.cells[row * self.width..(row + 1) * self.width],
        }
    }

    /// Frees the readings of rows that were learned: those of a large batch are large.
    pub(super) fn drop_learned(&mut self) {
        self.learned = None;
    }

    pub(super) fn bytes(&self) -> usize {
        self.cells.capacity() * size_of::<f64>()
    }
}
