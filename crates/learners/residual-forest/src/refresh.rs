//! Stored rows whose columns and residuals are brought up to date, and when.

use dynamic_forest::HonestTree;
use serde::{Deserialize, Serialize};

use crate::ResidualForest;
use crate::ridge::{Ridge, TargetMean};
use crate::stages::{FewRows, Stale, samples};
use crate::weights::{Known, Sums};

/// When stored rows are refreshed and weights fitted: by numbers of rows alone, so that a batch is its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// The rows that have arrived since the last refresh begin here; the next refresh is at the end.
    pub(crate) block: [u64; 2],
    /// The number of the row that is next in turn.
    turn: u64,
    /// Rows that have come or gone since the last fit.
    changes: u64,
    /// Whether trees have silent rows.
    is_silent: bool,
}

/// Rows that are refreshed together, at most.
const MOST: u64 = 256;

/// Rows that are refreshed, in turn, for each that comes or is forgotten.
const IN_TURN: usize = 6;

/// With fewer rows all choose cuts, none is read again, and the first forest predicts alone.
const FEWEST: usize = 8;

/// Weights are fitted when one of so many rows has changed, and of few rows not at each.
const FIT_SHARE: u64 = 10;
const FEW_CHANGES: u64 = 8;

impl Schedule {
    /// Begins after this many rows.
    pub(crate) fn new(seen: u64) -> Self {
        Self {
            block: [seen, seen + 1],
            turn: seen,
            changes: 0,
            is_silent: false,
        }
    }

    /// Returns whether the block has the next row.
    pub(crate) fn is_open(&self, seen: u64) -> bool {
        let [start, end] = self.block;
        start <= seen && seen < end && end - start <= MOST
    }
}

impl ResidualForest {
    /// Lets the mean and the ridge regression learn the rows of the block, and refreshes stored rows.
    pub(crate) fn refresh(&mut self) {
        let [start, end] = self.schedule.block;
        self.learn_shared(start, end);
        if !self.schedule.is_silent && samples(&self.stages).len() >= FEWEST {
            self.schedule.is_silent = true;
            let silent = 1.0 / HonestTree::FOLDS as f64;
            self.forests_mut()
                .for_each(|forest| forest.refine_to(silent));
        }
        let block = (samples(&self.stages).len() as u64 / 32).clamp(1, MOST);
        self.schedule.block = [end, end + block];
        self.refresh_in_turn((end - start) as usize);
        self.changed(end - start);
    }

    /// Refreshes stored rows, in turn, for some that have come or gone.
    pub(crate) fn refresh_in_turn(&mut self, changes: usize) {
        let rows = self.stale_rows(IN_TURN * changes);
        self.refresh_rows(&rows);
    }

    /// Returns the first row that arrived as this number or later.
    fn row_from(&self, arrival: u64) -> usize {
        self.rows.partition_point(|row| row.arrival < arrival)
    }

    /// Lets the mean and the ridge regression learn the rows of these arrivals.
    fn learn_shared(&mut self, start: u64, end: u64) {
        for index in self.row_from(start)..self.row_from(end) {
            let Known {
                arrival,
                target,
                weight,
                ..
            } = self.rows[index];
            let samples = samples(&self.stages);
            if let Some(id) = samples.find(arrival) {
                self.target_mean.learn(target, weight);
                self.ridge.learn(samples.features(id), target, weight);
            }
        }
        self.ridge.solve();
    }

    /// Lets the mean and the ridge regression learn the rows that are held, alone.
    pub(crate) fn sum_again(&mut self) {
        self.target_mean = TargetMean::default();
        self.ridge = Ridge::new(self.schema.features());
        self.learn_shared(0, self.schedule.block[0]);
    }

    /// Returns the next rows to refresh: as many as this, if there are so many.
    fn stale_rows(&mut self, count: usize) -> FewRows<Stale> {
        let rows = self.row_from(self.schedule.block[0]);
        let mut stale = FewRows::new();
        if !self.schedule.is_silent || rows == 0 || samples(&self.stages).len() < 2 {
            return stale;
        }
        let (turn, count) = (self.row_from(self.schedule.turn), count.min(rows));
        self.schedule.turn = self.rows[(turn + count) % rows].arrival;
        let samples = samples(&self.stages);
        for row in (turn..turn + count).map(|row| row % rows) {
            let known = self.rows[row];
            let (target, weight) = (known.target, known.weight);
            if let Some(id) = samples.find(known.arrival) {
                let mean = self.target_mean.without(target, weight);
                let ridge = self
                    .ridge
                    .predict_without(samples.features(id), target, weight);
                stale.push(Stale {
                    row,
                    id,
                    target,
                    mean,
                    ridge,
                });
            }
        }
        stale
    }

    /// Counts rows that have come or gone; fits the weights when that is due.
    pub(crate) fn changed(&mut self, rows: u64) {
        self.schedule.changes += rows;
        let held = samples(&self.stages).len() as u64;
        if held == 0 {
            self.begin_again_if_empty();
        } else if self.schedule.changes >= (held / FIT_SHARE).max(FEW_CHANGES.min(held / 2)) {
            self.schedule.changes = 0;
            self.fit();
        }
    }

    /// Drops what is kept of rows that are gone, and fits the weights.
    fn fit(&mut self) {
        let (before, samples) = (self.rows.len(), samples(&self.stages));
        self.rows.retain(|row| samples.find(row.arrival).is_some());
        if self.rows.len() < before {
            self.sum_again();
        }
        if self.schedule.is_silent && self.rows.len() > 1 {
            let sums = Sums::new(&self.rows, &mut self.stages, self.target_mean);
            if sums.rows > 0.0 {
                self.fit_weights(&sums);
            }
        }
    }
}
