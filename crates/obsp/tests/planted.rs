//! A cut that crosses the points it should spare breaks the invariants: a flaw of two public
//! implementations of Mondrian forests.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Forest, OnlineLearner, Regression, Schema, laws::Stream};
use obsp::{PairCut, PairMeasure, fixed};
use serde::{Deserialize, Serialize};
use tessellation_tree::laws::planted::{Flaw, Flawed};
use tessellation_tree::{Chance, CutMeasure, LeafMeans, NodeId, Span, TessellationTree};

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Crossing;

impl Flaw<PairMeasure> for Crossing {
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

#[test]
fn a_cut_through_the_old_points_breaks_the_invariants() {
    type Tree = TessellationTree<Flawed<PairMeasure, Crossing>, LeafMeans>;
    let stream = Stream::<Regression>::uniform(50, 2, 2);
    let schema = Schema::new(2).unwrap();
    let mut forest = Forest::<Tree>::new(schema, fixed(f64::INFINITY), 1, 3).unwrap();
    forest
        .learn(stream.features.view(), &stream.targets)
        .unwrap();
    let broken = forest.check_invariants().unwrap_err();
    assert!(broken.what.contains("separate"), "{broken}");
}
