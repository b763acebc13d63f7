//! The stream-partitioned tree.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use forest_core::{
    Arena, Footprint, ForestContext, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidate;
use crate::nodes::{LabelRows, Nodes};
use crate::search::SplitSearch;
use crate::settings::{StreamSettings, is_full};
use crate::statistics::{Labels, Scratch, Statistics};

/// A tree whose partition is shaped by structure points and whose leaves predict with estimation points (Algorithm 1).
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct StreamTree<T: Labels> {
    pub(crate) nodes: Nodes,
    pub(crate) leaves: Arena<Leaf>,
    /// Yᵉ of each leaf: the labels of its estimation points.
    estimation_labels: LabelRows<T::Cell>,
    structure_labels: LabelRows<T::Cell>,
    fringe: Arena<ActiveLeaf<T>>,
    /// The leaves that wait, by an upper bound of ŝ. An entry is *stale* unless its leaf waits with this bound.
    queue: BinaryHeap<(Bound, Reverse<u32>)>,
    /// Estimation points that the tree has received.
    estimation_points: u64,
    #[serde(skip)]
    scratch: Scratch,
}

/// The record of a leaf, without its labels.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Leaf {
    pub(crate) depth: u32,
    pub(crate) state: LeafState,
    /// Nᵉ: estimation points counted in its lifetime.
    pub(crate) estimation_points: u64,
    /// How many estimation points the tree had when the leaf began to count.
    created: f64,
    /// How often it was active and given up, since no candidate split became valid.
    failed: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LeafState {
    /// At a place of the fringe.
    Active(u32),
    /// In the queue, with an upper bound of ŝ.
    Waiting(Bound),
}

/// The bits of a number that is not negative: they are ordered as the number.
type Bound = u64;

/// A place in the fringe: the statistics by which a leaf is split.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct ActiveLeaf<T: Labels> {
    /// The candidate splits and the structure points.
    search: SplitSearch<T>,
    estimation: Statistics<T>,
    /// α(d) in whole points.
    alpha: u64,
    /// β(d) in whole points.
    beta: u64,
    /// No split becomes valid, and the leaf is not given up, before this many points: halves the time of letter.
    check_at: u64,
}

/// What is to be done with an active leaf.
enum Decision {
    /// It needs more points.
    Wait,
    Split(Candidate),
    /// Not one of its candidate splits has become valid in time.
    GiveUp,
}

impl<T: Labels> ActiveLeaf<T> {
    /// Creates the statistics of a leaf that becomes active: min(1 + Poisson(λ), D) dimensions, no candidates yet.
    fn new(depth: u32, settings: &StreamSettings, width: usize, rng: &mut TreeRng) -> Self {
        let count = 1 + rng.poisson(settings.lambda);
        let features = settings.features.draw(count, width, rng);
        let search = SplitSearch::new(features, settings.m);
        Self {
            estimation: Statistics::new(&search.candidates),
            search,
            // Values beyond the range of whole numbers become its end, which no stream reaches.
            alpha: settings.alpha.at(depth).ceil() as u64,
            beta: settings.beta.at(depth).ceil() as u64,
            check_at: 0,
        }
    }

