//! Measures with a planted flaw, to show that a law, or an invariant, can be broken.

use std::fmt::Debug;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Chance, CutMeasure, NodeId, Side, Span};

/// How the first cut that separates a new point goes wrong.
pub trait Flaw<M: CutMeasure>:
    Clone + Debug + Default + Send + Sync + Serialize + DeserializeOwned
{
    /// What a sound measure answers, spoilt.
    fn first_separating(
        sound: &mut M,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, M::Cut)>;
}

/// It comes at 1.25 times its rate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Hasty;

impl<M: CutMeasure> Flaw<M> for Hasty {
    fn first_separating(
        sound: &mut M,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, M::Cut)> {
        let until = span.from + 1.25 * (span.until - span.from);
        let (time, cut) = sound.first_separating(node, x, Span { until, ..span }, chance)?;
        Some((span.from + (time - span.from) / 1.25, cut))
    }
}

/// The measure `M` with the flaw `F`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Flawed<M: CutMeasure, F: Flaw<M>> {
    sound: M,
    flaw: F,
}

impl<M: CutMeasure, F: Flaw<M>> CutMeasure for Flawed<M, F> {
    type Settings = M::Settings;
    type Cut = M::Cut;

    fn new(features: usize, settings: &M::Settings) -> Self {
        Self {
            sound: M::new(features, settings),
            flaw: F::default(),
        }
    }

    fn push_empty(&mut self) {
        self.sound.push_empty();
    }

    fn push_copy(&mut self, node: NodeId) {
        self.sound.push_copy(node);
    }

    fn approach(&mut self, path: impl Iterator<Item = NodeId>, x: &[f32]) {
        self.sound.approach(path, x);
    }

    fn extend(&mut self, node: NodeId, x: &[f32]) {
        self.sound.extend(node, x);
    }

    fn first_hitting(
        &self,
        node: NodeId,
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, M::Cut)> {
        self.sound.first_hitting(node, span, chance)
    }

    fn first_separating(
        &mut self,
        node: NodeId,
        x: &[f32],
        span: Span,
        chance: &mut Chance<'_>,
    ) -> Option<(f64, M::Cut)> {
        F::first_separating(&mut self.sound, node, x, span, chance)
    }

    fn side(cut: &M::Cut, x: &[f32]) -> Side {
        M::side(cut, x)
    }

    fn bytes(&self) -> usize {
        self.sound.bytes()
    }

    fn is_shaped(&self, nodes: usize, features: usize) -> bool {
        self.sound.is_shaped(nodes, features)
    }

    fn is_cut(&self, cut: &M::Cut) -> bool {
        self.sound.is_cut(cut)
    }

    fn is_hull_of<'a>(&self, node: NodeId, points: impl Iterator<Item = &'a [f32]>) -> bool {
        self.sound.is_hull_of(node, points)
    }

    fn is_union(&self, node: NodeId, one: NodeId, other: NodeId) -> bool {
        self.sound.is_union(node, one, other)
    }

    fn is_beside(&self, cut: &M::Cut, node: NodeId, side: Side) -> bool {
        self.sound.is_beside(cut, node, side)
    }
}
