//! The learner as an online learner that can forget.

use std::cell::RefCell;

use dynamic_forest::HonestForest;
use forest_core::{
    Ability, Batch, ExportedTree, FeatureValues, Footprint, InputError, InvariantError,
    OnlineLearner, PredictionRows, Refused, Regression, Retention, Rows, SampleWeight, Schema,
    SettingError,
};
use ndarray::{ArrayView2, s};

use crate::ResidualForest;
use crate::chain::Chain;
use crate::learner::ROWS_A_ROUND;
use crate::table::Table;

/// What a row that is forgotten counts among the changes until the next fit: it is to be forgotten soon.
const FORGOTTEN: u64 = 4;

thread_local! {
    /// Working memory of queries: they allocate nothing once it is large enough.
    static MEMORY: RefCell<Table> = RefCell::default();
}

impl OnlineLearner for ResidualForest {
    type Task = Regression;

    fn schema(&self) -> &Schema<Regression> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        FeatureValues::NumbersAndCategories
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn has_learned(&self) -> bool {
        !self.target_mean.is_empty()
    }

    /// A sample counts once, though every stage stores it.
    fn footprint(&self) -> Footprint {
        let chains: Footprint = self.chains.iter().map(Chain::footprint).sum();
        let ridge = self.ridge.bytes();
        let frame = self.chains.capacity() * size_of::<Chain>();
        let own = self.memory.bytes() + ridge + self.blend.bytes() + self.columns.bytes() + frame;
        let first = self.forests().next();
        Footprint {
            nodes: chains.nodes,
            stored_samples: first.map_or(0, |forest| forest.samples().len()),
            bytes: chains.bytes + own,
        }
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let mut forests = self.forests();
        forests.try_for_each(|forest| forest.check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        self.predict_rows_then_learn(batch.rows().matrix(), batch.targets(), None, |_| {});
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        // If this thread is already predicting for another learner, that one has the table, and this one gets a new one.
        let mut table = MEMORY.with_borrow_mut(std::mem::take);
        for (round, predictions) in predictions.chunks_mut(ROWS_A_ROUND).enumerate() {
            let start = round * ROWS_A_ROUND;
            let part = s![start..start + predictions.len(), ..];
            self.predict_rows(rows.matrix().slice(part), &mut table, predictions);
        }
        MEMORY.set(table);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, Regression>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        let each = |prediction| predictions.push(1)[0] = prediction;
        self.predict_rows_then_learn(batch.rows().matrix(), batch.targets(), None, each);
        predictions
    }

    fn can(&self, ability: Ability) -> bool {
        matches!(
            ability,
            Ability::Explain | Ability::Forget | Ability::Weights
        )
    }

    fn export(&self, tree: usize) -> Result<ExportedTree, Refused> {
        self.exported(tree)
    }

    fn linear_part(&self, x: &[f32]) -> Vec<f64> {
        self.of_ridge(x)
    }

    /// A weight is in the sums of the trees, in the mean, in the linear function, and in the sums that weights are fitted by. Which rows are refreshed, and when, depends on numbers of rows.
    fn learn_weighted(
        &mut self,
        features: ArrayView2<'_, f32>,
        targets: &[f64],
        weights: &[f64],
    ) -> Result<(), InputError> {
        Batch::for_learner(self, features, targets)?;
        SampleWeight::check_rows(targets.len(), weights)?;
        let rows = Rows::for_learner(self, features)?;
        self.predict_rows_then_learn(rows.matrix(), targets, Some(weights), |_| {});
        Ok(())
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        Ok(())
    }

    /// Trees forget a sample at once; the residuals of others follow as they are refreshed, a few for each that is forgotten; the mean, the ridge regression, the weights and the blend when they
    /// are fitted next, when a fortieth of the rows has been forgotten.
    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        let holds = |forest: &HonestForest| forest.samples().find(arrival).is_some();
        let missing = self.forests().find(|forest| !holds(forest));
        if let Some(forest) = missing {
            let (seen, held) = (self.seen, forest.samples().len());
            return Err(Refused::not_held(arrival, seen, held));
        }
        let mut forests = self.chains.iter_mut().flat_map(|chain| &mut chain.forests);
        forests.try_for_each(|forest| forest.forget(arrival))?;
        self.refresh_in_turn(1);
        self.changed(FORGOTTEN);
        Ok(())
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        let mut forests = self.chains.iter_mut().flat_map(|chain| &mut chain.forests);
        forests.try_for_each(|forest| forest.keep_latest(n))?;
        self.forest.retention = Retention::Latest(n);
        Ok(())
    }

    /// Trees continue as [dynamic trees](dynamic_forest::ExtraTree) do. The ridge regression is that of the rows that are held, which have 0 for the new features; what was read of them is read again in
    /// turn.
    fn widen(&mut self, features: usize) -> Result<(), SettingError> {
        let before = self.schema.features();
        let mut forests = self.chains.iter_mut().flat_map(|chain| &mut chain.forests);
        forests.try_for_each(|forest| forest.widen(features))?;
        if features > before {
            self.schema = self.schema.with_features(features)?;
            self.sum_again();
        }
        Ok(())
    }
}