    /// Returns the best valid split (Algorithm 7), if the leaf, which has `estimation_points`, should or must be split
    /// by it: if its gain exceeds `tau` (Algorithm 6), or there are β(d) estimation points (Algorithm 5). The leaf is
    /// given up if no split is valid when all have counted β(d) and 4·α(d) estimation points, so that a split with a
    /// quarter of the points on a side is likely to be valid by then.
    ///
    /// Most calls return at once: no split can have become valid, or none can have gained enough.
    fn decide(&mut self, estimation_points: u64, tau: f64, scratch: &mut Scratch) -> Decision {
        let must_split = estimation_points >= self.beta;
        // Algorithm 5: at β(d) points any gain will do.
        let needed = if must_split { f64::NEG_INFINITY } else { tau };
        let counted = self.estimation.total;
        if counted < self.check_at || !self.search.may_gain(needed) {
            return Decision::Wait;
        }
        let candidates = &self.search.candidates;
        let missing = self.estimation.mark_valid(candidates, self.alpha, scratch);
        if missing == 0 {
            let best = self.search.best(needed, scratch);
            return best.map_or(Decision::Wait, Decision::Split);
        }
        let enough = self.beta.max(self.alpha.saturating_mul(4));
        let until_given_up = enough.saturating_sub(self.estimation.binned);
        // Whichever comes first: until then marking splits again would find the same.
        self.check_at = counted.saturating_add(missing.min(until_given_up));
        match until_given_up {
            0 => Decision::GiveUp,
            _ => Decision::Wait,
        }
    }
}

impl<T: Labels> StreamTree<T> {
    /// Algorithm 2: the leaf becomes a split; its children start with the points counted for them, and wait.
    fn split(&mut self, node: usize, leaf: usize, place: usize, at: Candidate) {
        let active = &self.fringe[place];
        let candidates = &active.search.candidates;
        let (feature, threshold) = candidates.split(at);
        let right_leaf = self.nodes.split(node, feature, threshold);
        let structure = &active.search.statistics;
        structure.add_sides(candidates, at, self.structure_labels.split(leaf));
        let rows = self.estimation_labels.split(leaf);
        let [left, right] = active.estimation.add_sides(candidates, at, rows);
        // A candidate split has counted only some of the leaf's points, and p̂ of the children must add up to p̂ of the
        // parent: so their creation is set back to where the parent would have received as many points.
        let parent = self.leaves[leaf];
        let now = self.estimation_points as f64;
        let share = (left + right) as f64 / parent.estimation_points as f64;
        let child = |estimation_points| Leaf {
            depth: parent.depth.saturating_add(1),
            estimation_points,
            created: now - share * (now - parent.created),
            failed: 0,
            // A placeholder: a child waits next, which sets its state.
            state: parent.state,
        };
        self.leaves[leaf] = child(left);
        self.leaves.push(child(right));
        for child in [leaf, right_leaf] {
            self.enter(child, self.improvement_bound(child));
        }
    }
}

/// Which leaves are active, and which wait: section 3.6.
///
/// The queue is ordered by an *upper bound* of ŝ = p̂·ê, of equal leaves the one with the smaller number first. While
/// no point reaches a leaf, ê does not change and p̂ falls: so what ŝ was when last computed bounds it. When a point
/// raises the bound of a leaf, the leaf gets another entry, and the old one is stale. When a place is free, the first
/// leaf has its ŝ computed again and sinks if others have a larger bound, until the first one is up to date.
impl<T: Labels> StreamTree<T> {
    /// ŝ = p̂·ê of a leaf, the most that splitting it can improve: the share of the stream's estimation points that
    /// reach it, times the error of its structure labels, divided by how often it has been tried, this time included,
    /// since after many failures the next attempt is likely to fail, too (Laplace's rule of succession).
    fn improvement_bound(&self, leaf: usize) -> Bound {
        let known = &self.leaves[leaf];
        if known.estimation_points == 0 {
            return 0;
        }
        let lifetime = self.estimation_points as f64 - known.created;
        let share = known.estimation_points as f64 / lifetime;
        let error = T::error(self.structure_labels.row(leaf));
        let bound = share * error / (1.0 + f64::from(known.failed));
        // Rounding may leave the squares of equal numbers below 0.
        bound.max(0.0).to_bits()
    }

    fn enter(&mut self, leaf: usize, bound: Bound) {
        self.leaves[leaf].state = LeafState::Waiting(bound);
        self.queue.push((bound, Reverse(leaf as u32)));
        // Few entries are stale, and dropping them costs O(1) amortised.
        if self.queue.len() > 8 + 5 * self.leaves.len() / 4 {
            self.queue.retain(|&(bound, Reverse(leaf))| {
                self.leaves[leaf as usize].state == LeafState::Waiting(bound)
            });
        }
    }

