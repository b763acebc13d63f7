//! Cuts of any direction.

use forest_core::{Arena, Inequality, InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::{CutDistribution, CutSettings, Side};

use crate::directions::{Buffer, Directions, segment_mass};

/// All points x with ⟨n, x⟩ ≤ `offset` lie left, where n is normal number `normal`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearCut {
    /// Place of the normal in the tree's array of them.
    pub normal: u32,
    /// ⟨n, x⟩ on the cut.
    pub offset: f64,
}

/// Cuts by hyperplanes with uniform offsets and, without weights of features, uniform normals (uRTF): Λ({a, b}) =
/// c_d·|a − b|. With weights ω a normal has the distribution N(0, ωᵢ²) in each feature, scaled to length 1 (wuRTF); a
/// weight of less than 10⁻⁹ of the largest counts as 0. The mass of a ball is its radius.
///
/// Distributions differ only in how a normal is drawn, so that forests of all of them are one type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearCuts {
    directions: Directions,
    width: usize,
    /// The normals; the place of one that was removed serves the next.
    entries: Arena<f32>,
    free: Arena<u32>,
    #[serde(skip)]
    buffer: Buffer,
}

impl LinearCuts {
    /// Returns the number of places of normals, used and free.
    fn places(&self) -> usize {
        self.entries.len() / self.width
    }

    /// Returns a normal.
    #[inline]
    pub(crate) fn normal(&self, place: u32) -> &[f32] {
        &self.entries[place as usize * self.width..][..self.width]
    }

    /// Stores the normal that was drawn last.
    fn store_normal(&mut self) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            let place = self.places();
            self.entries.resize(self.entries.len() + self.width, 0.0);
            u32::try_from(place).expect("a tree has fewer normals than samples")
        });
        let cells = &mut self.entries[place as usize * self.width..][..self.width];
        // Rounded once: the cut is the hyperplane of the rounded normal, for learning and prediction alike.
        for (cell, entry) in cells.iter_mut().zip(&self.buffer.n) {
            *cell = *entry as f32;
        }
        place
    }
}

impl CutDistribution for LinearCuts {
    type Cut = LinearCut;

    fn new(features: usize, settings: &CutSettings) -> Self {
        Self {
            directions: Directions::new(features, settings),
            width: features,
            entries: Arena::default(),
            free: Arena::default(),
            buffer: Buffer::default(),
        }
    }

    #[inline]
    fn side(&self, cut: &LinearCut, x: &[f32]) -> Side {
        if dense_dot(self.normal(cut.normal), x) <= cut.offset {
            Side::Left
        } else {
            Side::Right
        }
    }

    fn inequality(&self, cut: &LinearCut, inequality: &mut Inequality) {
        let entries = self.normal(cut.normal).iter().copied().map(f64::from);
        let entries = entries.enumerate().filter(|(_, entry)| *entry != 0.0);
        inequality.normal.clear();
        inequality.normal.extend(entries);
        inequality.threshold = cut.offset;
    }

    fn rate_between(&self, a: &[f32], b: &[f32]) -> f64 {
        self.directions.rate_between(a, b)
    }

    fn draw_between(&mut self, ab: [&[f32]; 2], rate: f64, rng: &mut TreeRng) -> Option<LinearCut> {
        self.directions
            .normal_between(ab, rate, &mut self.buffer, rng)?;
        let normal = self.store_normal();
        // By the dot products of the stored normal, so that rounding cannot put the cut beyond both points.
        let [a, b] = ab.map(|x| dense_dot(self.normal(normal), x));
        let offset = a.min(b) + rng.uniform() * (a - b).abs();
        Some(LinearCut { normal, offset })
    }

    fn rate_within(&self, lower: &[f32], upper: &[f32]) -> f64 {
        self.directions.rate_within(lower, upper)
    }

    fn draw_within(
        &mut self,
        corners: [&[f32]; 2],
        rate: f64,
        rng: &mut TreeRng,
    ) -> Option<LinearCut> {
        self.directions
            .normal_within(corners, rate, &mut self.buffer, rng)?;
        let normal = self.store_normal();
        let mut center = 0.0;
        let mut width = 0.0;
        let sides = corners[0].iter().zip(corners[1]);
        for (&entry, (&low, &high)) in self.normal(normal).iter().zip(sides) {
            let [entry, low, high] = [entry, low, high].map(f64::from);
            center += entry * (0.5 * low + 0.5 * high);
            width += entry.abs() * (high - low);
        }
        let offset = center + (rng.uniform() - 0.5) * width;
        Some(LinearCut { normal, offset })
    }

    fn release(&mut self, cut: &LinearCut) {
        self.free.push(cut.normal);
    }

    /// Returns the scale at which a segment of length 1 is cut as often as one along an axis by axis-aligned cuts,
    /// which is best or nearly so on most sets.
    fn budget_scale(features: usize) -> f64 {
        8.0 / segment_mass(features)
    }

    /// Returns the radius: Λ is scaled so (Ge et al. 2019, Lemma 3).
    fn mass_of_ball(&self, radius: f64, _: usize) -> f64 {
        radius
    }

    fn bytes(&self) -> usize {
        self.directions.bytes() + self.entries.bytes() + self.free.bytes() + self.buffer.bytes()
    }

    /// Checks that normals are finite and fit the features, and that each is either free or that of one of `cuts`.
    fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        let fits = self.width == features && self.entries.len().is_multiple_of(self.width);
        let finite = self.entries.iter().all(|entry| entry.is_finite());
        let sound = fits && finite && self.directions.is_sound(features);
        InvariantError::require(sound, "normals", "they do not fit the features")?;
        let mut places = self.free.to_vec();
        let mut finite = true;
        for cut in cuts {
            finite &= cut.offset.is_finite();
            places.push(cut.normal);
        }
        places.sort_unstable();
        let each_once = places.iter().map(|&at| at as usize).eq(0..self.places());
        let what = "some are lost, or used more than once, or an offset is not finite";
        InvariantError::require(finite && each_once, "normals", what)
    }
}

/// Sums in eight lanes, so that the compiler can use vector units; always in the same order.
#[inline]
fn dense_dot(a: &[f32], b: &[f32]) -> f64 {
    const LANES: usize = 8;
    let mut sums = [0.0; LANES];
    let (chunks, rest) = a.as_chunks::<LANES>();
    let (others, other_rest) = b.as_chunks::<LANES>();
    for (a, b) in chunks.iter().zip(others) {
        for lane in 0..LANES {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    for (lane, (a, b)) in rest.iter().zip(other_rest).enumerate() {
        sums[lane] += f64::from(*a) * f64::from(*b);
    }
    // The order is part of a snapshot's promise: another one would move points that lie on a cut.
    sums.iter().sum()
}
