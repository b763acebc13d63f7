//! The online forest of Saffari et al. (2009), which the paper compares with.

use forest_core::{
    Arena, Footprint, ForestContext, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::nodes::{LabelRows, Nodes};
use crate::search::SplitSearch;
use crate::settings::{SaffariSettings, is_full};
use crate::statistics::{Labels, Scratch};

/// A tree of Saffari, Leistner, Santner, Godec and Bischof, *On-line Random Forests*, ICCV workshops 2009, as Denil et
/// al. implement it for their comparison. The same points choose a split and vote.
///
/// A point is learned with weight Poisson(1) (Oza and Russell's online bagging), or not at all if that is 0. It is
/// counted in its leaf and on a side of each of the leaf's random tests. A leaf with enough points is split by the test
/// with the largest gain, if that is enough; its children take over what the test has counted.
///
/// Not taken over: the replacement of old trees by their out-of-bag error; the depth normalisation of the released
/// code. Tests are thresholds on single features, taken from the leaf's first points, as in Denil et al.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SaffariTree<T: Labels> {
    nodes: Nodes,
    leaves: Arena<Leaf<T>>,
    labels: LabelRows<T::Cell>,
    #[serde(skip)]
    scratch: Scratch,
}

/// A leaf and its random tests, which it lacks before its first point, at the depth limit and in a full tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Leaf<T: Labels> {
    depth: u32,
    tests: Option<SplitSearch<T>>,
}

impl<T: Labels> Leaf<T> {
    fn at(depth: u32) -> Self {
        Self { depth, tests: None }
    }
}

impl<T: Labels> OnlineTree for SaffariTree<T> {
    type Task = T;
    type Settings = SaffariSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = T>> {
        Box::new(self.clone())
    }

    fn holds_samples(&self) -> bool {
        false
    }

    fn build(_: usize, schema: &Schema<T>, _: &SaffariSettings) -> Self {
        Self {
            nodes: Nodes::root(),
            leaves: vec![Leaf::at(0)].into(),
            labels: LabelRows::one(T::width(&schema.outputs())),
            scratch: Scratch::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, T>, rng: &mut TreeRng) {
        let weight = rng.poisson(1.0) as u32;
        if weight == 0 {
            return;
        }
        let point = context.samples.features(id);
        let target = context.samples.target(id);
        let settings: &SaffariSettings = context.settings();
        let is_full = |nodes: &Nodes| is_full(settings.max_nodes, nodes.nodes.len());
        let (node, leaf) = self.nodes.find(point);
        let width = T::width(&context.outputs);
        self.labels.widen(width, self.leaves.len());
        T::add(self.labels.row_mut(leaf), target, weight);
        let known = &mut self.leaves[leaf];
        if known.depth >= settings.max_depth || is_full(&self.nodes) {
            return;
        }
        let tests = known.tests.get_or_insert_with(|| {
            let width = context.samples.width();
            let features = settings.features.draw(settings.tests as usize, width, rng);
            SplitSearch::new(features, settings.m)
        });
        let scratch = &mut self.scratch;
        tests.add(point, target, weight, scratch);
        let enough = tests.statistics.total >= settings.min_samples.into();
        if !enough || !tests.may_gain(settings.min_gain) {
            return;
        }
        // A gain above 0 has points on both sides.
        tests.statistics.mark_valid(&tests.candidates, 1, scratch);
        let Some(best) = tests.best(settings.min_gain, scratch) else {
            return;
        };
        let (feature, threshold) = tests.candidates.split(best);
        self.nodes.split(node, feature, threshold);
        let rows = self.labels.split(leaf);
        tests.statistics.add_sides(&tests.candidates, best, rows);
        // The left child keeps the number of the leaf.
        let depth = known.depth.saturating_add(1);
        *known = Leaf::at(depth);
        self.leaves.push(Leaf::at(depth));
        if is_full(&self.nodes) {
            // No leaf will be split any more: the statistics would only take memory.
            self.leaves.iter_mut().for_each(|leaf| leaf.tests = None);
        }
    }

    fn vote(&self, x: &[f32], context: &ForestContext<'_, T>, accumulator: &mut [f64]) {
        let (_, leaf) = self.nodes.find(x);
        let settings: &SaffariSettings = context.settings();
        T::vote(self.labels.row(leaf), settings.vote, accumulator);
    }

    fn accumulator_width(&self, outputs: &T::Outputs) -> usize {
        <T as Labels>::accumulator_width(outputs)
    }

    fn finish(&self, accumulator: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::finish(accumulator, prediction);
    }

    fn footprint(&self) -> Footprint {
        let mut bytes = size_of::<Self>() + self.nodes.bytes();
        bytes += self.leaves.bytes() + self.labels.bytes();
        for tests in self.leaves.iter().filter_map(|leaf| leaf.tests.as_ref()) {
            bytes += tests.bytes();
        }
        Footprint {
            nodes: self.nodes.nodes.len(),
            stored_samples: 0,
            bytes,
        }
    }

    /// Checks the shape, of a tree that was decoded: a record for each leaf, and tests of features that there are.
    fn check(&self, context: &ForestContext<'_, T>) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let count = self.nodes.check(width)?;
        let sound = self.labels.fits(count) && self.leaves.len() == count;
        let what = "not one record for each";
        InvariantError::require(sound, "leaves", what)?;
        let mut tests = self.leaves.iter().filter_map(|leaf| leaf.tests.as_ref());
        tests.try_for_each(|tests| tests.check(width, &context.outputs))
    }
}