    /// Gives a free place, and those not taken yet, to the leaves with the largest ŝ; in a full tree all leaves wait.
    fn fill_fringe(&mut self, mut place: usize, context: &ForestContext<'_, T>, rng: &mut TreeRng) {
        let settings: &StreamSettings = context.settings();
        if is_full(settings.max_nodes, self.nodes.nodes.len()) {
            if !self.fringe.is_empty() {
                for leaf in self.leaves.iter_mut() {
                    leaf.state = LeafState::Waiting(0);
                }
                self.queue = BinaryHeap::new();
                self.fringe = Arena::default();
            }
            return;
        }
        while place < self.fringe.len() || settings.fringe.is_none_or(|most| place < most as usize)
        {
            let Some(next) = self.next_waiting() else {
                return;
            };
            let leaf = &mut self.leaves[next];
            leaf.state = LeafState::Active(place as u32);
            let active = ActiveLeaf::new(leaf.depth, settings, context.samples.width(), rng);
            match self.fringe.get_mut(place) {
                Some(left) => *left = active,
                None => self.fringe.push(active),
            }
            place = self.fringe.len();
        }
    }

    /// Takes the leaf with the largest ŝ from the queue.
    fn next_waiting(&mut self) -> Option<usize> {
        loop {
            let (bound, leaf) = self.queue.pop()?;
            let index = leaf.0 as usize;
            if self.leaves[index].state != LeafState::Waiting(bound) {
                continue;
            }
            let now = self.improvement_bound(index);
            // ŝ only falls while a leaf waits; `>=` tolerates rounding.
            if now >= bound || self.queue.peek().is_none_or(|next| *next < (now, leaf)) {
                return Some(index);
            }
            self.leaves[index].state = LeafState::Waiting(now);
            self.queue.push((now, leaf));
        }
    }
}

impl<T: Labels> OnlineTree for StreamTree<T> {
    type Task = T;
    type Settings = StreamSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = T>> {
        Box::new(self.clone())
    }

    fn holds_samples(&self) -> bool {
        false
    }

    /// Creates one leaf, which waits: its candidate dimensions are drawn at the first sample.
    fn build(_: usize, schema: &Schema<T>, _: &StreamSettings) -> Self {
        let width = T::width(&schema.outputs());
        let root = Leaf {
            depth: 0,
            state: LeafState::Waiting(0),
            estimation_points: 0,
            created: 0.0,
            failed: 0,
        };
        Self {
            nodes: Nodes::root(),
            leaves: vec![root].into(),
            estimation_labels: LabelRows::one(width),
            structure_labels: LabelRows::one(width),
            fringe: Arena::default(),
            queue: [(0, Reverse(0))].into(),
            estimation_points: 0,
            scratch: Scratch::default(),
        }
    }

