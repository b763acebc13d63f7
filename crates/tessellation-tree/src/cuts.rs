//! The distribution of cuts, which is what distinguishes Mondrian trees, BSP trees and random tessellations.

mod pick;

use std::fmt::Debug;

use forest_core::{Inequality, InvariantError, SettingError, TreeRng};
use serde::{Serialize, de::DeserializeOwned};

use crate::CutSettings;

pub use pick::{Distances, pick};

/// A translation-invariant measure Λ on the hyperplanes of R^d, given by the draws from it that a tree makes.
///
/// A distribution states rates of *candidates*, which are thinned. Where the mass has a closed form, it is the rate and
/// every candidate is a cut; elsewhere it is a bound, and a candidate is a cut with probability mass / rate.
///
/// Data of a cut that do not fit the `Cut` type, such as a normal of d numbers, are stored by the distribution until
/// [`release`](Self::release): every cut that is drawn either becomes that of a node or is released.
pub trait CutDistribution:
    Clone + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned + 'static
{
    /// Whether all cuts are axis-aligned and [`CutDistribution::rate_between`] is their mass, not a bound: then the
    /// mass between a point and a set is that between the point and the set's box.
    const AXIS_ALIGNED: bool = false;

    /// A hyperplane, as stored in inner nodes.
    type Cut: Copy + Debug + PartialEq + Send + Sync + Serialize + DeserializeOwned;

    /// Creates the distribution for points of `features` numbers.
    fn new(features: usize, settings: &CutSettings) -> Self;

    /// Returns the side of `x`: the one place that decides where a point on the cut belongs.
    fn side(&self, cut: &Self::Cut, x: &[f32]) -> Side;

    /// Overwrites `inequality` with that of the cut, up to rounding. Entries of the normal that are 0 are omitted.
    fn inequality(&self, cut: &Self::Cut, inequality: &mut Inequality);

    /// Returns the rate of the candidates of [`CutDistribution::draw_between`]: at least Λ({a, b}), and 0 if that is 0.
    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64;

    /// Returns a candidate: with probability Λ({a, b}) / rate, a cut drawn from Λ restricted to those that
    /// separate the points `ab`, rounded to what is stored; otherwise nothing.
    ///
    /// `rate` is what [`rate_between`](Self::rate_between) returns. Rounding may have moved a cut past a point.
    fn draw_between(&mut self, ab: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<Self::Cut>;

    /// Returns the rate of the candidates of [`CutDistribution::draw_within`]: at least the mass of the cuts
    /// that hit the box between the corners `lower` and `upper`.
    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64;

    /// Returns a candidate that hits the box between two corners, the lower first, or nothing. `rate` is what
    /// [`rate_within`](Self::rate_within) returns.
    fn draw_within(
        &mut self,
        corners: [&[f32]; 2],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<Self::Cut>;

    /// Returns the side of `cut` on which all points of one side of another cut lie, if the two cuts alone decide it.
    #[inline]
    fn side_of_all(&self, _cut: &Self::Cut, _other: &Self::Cut, _side: Side) -> Option<Side> {
        None
    }

    /// Releases a cut that was drawn and is not used, or no longer used.
    fn release(&mut self, _cut: &Self::Cut) {}

    /// Extends parameters that have the same value for each feature to `features` features, if a feature that does not
    /// vary has no influence. By default it has: oblique cuts are distributed differently in more dimensions.
    ///
    /// # Errors
    /// Returns an error if trees cannot continue, with these parameters or at all.
    fn widen_settings(_settings: &mut CutSettings, features: usize) -> Result<(), SettingError> {
        Err(SettingError::no_more_features(features))
    }

    /// Continues with points of more features, all 0 in those that the tree holds.
    fn widen(&mut self, _features: usize) {}

    /// Returns the default of [`BUDGET_SCALE`](crate::BUDGET_SCALE) for points of `features` numbers.
    fn budget_scale(_features: usize) -> f64 {
        8.0
    }

    /// Returns Λ of a ball of this radius; by default, as for axis-aligned cuts, that of the cube around it.
    fn mass_of_ball(&self, radius: f64, features: usize) -> f64 {
        2.0 * radius * self.rate_within(&vec![0.0; features], &vec![1.0; features])
    }

    /// Returns the bytes that are stored besides the `Cut` values.
    fn bytes(&self) -> usize {
        0
    }

    /// Checks a distribution that was decoded, and that it could have drawn `cuts`, those of all inner nodes.
    ///
    /// # Errors
    /// Returns what does not hold.
    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a Self::Cut>,
    ) -> Result<(), InvariantError>
    where
        Self::Cut: 'a;
}

/// The side of a cut on which a point lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The first child's side.
    Left,
    /// The second child's side.
    Right,
}

impl Side {
    /// Returns the other side.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Two points count as inseparable after this number of cuts in a row that, once rounded, do not separate them.
const UNREALISED: usize = 64;

/// Returns the time until the next point of a Poisson process; infinite if it has none.
#[inline(always)]
#[must_use]
pub fn waiting_time(rate: f64, rng: &mut TreeRng) -> f64 {
    if rate > 0.0 {
        rng.exponential() / rate
    } else {
        f64::INFINITY
    }
}

/// The cuts that separate two points, as a Poisson process in time.
pub(crate) struct CutsBetween<'a> {
    a: &'a [f32],
    b: &'a [f32],
    rate: f64,
    time: f64,
    /// Cuts in a row that, once rounded, did not separate the points.
    unrealised: usize,
}

impl<'a> CutsBetween<'a> {
    /// Creates the process from time `from` on.
    #[inline]
    pub(crate) fn new<D: CutDistribution>(cuts: &D, a: &'a [f32], b: &'a [f32], from: f64) -> Self {
        Self {
            a,
            b,
            rate: cuts.rate_between(a, b),
            time: from,
            unrealised: 0,
        }
    }

    /// Returns the next cut and its time, if it comes before `until`.
    // Called for each sample: as a call it makes `obsp` learn 3 % slower.
    #[inline(always)]
    pub(crate) fn next<D: CutDistribution>(
        &mut self,
        cuts: &mut D,
        until: f64,
        rng: &mut TreeRng,
    ) -> Option<(f64, D::Cut)> {
        while self.time < until && self.unrealised < UNREALISED {
            self.time += waiting_time(self.rate, rng);
            if self.time >= until {
                break;
            }
            if let Some(cut) = cuts.draw_between([self.a, self.b], self.rate, rng) {
                if cuts.side(&cut, self.a) != cuts.side(&cut, self.b) {
                    self.unrealised = 0;
                    return Some((self.time, cut));
                }
                cuts.release(&cut);
                self.unrealised += 1;
            }
        }
        None
    }
}
