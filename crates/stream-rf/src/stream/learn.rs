//! One point: Algorithms 1 and 2.

use forest_core::{ForestContext, TreeRng};

use super::StreamTree;
use super::active::Decision;
use super::leaf::LeafState;
use crate::candidates::Candidate;
use crate::features::FeatureSpace;
use crate::labels::Labels;
use crate::nodes::LeafId;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// `I_t` = estimation: it votes in its leaf, and is counted on a side of each candidate split.
    pub(super) fn learn_estimation(
        &mut self,
        point: &[f32],
        target: T::Target,
        context: &ForestContext<'_, Self>,
    ) {
        let space = &context.settings.features;
        let (_, leaf) = self.nodes.find(space, point);
        self.estimation_points += 1;
        self.leaves[leaf.index()].estimation_points += 1;
        T::add(self.estimation_labels.row_mut(leaf.index()), target, 1);
        match self.leaves[leaf.index()].state {
            LeafState::Active(place) => {
                self.fringe[place as usize].add_estimation(space, point, target);
            }
            LeafState::Waiting(place) => self.raise(leaf, place, context),
        }
    }

    /// `I_t` = structure: it shapes the candidate splits of its leaf, and may have it split.
    pub(super) fn learn_structure(
        &mut self,
        point: &[f32],
        target: T::Target,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let (settings, scratch) = (context.settings, &mut self.scratch);
        let (node, leaf) = self.nodes.find(&settings.features, point);
        T::add(self.structure_labels.row_mut(leaf.index()), target, 1);
        let known = &self.leaves[leaf.index()];
        let place = match known.state {
            LeafState::Active(place) => place,
            LeafState::Waiting(place) => return self.raise(leaf, place, context),
        };
        let active = &mut self.fringe[place as usize];
        active.add_structure(&settings.features, point, target, scratch);
        match active.decide(known.estimation_points, settings.tau, scratch) {
            Decision::Wait => return,
            Decision::Split(candidate) => self.split(node, leaf, place, candidate),
            Decision::GiveUp => self.give_up(leaf),
        }
        self.refill_fringe(place, context, rng);
    }

    /// Algorithm 2: the leaf becomes a split; its children start with the points that their
    /// candidates have counted, and wait.
    fn split(&mut self, node: usize, leaf: LeafId, place: u32, at: Candidate) {
        let active = &self.fringe[place as usize];
        let candidates = &active.search.candidates;
        let (feature, threshold) = candidates.split(at);
        let right_leaf = self.nodes.split(node, leaf, feature, threshold);
        let structure = &active.search.statistics;
        structure.add_sides(candidates, at, self.structure_labels.split(leaf.index()));
        let rows = self.estimation_labels.split(leaf.index());
        let [left, right] = active.estimation.add_sides(candidates, at, rows);
        let parent = self.leaves[leaf.index()];
        let child = |points| parent.child(points, left + right, self.estimation_points);
        self.leaves[leaf.index()] = child(left);
        self.leaves.push(child(right));
        self.wait(leaf);
        self.wait(right_leaf);
    }
}
