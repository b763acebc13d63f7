//! The tests can fail: measures with a planted flaw break the law, or the invariant, meant for them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Forest, OnlineLearner, Regression, Schema, laws::Stream};
use obsp::{PairCut, PairMeasure, PairSettings, fixed};
use serde::{Deserialize, Serialize};
use tessellation_tree::laws::{Experiment, online_is_batch};
use tessellation_tree::{
    Budget, Chance, CutMeasure, LeafMeans, NodeId, Side, Span, TessellationSettings,
    TessellationTree,
};

/// How the first cut that separates a new point goes wrong.
trait Flaw:
    Clone + std::fmt::Debug + Default + Send + Sync + Serialize + for<'a> Deserialize<'a>
{
    fn first_separating(
        sound: &mut PairMeasure,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)>;
}

/// It comes at 1.25 times its rate.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Hasty;

impl Flaw for Hasty {
    fn first_separating(
        sound: &mut PairMeasure,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        let longer = Span {
            until: span.from + 1.25 * (span.until - span.from),
            ..span
        };
        let (time, cut) = sound.first_separating(node, x, longer, chance)?;
        Some((span.from + (time - span.from) / 1.25, cut))
    }
}

/// It crosses the points it should spare (a flaw of two public implementations).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Crossing;

impl Flaw for Crossing {
    fn first_separating(
        sound: &mut PairMeasure,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        let (time, cut) = sound.first_separating(node, x, span, chance)?;
        let pair = sound.pairs().position(|axes| axes == cut.axes)?;
        let corners = sound.polygon(node, pair);
        let mean = |k: usize| {
            let sum: f64 = corners.iter().map(|corner| f64::from(corner[k])).sum();
            sum / corners.len() as f64
        };
        let point = [mean(0), mean(1)];
        Some((time, PairCut { point, ..cut }))
    }
}

/// The pair measure with a flaw.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
struct Flawed<F: Flaw>(PairMeasure, F);

impl<F: Flaw> CutMeasure for Flawed<F> {
    type Settings = PairSettings;
    type Cut = PairCut;

    fn new(features: usize, settings: &PairSettings) -> Self {
        Self(PairMeasure::new(features, settings), F::default())
    }

    fn push_empty(&mut self) {
        self.0.push_empty();
    }

    fn push_copy(&mut self, node: NodeId) {
        self.0.push_copy(node);
    }

    fn extend(&mut self, node: NodeId, x: &[f32]) {
        self.0.extend(node, x);
    }

    fn first_hitting(
        &self,
        node: NodeId,
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        self.0.first_hitting(node, span, chance)
    }

    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, PairCut)> {
        F::first_separating(&mut self.0, node, x, span, chance)
    }

    fn side(cut: &PairCut, x: &[f32]) -> Side {
        PairMeasure::side(cut, x)
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn is_shaped(&self, nodes: usize, features: usize) -> bool {
        self.0.is_shaped(nodes, features)
    }

    fn is_cut(&self, cut: &PairCut) -> bool {
        self.0.is_cut(cut)
    }

    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool {
        self.0.is_hull_of(node, points)
    }

    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        self.0.is_union(node, one, other)
    }

    fn is_beside(&self, cut: &PairCut, node: NodeId, side: Side) -> bool {
        self.0.is_beside(cut, node, side)
    }
}

#[test]
fn a_rate_that_is_a_quarter_too_high_is_not_the_batch_law() {
    let stream = Stream::<Regression>::uniform(12, 2, 1);
    let points: Vec<_> = stream
        .features
        .rows()
        .into_iter()
        .map(|row| row.to_vec())
        .collect();
    let settings = TessellationSettings {
        budget: Budget::Fixed(0.7),
        ..fixed(0.0)
    };
    let sound = Experiment::<PairMeasure> {
        points: &points,
        settings: settings.clone(),
        trees: 20_000,
        seed: 1,
    };
    online_is_batch(&sound).unwrap();
    let hasty = Experiment::<Flawed<Hasty>> {
        points: &points,
        settings,
        trees: 20_000,
        seed: 1,
    };
    assert!(online_is_batch(&hasty).is_err());
}

#[test]
fn a_cut_through_the_old_points_breaks_the_invariants() {
    type Tree = TessellationTree<Flawed<Crossing>, LeafMeans>;
    let stream = Stream::<Regression>::uniform(50, 2, 2);
    let mut forest =
        Forest::<Tree>::new(Schema::new(2).unwrap(), fixed(f64::INFINITY), 1, 3).unwrap();
    forest
        .learn(stream.features.view(), &stream.targets)
        .unwrap();
    let broken = forest.check_invariants().unwrap_err();
    assert!(broken.what.contains("separate"), "{broken}");
}