    /// Algorithm 1.
    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, T>, rng: &mut TreeRng) {
        let point = context.samples.features(id);
        let target = context.samples.target(id);
        // `I_t`, drawn first: the streams must be independent of the tree.
        let settings: &StreamSettings = context.settings();
        let shapes = rng.uniform() < settings.structure;
        if self.fringe.is_empty() {
            self.fill_fringe(0, context, rng);
        }
        // Both, although one of them gets the label: a split adds cells of either stream, as wide as the prediction.
        let width = T::width(&context.outputs);
        self.estimation_labels.widen(width, self.leaves.len());
        self.structure_labels.widen(width, self.leaves.len());
        let (node, leaf) = self.nodes.find(point);
        if shapes {
            T::add(self.structure_labels.row_mut(leaf), target, 1);
        } else {
            T::add(self.estimation_labels.row_mut(leaf), target, 1);
            self.estimation_points += 1;
            self.leaves[leaf].estimation_points += 1;
        }
        let known = self.leaves[leaf];
        let place = match known.state {
            LeafState::Active(place) => place as usize,
            LeafState::Waiting(bound) => {
                // A full tree has no queue.
                if !is_full(settings.max_nodes, self.nodes.nodes.len()) {
                    let now = self.improvement_bound(leaf);
                    if now > bound {
                        self.enter(leaf, now);
                    }
                }
                return;
            }
        };
        let active = &mut self.fringe[place];
        let scratch = &mut self.scratch;
        if !shapes {
            // It is counted on a side of each candidate split.
            let candidates = &active.search.candidates;
            candidates.features.read(point, &mut scratch.values);
            let estimation = &mut active.estimation;
            return estimation.add(candidates, &scratch.values, target, 1);
        }
        // It shapes the candidate splits of its leaf, and may have it split.
        let were_complete = active.search.candidates.are_complete();
        active.search.add(point, target, 1, scratch);
        if !were_complete {
            active.estimation.insert_bins(&scratch.ranks);
        }
        match active.decide(known.estimation_points, settings.tau, scratch) {
            Decision::Wait => return,
            Decision::Split(candidate) => self.split(node, leaf, place, candidate),
            // It waits again; its place is left to the leaf with the largest ŝ, which may be the same. Then its
            // dimensions are drawn again. A leaf that failed 255 times has hardly any priority left: a byte is enough.
            Decision::GiveUp => {
                let failed = &mut self.leaves[leaf].failed;
                *failed = failed.saturating_add(1);
                self.enter(leaf, self.improvement_bound(leaf));
            }
        }
        self.fill_fringe(place, context, rng);
    }

    fn vote(&self, x: &[f32], context: &ForestContext<'_, T>, accumulator: &mut [f64]) {
        let (_, leaf) = self.nodes.find(x);
        let labels = self.estimation_labels.row(leaf);
        let settings: &StreamSettings = context.settings();
        T::vote(labels, settings.vote, accumulator);
    }

    fn accumulator_width(&self, outputs: &T::Outputs) -> usize {
        <T as Labels>::accumulator_width(outputs)
    }

    fn finish(&self, accumulator: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::finish(accumulator, prediction);
    }

    fn footprint(&self) -> Footprint {
        let mut bytes = size_of::<Self>() + self.nodes.bytes() + self.leaves.bytes();
        bytes += self.estimation_labels.bytes() + self.structure_labels.bytes();
        bytes += self.queue.capacity() * size_of::<(Bound, Reverse<u32>)>() + self.fringe.bytes();
        for active in self.fringe.iter() {
            bytes += active.search.bytes() + active.estimation.bytes();
        }
        Footprint {
            nodes: self.nodes.nodes.len(),
            stored_samples: 0,
            bytes,
        }
    }

    /// Checks the shape, of a tree that was decoded: a record for each leaf, places and candidates that there are.
    fn check(&self, context: &ForestContext<'_, T>) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let count = self.nodes.check(width)?;
        let all = self.estimation_points;
        let is_sound = |leaf: &Leaf| {
            let is_placed = match leaf.state {
                LeafState::Active(place) => (place as usize) < self.fringe.len(),
                LeafState::Waiting(_) => true,
            };
            is_placed && leaf.estimation_points <= all
        };
        let sound = self.leaves.len() == count
            && self.leaves.iter().all(is_sound)
            && self.estimation_labels.fits(count)
            && self.structure_labels.fits(count)
            && self.queue.iter().all(|(_, leaf)| (leaf.0 as usize) < count)
            && all < 1 << 53;
        let what = "not one record for each, or an impossible depth, age or place";
        InvariantError::require(sound, "leaves", what)?;
        self.fringe.iter().try_for_each(|active| {
            active.search.check(width, &context.outputs)?;
            let candidates = &active.search.candidates;
            active.estimation.check(candidates, &context.outputs)
        })
    }
}
