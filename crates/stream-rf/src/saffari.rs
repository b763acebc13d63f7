//! The online forest of Saffari et al. (2009), which the paper compares with.

use forest_core::{
    Arena, Footprint, ForestContext, InvariantError, OnlineTree, SampleId, Schema, TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidate;
use crate::features::{Axes, FeatureSpace};
use crate::label_rows::LabelRows;
use crate::labels::Labels;
use crate::nodes::{LeafId, Nodes};
use crate::settings::{SaffariSettings, is_full};
use crate::split_search::SplitSearch;
use crate::split_statistics::Scratch;

/// A tree of Saffari, Leistner, Santner, Godec and Bischof, *On-line Random Forests*, ICCV workshops
/// 2009, as Denil et al. implement it for their comparison.
///
/// A point is learned with weight Poisson(1) (Oza and Russell's online bagging), or not at all if
/// that is 0. It is counted in its leaf and on a side of each of the leaf's random tests. A leaf
/// with enough points is split by the test with the largest gain, if that is enough; its children
/// take over what the test has counted. The same points choose a split and vote.
///
/// Not taken over: the replacement of old trees by their out-of-bag error, which is for streams
/// that drift; nor the depth normalisation of the released code. Tests are not hyperplanes but
/// thresholds on single features, taken from the leaf's first points, as in Denil et al.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SaffariTree<T: Labels, S: FeatureSpace = Axes> {
    nodes: Nodes<S>,
    leaves: Arena<Leaf<T, S>>,
    labels: LabelRows<T::Cell>,
    #[serde(skip)]
    scratch: Scratch<T>,
}

/// A leaf and its random tests: none before its first point, none at the depth limit, none in a full tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Leaf<T: Labels, S: FeatureSpace> {
    depth: u32,
    tests: Option<SplitSearch<T, S>>,
}

impl<T: Labels, S: FeatureSpace> Leaf<T, S> {
    fn at(depth: u32) -> Self {
        Self { depth, tests: None }
    }
}

impl<T: Labels, S: FeatureSpace> SaffariTree<T, S> {
    /// Returns the number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has its root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Learns a point with a weight above 0.
    fn learn_sample(
        &mut self,
        point: &[f32],
        target: T::Target,
        weight: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let settings = context.settings;
        let (node, leaf) = self.nodes.find(&settings.features, point);
        self.labels.widen(T::width(&context.outputs));
        T::add(self.labels.row_mut(leaf.index()), target, weight);
        let (known, scratch) = (&mut self.leaves[leaf.index()], &mut self.scratch);
        if known.depth >= settings.max_depth || is_full(settings.max_nodes, self.nodes.len()) {
            return;
        }
        let tests = known.tests.get_or_insert_with(|| {
            let (count, width) = (settings.tests as usize, context.samples.width());
            let features = settings.features.draw(count, width, rng);
            SplitSearch::new(features, settings.m)
        });
        tests.add(&settings.features, point, target, weight, scratch);
        if let Some(best) = best_test(tests, settings, scratch) {
            self.split(node, leaf, best);
            if is_full(settings.max_nodes, self.nodes.len()) {
                // No leaf will be split any more: the statistics would only take memory.
                self.leaves.iter_mut().for_each(|leaf| leaf.tests = None);
            }
        }
    }

    fn split(&mut self, node: usize, leaf: LeafId, best: Candidate) {
        let depth = self.leaves[leaf.index()].depth + 1;
        // The left child keeps the number of the leaf.
        let parent = std::mem::replace(&mut self.leaves[leaf.index()], Leaf::at(depth));
        self.leaves.push(Leaf::at(depth));
        let tests = parent.tests.expect("the best test is one of the leaf's");
        let (feature, threshold) = tests.candidates.split(best);
        self.nodes.split(node, leaf, feature, threshold);
        let rows = self.labels.split(leaf.index());
        tests.statistics.add_sides(&tests.candidates, best, rows);
    }

    fn check_leaf(
        &self,
        index: usize,
        depth: u32,
        context: &ForestContext<'_, Self>,
    ) -> Result<(), InvariantError> {
        let (leaf, settings) = (&self.leaves[index], context.settings);
        let grows = depth < settings.max_depth && !is_full(settings.max_nodes, self.nodes.len());
        let has_right = leaf.tests.is_none() || grows;
        let sound = leaf.depth == depth && depth <= settings.max_depth && has_right;
        let place = format_args!("leaf {index}");
        InvariantError::require(sound, place, "an impossible depth")?;
        T::check_row(self.labels.row(index), &context.outputs)?;
        let (space, width) = (&settings.features, context.samples.width());
        let mut tests = leaf.tests.iter();
        tests.try_for_each(|tests| tests.check(space, settings.m, width, &context.outputs))
    }
}

/// Returns the best test, if there are enough points and its gain is enough. A gain above 0 has points
/// on both sides.
fn best_test<T: Labels, S: FeatureSpace>(
    tests: &mut SplitSearch<T, S>,
    settings: &SaffariSettings<S>,
    scratch: &mut Scratch<T>,
) -> Option<Candidate> {
    let enough = tests.statistics.points.total >= settings.min_samples.into();
    if !enough || !tests.may_gain(settings.min_gain) {
        return None;
    }
    let statistics = &tests.statistics;
    statistics.mark_valid(&tests.candidates, 1, scratch);
    tests.best(settings.min_gain, scratch)
}

impl<T: Labels, S: FeatureSpace> OnlineTree for SaffariTree<T, S> {
    type Task = T;
    type Settings = SaffariSettings<S>;
    const HOLDS_SAMPLES: bool = false;

    fn build(_: usize, _: usize, schema: &Schema<T>, _: &SaffariSettings<S>) -> Self {
        Self {
            nodes: Nodes::root(),
            leaves: vec![Leaf::at(0)].into(),
            labels: LabelRows::one(T::width(&schema.outputs())),
            scratch: Scratch::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let weight = rng.poisson(1.0) as u32;
        if weight > 0 {
            let (point, target) = (context.samples.features(id), context.samples.target(id));
            self.learn_sample(point, target, weight, context, rng);
        }
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        let (_, leaf) = self.nodes.find(&context.settings.features, features);
        let labels = self.labels.row(leaf.index());
        T::vote(labels, context.settings.vote, accumulator);
    }

    fn accumulator_width(outputs: &T::Outputs) -> usize {
        <T as Labels>::accumulator_width(outputs)
    }

    fn finish(accumulator: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::finish(accumulator, prediction);
    }

    fn footprint(&self) -> Footprint {
        let tests = self.leaves.iter().filter_map(|leaf| leaf.tests.as_ref());
        let statistics = tests.map(|tests| tests.bytes()).sum::<usize>();
        let leaves = self.leaves.bytes() + self.labels.bytes();
        Footprint {
            nodes: self.len(),
            stored_samples: 0,
            bytes: size_of::<Self>() + self.nodes.bytes() + leaves + statistics,
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        let width = context.samples.width();
        let depths = self.nodes.check(&context.settings.features, width)?;
        let fits = self.leaves.len() == depths.len() && self.labels.fits(depths.len());
        InvariantError::require(fits, "leaves", "not one record for each")?;
        let mut leaves = depths.into_iter().enumerate();
        leaves.try_for_each(|(index, depth)| self.check_leaf(index, depth, context))
    }
}
