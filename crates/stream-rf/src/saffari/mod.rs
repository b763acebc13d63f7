//! The online forest of Saffari et al. (2009), which the paper compares with.

mod check;
mod leaf;
mod settings;

use forest_core::{
    Arena, Footprint, ForestContext, HoldsNone, InvariantError, OnlineTree, SampleId, Schema,
    TreeRng,
};
use serde::{Deserialize, Serialize};

use crate::candidates::Candidate;
use crate::labels::{Labels, Work};
use crate::nodes::{LeafId, NodeId, Nodes};
use crate::rows::Rows;
use crate::{Axes, FeatureSpace, chance};

use leaf::{Leaf, Tests};

pub use settings::SaffariSettings;

/// A tree of Saffari, Leistner, Santner, Godec and Bischof, *On-line Random Forests*, ICCV workshops
/// 2009, as Denil et al. implement it for their comparison.
///
/// A point is learned with weight Poisson(1) (Oza and Russell's online bagging), or not at all if
/// that is 0. It is counted in its leaf and on a side of each of the leaf's random tests. A leaf
/// with enough points is split by the test with the largest gain, if that is enough; its children
/// take over what the test has counted. No point is withheld from either use, so nothing here is
/// independent of anything.
///
/// Not taken over: the replacement of old trees by their out-of-bag error, which is for streams
/// that drift; nor the depth normalisation of the released code. Tests are not hyperplanes but
/// thresholds on single features, taken from the leaf's first points, as in Denil et al.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SaffariTree<T: Labels, S: FeatureSpace = Axes> {
    nodes: Nodes<S::Feature>,
    leaves: Arena<Leaf<T, S::Feature>>,
    labels: Rows<T::Cell>,
    #[serde(skip)]
    work: Work<T>,
}

impl<T: Labels, S: FeatureSpace> SaffariTree<T, S> {
    /// Number of nodes.
    #[expect(clippy::len_without_is_empty, reason = "a tree has its root")]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// One point, as often as the bag holds it.
    fn take(
        &mut self,
        (point, target): (&[f32], T::Target),
        weight: u32,
        context: &ForestContext<'_, Self>,
        rng: &mut TreeRng,
    ) {
        let settings = context.settings;
        let (node, leaf) = self.nodes.find(&settings.features, point);
        self.labels.widen(T::cells(&context.outputs));
        T::add(self.labels.row_mut(leaf.index()), target, weight);
        let tests = self.leaves[leaf.index()].tests(settings, context.samples.width(), rng);
        let Some(tests) = tests else { return };
        tests.count(&settings.features, (point, target), weight, &mut self.work);
        if let Some(best) = tests.best(settings, &mut self.work) {
            self.split(node, leaf, best);
        }
    }

    fn split(&mut self, node: NodeId, leaf: LeafId, best: Candidate) {
        let depth = self.leaves[leaf.index()].depth + 1;
        let old = std::mem::replace(&mut self.leaves[leaf.index()], Leaf::at(depth));
        let Some(Tests {
            candidates,
            statistics,
            ..
        }) = old.tests
        else {
            return;
        };
        let feature = candidates.feature(best.dimension);
        self.nodes
            .split(node, leaf, feature, candidates.threshold(best));
        self.leaves.push(Leaf::at(depth));
        self.labels.push();
        let (left, right) = self.labels.renew_with_last(leaf.index());
        let of = statistics.dimension(&candidates, best.dimension);
        of.sides(best.rank, left, right);
    }
}

impl<T: Labels, S: FeatureSpace> OnlineTree for SaffariTree<T, S> {
    type Task = T;
    type Settings = SaffariSettings<S>;
    type Forgets = HoldsNone;

    fn build(_: usize, _: usize, schema: &Schema<T>, _: &SaffariSettings<S>) -> Self {
        Self {
            nodes: Nodes::root(),
            leaves: vec![Leaf::at(0)].into(),
            labels: Rows::one(T::cells(&schema.outputs())),
            work: Work::default(),
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Self>, rng: &mut TreeRng) {
        let weight = chance::poisson(1.0, rng) as u32;
        if weight > 0 {
            let sample = (context.samples.features(id), context.samples.target(id));
            self.take(sample, weight, context, rng);
        }
    }

    fn forget(
        &mut self,
        _: SampleId,
        _: &ForestContext<'_, Self>,
        _: &mut TreeRng,
        proof: HoldsNone,
    ) {
        match proof {}
    }

    fn vote(
        &self,
        features: &[f32],
        context: &ForestContext<'_, Self>,
        _: &TreeRng,
        accumulator: &mut [f64],
    ) {
        let (_, leaf) = self.nodes.find(&context.settings.features, features);
        accumulator.fill(0.0);
        T::cast(
            self.labels.row(leaf.index()),
            context.settings.vote,
            accumulator,
        );
    }

    fn accumulator_width(outputs: &T::Outputs) -> usize {
        <T as Labels>::accumulator_width(outputs)
    }

    fn finish(accumulator: &[f64], _: usize, prediction: &mut [f64]) {
        <T as Labels>::finish(accumulator, prediction);
    }

    fn footprint(&self) -> Footprint {
        let tests = self.leaves.iter().filter_map(|leaf| leaf.tests.as_ref());
        let statistics = tests.map(|tests| tests.candidates.bytes() + tests.statistics.bytes());
        let leaves = self.leaves.bytes() + self.labels.bytes();
        Footprint {
            nodes: self.len(),
            stored_samples: 0,
            bytes: size_of::<Self>() + self.nodes.bytes() + leaves + statistics.sum::<usize>(),
        }
    }

    fn check(&self, context: &ForestContext<'_, Self>) -> Result<(), InvariantError> {
        self.check_against(context)
    }
}
