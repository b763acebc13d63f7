//! Stored rows whose columns and residuals are brought up to date, and when.

use dynamic_forest::HonestTree;
use forest_core::{InvariantError, Regression, SampleStore};
use serde::{Deserialize, Serialize};

use crate::ResidualForest;
use crate::chain::{Few, Stale};
use crate::ridge::Ridge;
use crate::target_mean::TargetMean;
use crate::weights;

/// When stored rows are refreshed and weights fitted: by numbers of rows alone, so that a batch is its rows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Schedule {
    /// The rows that have arrived since the last refresh begin here; the next refresh is at the end.
    block: [u64; 2],
    /// The number of the row that is next in turn.
    turn: u64,
    /// Rows that have come or gone since the last fit.
    changes: u64,
    /// Whether trees have silent rows.
    is_silent: bool,
}

impl Default for Schedule {
    fn default() -> Self {
        Self {
            block: [0, 1],
            turn: 0,
            changes: 0,
            is_silent: false,
        }
    }
}

impl Schedule {
    /// Rows that are refreshed together, at most.
    const MOST: u64 = 256;

    pub(crate) fn check(&self, seen: u64) -> Result<(), InvariantError> {
        let [start, end] = self.block;
        let open = start <= seen && seen < end && end - start <= Self::MOST;
        InvariantError::require(open, "schedule", "its block does not have the next row")
    }

    pub(crate) fn begin_again(&mut self, seen: u64) {
        *self = Self {
            block: [seen, seen + 1],
            turn: seen,
            ..Self::default()
        };
    }
}

/// Rows that are refreshed, in turn, for each that comes or is forgotten.
const IN_TURN: usize = 6;

/// With fewer rows all choose cuts, none is read again, and the first forest predicts alone.
const FEWEST: usize = 8;

/// Weights are fitted when one of so many rows has changed, and of few rows not at each.
const FIT_SHARE: u64 = 10;
const FEW_CHANGES: u64 = 8;

impl ResidualForest {
    /// Returns how many rows are learned before the next refresh.
    pub(crate) fn rows_until_refresh(&self) -> usize {
        self.schedule.block[1].saturating_sub(self.seen) as usize
    }

    pub(crate) fn samples(&self) -> &SampleStore<Regression> {
        self.forests()
            .next()
            .expect("a learner has trees")
            .samples()
    }

    /// Lets the mean and the ridge regression learn the rows of the block, and refreshes stored rows.
    pub(crate) fn refresh(&mut self) {
        let [start, end] = self.schedule.block;
        self.learn_shared(start, end);
        let silent = 1.0 / HonestTree::FOLDS as f64;
        if !self.schedule.is_silent && self.samples().len() >= FEWEST {
            self.schedule.is_silent = true;
            for forest in self.chains.iter_mut().flat_map(|chain| &mut chain.forests) {
                forest.refine_to(silent);
            }
        }
        let block = (self.samples().len() as u64 / 32).clamp(1, Schedule::MOST);
        self.schedule.block = [end, end + block];
        self.refresh_in_turn((end - start) as usize);
        self.changed(end - start);
    }

    /// Refreshes stored rows, in turn, for some that have come or gone.
    pub(crate) fn refresh_in_turn(&mut self, changes: usize) {
        let rows = self.stale_rows(IN_TURN * changes);
        let mut first = 0;
        for chain in &mut self.chains {
            chain.refresh(&rows, (&mut self.columns, first));
            first += chain.stages();
        }
    }

    /// Lets the mean and the ridge regression learn the rows of these arrivals.
    fn learn_shared(&mut self, start: u64, end: u64) {
        let forest = self.chains.iter().flat_map(|chain| &chain.forests).next();
        let samples = forest.expect("a learner has trees").samples();
        for row in self.columns.from(start)..self.columns.from(end) {
            let Some(id) = samples.find(self.columns.arrival(row)) else {
                continue;
            };
            let (target, weight) = (self.columns.target(row), self.columns.weight(row));
            self.target_mean.learn(target, weight);
            self.ridge.learn(samples.features(id), target, weight);
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
    fn stale_rows(&mut self, count: usize) -> Few<Stale> {
        let rows = self.columns.from(self.schedule.block[0]);
        if !self.schedule.is_silent || rows == 0 || self.samples().len() < 2 {
            return Few::new();
        }
        let turn = self.columns.from(self.schedule.turn);
        let count = count.min(rows);
        self.schedule.turn = self.columns.arrival((turn + count) % rows);
        let samples = self.samples();
        let stale = |row| {
            let id = samples.find(self.columns.arrival(row))?;
            let (x, target) = (samples.features(id), self.columns.target(row));
            let weight = self.columns.weight(row);
            Some(Stale {
                row,
                id,
                target,
                mean: self.target_mean.without(target, weight),
                ridge: self.ridge.predict_without(x, target, weight),
            })
        };
        (turn..turn + count)
            .filter_map(|row| stale(row % rows))
            .collect()
    }

    /// Counts rows that have come or gone; fits the weights when that is due.
    pub(crate) fn changed(&mut self, rows: u64) {
        self.schedule.changes += rows;
        let held = self.samples().len() as u64;
        if held == 0 {
            self.begin_again_if_empty();
        } else if self.schedule.changes >= (held / FIT_SHARE).max(FEW_CHANGES.min(held / 2)) {
            self.schedule.changes = 0;
            self.fit();
        }
    }

    /// Drops what is kept of rows that are gone, and fits the weights.
    fn fit(&mut self) {
        let forest = self.chains.iter().flat_map(|chain| &chain.forests).next();
        let samples = forest.expect("a learner has trees").samples();
        if self
            .columns
            .retain(|arrival| samples.find(arrival).is_some())
        {
            self.sum_again();
        }
        let mean = self.target_mean;
        if !self.schedule.is_silent || self.columns.len() < 2 {
            return;
        }
        let sums = self
            .columns
            .sums(|target, weight| mean.without(target, weight));
        if sums.rows == 0.0 {
            return;
        }
        let (mut first, mut partial) = (0, Vec::new());
        for chain in &mut self.chains {
            chain.fit(first, &sums);
            partial.extend(
                chain
                    .weights()
                    .iter()
                    .map(|weights| (first, weights.as_slice())),
            );
            first += chain.stages();
        }
        self.blend.fit(&weights::errors(&sums, &partial));
    }
}
