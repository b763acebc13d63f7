//! One point: Algorithms 1 and 2.

use forest_core::{ForestContext, TreeRng};

use super::{Leaf, LeafState, StreamTree};
use crate::FeatureSpace;
use crate::active::Decision;
use crate::candidates::Candidate;
use crate::chance;
use crate::labels::Labels;
use crate::nodes::{LeafId, NodeId};
use crate::settings::{Stream, StreamChoice, Streams};

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// I_t. Nothing about the tree or the label has a part in it.
    pub(super) fn stream_of(
        &mut self,
        features: &[f32],
        streams: Streams,
        rng: &mut TreeRng,
    ) -> Stream {
        streams.at(match streams.choice {
            StreamChoice::PerArrival => rng.uniform(),
            StreamChoice::PerRow => {
                let key = *self.row_key.get_or_insert_with(|| rng.bits());
                chance::uniform_of(features, key, &mut self.work.row)
            }
        })
    }

    /// A point of one of the streams; the third is ignored.
    pub(super) fn take(
        &mut self,
        stream: Stream,
        (point, target): (&[f32], T::Target),
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let cells = T::cells(&context.outputs);
        self.estimation_labels.widen(cells);
        self.structure_labels.widen(cells);
        match stream {
            Stream::Structure => self.shape((point, target), context, rng),
            Stream::Estimation => self.estimate((point, target), context),
            Stream::Ignored => {}
        }
    }

    /// `I_t` = estimation: it votes in its leaf, and is counted on a side of each candidate split.
    fn estimate(
        &mut self,
        (point, target): (&[f32], T::Target),
        context: &ForestContext<'_, Self>,
    ) {
        let space = &context.settings.features;
        let (_, leaf) = self.nodes.find(space, point);
        self.clock += 1;
        self.leaves[leaf.index()].estimation_points += 1;
        T::add(self.estimation_labels.row_mut(leaf.index()), target, 1);
        match self.leaves[leaf.index()].state {
            LeafState::Active(place) => {
                let active = &mut self.fringe[place as usize];
                active.estimate(space, point, target, &mut self.work.bins);
            }
            LeafState::Waiting => self.raise(leaf),
        }
    }

    /// `I_t` = structure: it shapes the candidate splits of its leaf, and may have it split.
    fn shape(
        &mut self,
        (point, target): (&[f32], T::Target),
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let space = &context.settings.features;
        let (node, leaf) = self.nodes.find(space, point);
        T::add(self.structure_labels.row_mut(leaf.index()), target, 1);
        let LeafState::Active(place) = self.leaves[leaf.index()].state else {
            return self.raise(leaf);
        };
        let active = &mut self.fringe[place as usize];
        active.shape(space, point, target, &mut self.work);
        let estimation_points = self.leaves[leaf.index()].estimation_points;
        match active.decide(estimation_points, context.settings.tau, &mut self.work) {
            Decision::Wait => return,
            Decision::Split(candidate) => self.split(node, leaf, candidate),
            Decision::GiveUp => self.give_up(leaf),
        }
        self.refill(place, context, rng);
    }

    /// Algorithm 2: the leaf becomes a split; its children start with the estimation points that
    /// their candidates have counted, and wait.
    fn split(&mut self, node: NodeId, leaf: LeafId, candidate: Candidate) {
        let parent = self.leaves[leaf.index()];
        let LeafState::Active(place) = parent.state else {
            return;
        };
        let active = &self.fringe[place as usize];
        let [structure, estimation] = active.dimensions(candidate);
        let threshold = active.candidates.threshold(candidate);
        let feature = active.candidates.feature(candidate.dimension);
        let right_leaf = self.nodes.split(node, leaf, feature, threshold);
        for (rows, stream) in [
            (&mut self.estimation_labels, &estimation),
            (&mut self.structure_labels, &structure),
        ] {
            rows.push();
            let (left, right) = rows.renew_with_last(leaf.index());
            stream.sides(candidate.rank, left, right);
        }
        active
            .estimation
            .count_by_source(&active.candidates, &mut self.work.counted);
        estimation.sizes(&mut self.work);
        let sizes = self.work.sizes[candidate.rank];
        let child = |estimation_points| parent.child(estimation_points, sizes.both, self.clock);
        let (left, right) = (child(sizes.left), child(sizes.right()));
        self.leaves[leaf.index()] = left;
        self.leaves.push(right);
        for leaf in [leaf, right_leaf] {
            self.queue.push(leaf, self.improvement_bound(leaf));
        }
    }
}

impl Leaf {
    /// A child with `estimation_points` of the `counted` estimation points that its candidate split
    /// had counted by the time `clock`.
    ///
    /// The candidate split has counted only some of the leaf's points, and p̂ of the children must add
    /// up to p̂ of the parent. So the time of their creation is set back to where a leaf with the
    /// parent's p̂ would have received as many points.
    fn child(&self, estimation_points: u64, counted: u64, clock: u64) -> Self {
        let lifetime = clock as f64 - self.created;
        let share = counted as f64 / self.estimation_points as f64;
        Self {
            depth: self.depth + 1,
            state: LeafState::Waiting,
            estimation_points,
            created: clock as f64 - share * lifetime,
            failed: 0,
        }
    }
}
