//! The laws of the tree as statistical tests, for any cut measure: what its crate's tests call.
//!
//! | law | in words |
//! |---|---|
//! | `online_is_batch` | inserted one by one in any order and refined, at the end or after every sample = drawn at once |
//! | `learning_exposes_to_the_budget` | a sample's leaf has been watched up to the budget of that moment, no less and no further |
//! | `pairs_separate_in_time` | two points are together at t with probability exp(−t·Λ({a, b})) |
//! | `subsets_are_first_cut_in_time` | a set of points is first cut at a time that is exponential with rate Λ(set) |
//! | `removal_keeps_the_law` | inserted, removed and inserted again = drawn at once from what is left |
//! | [`branching_off_has_its_law`] | where label models say that a point would leave its path, and when = where insertions put it |
//! | `subsets_are_consistent` | a tree of all points, looked at on some, has the distribution of a tree of those |
//! | `units_do_not_matter` | points in another unit, and budgets in its reciprocal = the same tree |
//! | `widening_keeps_the_law` | a feature that is added while the tree learns = one that has been 0 until then |
//! | `cuts_are_their_inequalities` | a point lies left of a cut just if the cut's inequality holds |
//!
//! [`suite`] runs them on point sets of all kinds. Each compares thousands of single trees, drawn with fixed seeds, at
//! a stated level. [`Update::Redraw`] and wrong rates show that the tests can fail.
//!
//! [`Update::Redraw`]: tessellation_tree::Update::Redraw

mod branching;
mod online;
mod pairs;
pub mod suite;
mod window;

use std::marker::PhantomData;

use forest_core::{
    ForestContext, OnlineTree as _, Regression, SampleId, SampleStore, Schema, TreeRng,
};
use ndarray::Array2;
use tessellation_tree::{CutDistribution, LeafMeans, TessellationSettings, TessellationTree};

pub use branching::branching_off_has_its_law;
pub use window::cells;

/// What a law is checked on: points in order of arrival, settings, and how many trees to draw.
#[derive(Clone, Debug)]
pub struct Experiment<'a, D: CutDistribution> {
    /// Coordinates of the points, in order of arrival.
    pub points: &'a [Vec<f32>],
    /// Settings of the trees.
    pub settings: TessellationSettings,
    /// Trees per sample; a few tens of thousands detect a difference of a percent.
    pub trees: usize,
    /// Seed of all draws.
    pub seed: u64,
    /// The distribution of cuts.
    pub cuts: PhantomData<D>,
}

/// The tree that laws look at. Its labels play a part only where [`Pause`](tessellation_tree::Pause) reads them.
type Tree<D> = TessellationTree<D, LeafMeans>;

impl<D: CutDistribution> Experiment<'_, D> {
    fn features(&self) -> usize {
        self.points[0].len()
    }

    fn budget(&self) -> f64 {
        self.settings.budget.at(self.points.len())
    }

    fn context<'s>(&'s self, store: &'s SampleStore<Regression>) -> ForestContext<'s, Regression> {
        ForestContext {
            settings: &self.settings,
            samples: store,
            outputs: (),
        }
    }

    /// Returns the points as stored samples, with targets that alternate so that labels never agree long.
    fn store(&self) -> SampleStore<Regression> {
        let shape = (self.points.len(), self.features());
        let features = Array2::from_shape_fn(shape, |(row, feature)| self.points[row][feature]);
        let targets: Vec<f64> = (0..self.points.len()).map(target).collect();
        let schema = Schema::new(self.features()).expect("points have a dimension");
        SampleStore::with_samples(features.view(), &targets, &schema).expect("points are finite")
    }

    /// Returns tree number `index`, which got the points one by one; `each` sees it, and how many it has, after each.
    fn grown(
        &self,
        store: &SampleStore<Regression>,
        index: usize,
        mut each: impl FnMut(&mut Tree<D>, usize, &mut TreeRng),
    ) -> Tree<D> {
        let context = self.context(store);
        let mut rng = TreeRng::new(self.seed, index);
        let mut tree = Tree::<D>::new(self.features(), &self.settings.cuts);
        for id in 0..store.len() {
            tree.learn(SampleId::new(id), &context, &mut rng);
            each(&mut tree, id + 1, &mut rng);
        }
        tree
    }
}

/// Returns the target of point number `index`: three equal ones, then the other value, and so on.
fn target(index: usize) -> f64 {
    f64::from(u8::from(index % 4 == 3))
}

/// Probability with which a correct tree fails one comparison by chance. A suite makes several
/// hundred comparisons, so that it fails by chance with a probability below 1 %.
const LEVEL: f64 = 1e-5;

/// Panics if `p`, the probability of what was seen if the law holds, is below the level.
fn judge(what: &str, p: f64) {
    assert!(p >= LEVEL, "{what}: p = {p:.2e}, below {LEVEL:.0e}");
}
