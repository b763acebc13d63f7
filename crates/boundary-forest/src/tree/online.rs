//! The boundary tree as a tree of a forest: what the contract asks of it.

use std::marker::PhantomData;

use forest_core::{
    Footprint, Ground, InvariantError, Kept, OnlineTree, Renumbering, SampleId, Schema, TreeRng,
};

use super::BoundaryTree;
use crate::arena::Arena;
use crate::initial::InitialPoints;
use crate::{Metric, Problem, shepard};

impl<P: Problem, M: Metric> OnlineTree for BoundaryTree<P, M> {
    type Task = P;
    type Settings = P::Settings;
    type Scratch = ();

    fn plant(index: usize, trees: usize, _: &Schema<P>, _: &P::Settings) -> Self {
        Self {
            initial: InitialPoints::of_tree(index, trees),
            arena: Arena::default(),
            kind: PhantomData,
        }
    }

    fn learn(&mut self, id: SampleId, ground: &Ground<'_, Self>, rng: &mut TreeRng) {
        if self.initial.are_complete() {
            return self.train(id, ground, rng);
        }
        self.initial.admit_one();
        if self.initial.are_complete() {
            self.initialise(ground, rng);
        }
    }

    fn vote(
        &self,
        features: &[f32],
        ground: &Ground<'_, Self>,
        rng: &TreeRng,
        (): &mut (),
        ballot: &mut [f64],
    ) {
        ballot.fill(0.0);
        if let Some(answer) = self.query(features, ground, rng) {
            let label = ground.samples.target(answer.sample);
            shepard::cast::<P>(ballot, label, answer.distance);
        }
    }

    fn ballot_width(outputs: &P::Outputs) -> usize {
        shepard::ballot_width::<P>(outputs)
    }

    fn tally(ballot: &[f64], _: usize, prediction: &mut [f64]) {
        shepard::tally::<P>(ballot, prediction);
    }

    fn keep(&self, kept: &mut Kept) {
        if !self.initial.are_complete() {
            return kept.keep_all();
        }
        let first = kept.first();
        let newest = self.arena.samples().rev();
        let learned = newest.take_while(|id| *id >= first);
        self.initial
            .since(first)
            .chain(learned)
            .for_each(|id| kept.keep(id));
    }

    /// Only samples after the initial points, which are all kept, may get a new name; the nodes
    /// that hold them were added in their order.
    fn renumber(&mut self, names: &Renumbering) {
        self.arena
            .rename_newest(names.first(), |id| names.apply(id));
    }

    fn footprint(&self) -> Footprint {
        Footprint {
            nodes: self.len(),
            stored_samples: 0,
            bytes: size_of::<Self>() + self.arena.bytes(),
        }
    }

    fn check(&self, ground: &Ground<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(ground)
    }
}
