//! A point on its way down: the nodes it passes, and where it may leave them.

use crate::{CutDistribution, Path, Place, Step, Subtree};
use std::cell::RefCell;

/// The nodes on the path of a point, its leaf last, and the places where the point may branch off.
#[derive(Debug, Default)]
pub struct Passage {
    /// The inner nodes, from the root, and the leaf.
    pub places: Vec<Place>,
    /// Where the point may branch off; those at higher places first.
    pub departures: Vec<Departure>,
    /// The probability that the point goes all the way to the leaf.
    pub stays: f64,
    /// Working memory.
    pub(super) nearest: Vec<f32>,
    pub(super) seen: Vec<u32>,
}

/// A point may branch off at a node: within the node's life, a new parent of the node separates it from all of
/// the node's points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The index of the node in [`Passage::places`].
    pub place: usize,
    /// The probability that the point leaves here and not before.
    pub probability: f64,
    /// When.
    pub delay: Delay,
}

/// The time from a node's birth to the cut that separates a point from it: exponential, if it is below `limit`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delay {
    /// The mass of the cuts that separate the point from the node's points, ΔΛ.
    pub rate: f64,
    /// The length of the node's life.
    pub limit: f64,
}

/// Gauss–Legendre: three points and weights on (0, 1).
const QUADRATURE: [(f64, f64); 3] = [
    (0.112_701_665_379_258_3, 5.0 / 18.0),
    (0.5, 8.0 / 18.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

impl Delay {
    /// E\[exp(−γ·delay)\] for γ ≥ 0:
    /// η/(η+γ) · (1 − e^(−(η+γ)Δ)) / (1 − e^(−ηΔ)) with the rate η and the limit Δ.
    pub fn mean_discount(self, gamma: f64) -> f64 {
        let Self { rate, limit } = self;
        let share = libm::expm1(-(rate + gamma) * limit) / libm::expm1(-rate * limit);
        rate / (rate + gamma) * share
    }

    /// Delays with weights that add up to 1, whose mean is that of any smooth function of the delay: three
    /// quantiles by Gauss's rule.
    pub fn quantiles(self) -> impl Iterator<Item = (f64, f64)> {
        let Self { rate, limit } = self;
        let below_limit = -libm::expm1(-rate * limit);
        let quantile =
            move |(u, weight): (f64, f64)| (weight, -libm::log1p(-u * below_limit) / rate);
        QUADRATURE.into_iter().map(quantile)
    }
}

thread_local! {
    static PASSAGES: RefCell<Vec<Passage>> = const { RefCell::new(Vec::new()) };
}

impl Passage {
    /// Lends working memory that is kept from one prediction to the next.
    pub(super) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        let kept = PASSAGES.with_borrow_mut(Vec::pop);
        let mut passage = kept.unwrap_or_default();
        let result = work(&mut passage);
        PASSAGES.with_borrow_mut(|passages| passages.push(passage));
        result
    }

    /// Notes the nodes of a path; nothing is known of departures.
    pub fn note<D: CutDistribution>(&mut self, path: &mut Path<'_, D>) {
        self.note_steps(&mut *path);
        self.places.push(path.place());
    }

    /// Notes a way to the `leaf` at its end, where the point stays.
    pub(super) fn stay(&mut self, way: &[Step], leaf: Place) {
        self.note_steps(way.iter().copied());
        self.places.push(leaf);
    }

    fn note_steps(&mut self, steps: impl Iterator<Item = Step>) {
        self.places.clear();
        self.departures.clear();
        self.stays = 1.0;
        for step in steps {
            self.places.push(Place {
                subtree: Subtree::Inner(step.node),
                birth: step.birth,
                end: step.time,
                sibling: Some(step.sibling),
            });
        }
    }

    /// Returns the index and node of every place with the departures there, from the leaf up.
    pub fn upwards(&self) -> impl Iterator<Item = (Place, &[Departure])> {
        let mut rest = &self.departures[..];
        self.places
            .iter()
            .enumerate()
            .rev()
            .map(move |(index, place)| {
                let here = rest.iter().rev().take_while(|known| known.place == index);
                let (above, here) = rest.split_at(rest.len() - here.count());
                rest = above;
                (*place, here)
            })
    }

    /// The same from the root down.
    pub fn downwards(&self) -> impl Iterator<Item = (Place, &[Departure])> {
        let mut rest = &self.departures[..];
        self.places.iter().enumerate().map(move |(index, place)| {
            let here = rest.iter().take_while(|known| known.place == index);
            let (here, below) = rest.split_at(here.count());
            rest = below;
            (*place, here)
        })
    }
}
