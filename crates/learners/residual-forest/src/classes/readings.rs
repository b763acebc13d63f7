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
        self.width = Tree::SIZES.len() * OnlineLearner::schema(forest).width();
        let read = forest.predict_full_into(rows, &mut self.cells);
        read.expect(SOUND);
    }

    /// Reads the forest at each row, then lets it learn the row. A single row allocates nothing.
    pub(super) fn read_then_learn(
        &mut self,
        forest: &mut Trees,
        rows: ArrayView2<'_, f32>,
        targets: &[u32],
    ) {
        if targets.len() == 1 {
            self.read(forest, rows);
            forest.learn(rows, targets).expect(SOUND);
        } else {
            let learned = forest.predict_full_then_learn(rows, targets);
            self.learned = Some(learned.expect(SOUND));
        }
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
