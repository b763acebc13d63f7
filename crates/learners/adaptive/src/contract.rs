//! The mixture as an online learner.

use forest_core::registry::{Capabilities, Mixture, MixtureMember, MixtureRule};
use forest_core::{
    Batch, Footprint, InputError, InvariantError, OnlineLearner, PredictionRows, Rows, Schema,
    threads,
};

use crate::copy::{COPIES, MemberCopy};
use crate::scratch::{add, zeros};
use crate::{Adaptive, AdaptiveTask, WeightRule};

impl<T: AdaptiveTask> OnlineLearner for Adaptive<T> {
    type Task = T;

    fn schema(&self) -> &Schema<T> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let copies: Footprint = self.copies.iter().map(MemberCopy::footprint).sum();
        let own = Footprint {
            nodes: 0,
            stored_samples: self.store.len(),
            bytes: self.store.bytes()
                + self.weights.bytes()
                + self.copies.capacity() * size_of::<MemberCopy<T>>()
                + self.scratch.bytes(),
        };
        copies + own
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        let mut copies = self.copies.iter();
        copies.try_for_each(|copy| copy.learner().check_room(rows))
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.check()
    }

    fn learn_batch(&mut self, batch: &Batch<'_, T>) {
        self.run(batch.rows().values(), batch.targets(), |_| ());
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let rows = rows.matrix();
        threads::with_buffer(|of_copy| {
            threads::with_buffer(|of_member| {
                let members = self.copies.chunks_exact(COPIES);
                for (copies, &share) in members.zip(self.weights.shares()) {
                    zeros(of_member, predictions.len());
                    for copy in copies {
                        copy.predict(rows, of_copy);
                        add(of_copy, 1.0 / COPIES as f64, of_member);
                    }
                    add(of_member, share, predictions);
                }
                let width = self.schema.width().max(1);
                predictions.chunks_exact_mut(width).for_each(T::complete);
            });
        });
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, T>) -> PredictionRows {
        let mut predictions = PredictionRows::default();
        self.run(batch.rows().values(), batch.targets(), |prediction| {
            predictions
                .push(prediction.len())
                .copy_from_slice(prediction);
        });
        predictions
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            mixture: Some(self),
            ..Capabilities::default()
        }
    }
}

impl<T: AdaptiveTask> Mixture for Adaptive<T> {
    fn members(&self) -> Vec<MixtureMember> {
        let members = self.copies.chunks_exact(COPIES).zip(self.weights());
        let member = |(copies, &weight): (&[MemberCopy<T>], &f64)| MixtureMember {
            name: copies[0].member().to_string(),
            weight,
            changed: copies[0].found_change(),
        };
        members.map(member).collect()
    }

    fn rules(&self) -> Vec<MixtureRule> {
        let weights = self.weights.rule_weights();
        let rules = self.settings.weight_rules().zip(weights);
        let rule = |(WeightRule { eta, discount, .. }, &weight)| MixtureRule {
            name: format!("eta={eta},discount={discount}"),
            weight,
        };
        rules.map(rule).collect()
    }
}
