//! One point: Algorithms 1 and 2.

use forest_core::{Ground, TreeRng};

use super::{Leaf, Standing, StreamTree};
use crate::FeatureSpace;
use crate::candidates::Candidate;
use crate::labels::Labels;
use crate::nodes::{LeafId, NodeId};
use crate::settings::Stream;

impl<T: Labels, S: FeatureSpace> StreamTree<T, S> {
    /// A point of one of the streams; the third is ignored.
    pub(super) fn take(
        &mut self,
        stream: Stream,
        (point, target): (&[f32], T::Target),
        ground: &Ground<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let cells = T::cells(&ground.outputs);
        self.votes.widen(cells);
        self.doubts.widen(cells);
        match stream {
            Stream::Structure => self.shape((point, target), ground, rng),
            Stream::Estimation => self.estimate((point, target), ground),
            Stream::Ignored => {}
        }
    }

    /// `I_t` = estimation: it votes in its leaf, and is counted on a side of each candidate split.
    fn estimate(&mut self, (point, target): (&[f32], T::Target), ground: &Ground<'_, Self>) {
        let space = &ground.settings.features;
        let (_, leaf) = self.nodes.find(space, point);
        self.clock += 1;
        self.leaves[leaf.index()].voters += 1;
        T::add(self.votes.row_mut(leaf.index()), target, 1);
        match self.leaves[leaf.index()].standing {
            Standing::Active(place) => {
                let active = &mut self.fringe[place as usize];
                active.estimate(space, point, target, &mut self.work.bins);
            }
            Standing::Waiting => self.raise(leaf),
        }
    }

    /// `I_t` = structure: it shapes the candidate splits of its leaf, and may have it split.
    fn shape(
        &mut self,
        (point, target): (&[f32], T::Target),
        ground: &Ground<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let space = &ground.settings.features;
        let (node, leaf) = self.nodes.find(space, point);
        match self.leaves[leaf.index()].standing {
            Standing::Active(place) => {
                let active = &mut self.fringe[place as usize];
                active.shape(space, point, target, &mut self.work.bins);
                let voters = self.leaves[leaf.index()].voters;
                let chosen = active.choose(voters, ground.settings.tau, &mut self.work);
                if let Some(candidate) = chosen {
                    self.split(node, leaf, candidate);
                    self.refill(place, ground, rng);
                }
            }
            Standing::Waiting => {
                T::add(self.doubts.row_mut(leaf.index()), target, 1);
                self.raise(leaf);
            }
        }
    }

    /// Algorithm 2: the leaf becomes a split; its children start with the estimation points that
    /// their candidates have counted, and wait.
    fn split(&mut self, node: NodeId, leaf: LeafId, candidate: Candidate) {
        let parent = self.leaves[leaf.index()];
        let Standing::Active(place) = parent.standing else {
            return;
        };
        let active = &self.fringe[place as usize];
        let [structure, estimation] = active.dimensions(candidate);
        let threshold = active.candidates.threshold(candidate);
        let feature = active.candidates.feature(candidate.dimension);
        let right_leaf = self.nodes.split(node, leaf, feature, threshold);
        for (rows, stream) in [
            (&mut self.votes, &estimation),
            (&mut self.doubts, &structure),
        ] {
            rows.push();
            let (left, right) = rows.renew_with_last(leaf.index());
            stream.sides(candidate.rank, left, right);
        }
        active
            .estimation
            .weigh_births(&active.candidates, &mut self.work.born);
        estimation.sizes(&mut self.work);
        let sizes = self.work.sizes[candidate.rank];
        let child = |voters| parent.child(voters, sizes.both, self.clock);
        let (left, right) = (child(sizes.left), child(sizes.right()));
        self.leaves[leaf.index()] = left;
        self.leaves.push(right);
        for leaf in [leaf, right_leaf] {
            self.queue.push(leaf, self.promise(leaf));
        }
    }
}

impl Leaf {
    /// A child with `voters` of the `counted` estimation points that the split of this leaf has
    /// seen by the time `clock`.
    ///
    /// The split has seen some of the leaf's points only, and p̂ of the children shall add up to
    /// that of their parent. So they are born in the past, as long ago as it took a leaf with their
    /// parent's p̂ to be reached by as many points.
    fn child(&self, voters: u64, counted: u64, clock: u64) -> Self {
        let lifetime = clock as f64 - self.born;
        let share = counted as f64 / self.voters as f64;
        Self {
            depth: self.depth + 1,
            standing: Standing::Waiting,
            voters,
            born: clock as f64 - share * lifetime,
        }
    }
}
