//! The normals of cuts, in one array.

use forest_core::registry::Inequality;
use forest_core::{Arena, InvariantError, TreeRng};
use serde::{Deserialize, Serialize};
use tessellation_tree::Side;

/// All points x with ⟨n, x⟩ ≤ `offset` lie left, where n is normal number `normal`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinearCut {
    /// Place of the normal in the tree's array of them.
    pub normal: u32,
    /// ⟨n, x⟩ on the cut.
    pub offset: f64,
}

/// Normals with `width` entries each; the place of one that was removed serves the next.
///
/// A normal takes `4d` bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Normals {
    width: usize,
    entries: Arena<f32>,
    free: Arena<u32>,
}

impl Normals {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            entries: Arena::default(),
            free: Arena::default(),
        }
    }

    /// Returns the number of places, used and free.
    fn places(&self) -> usize {
        self.entries.len() / self.width
    }

    /// Stores a normal.
    pub(crate) fn insert(&mut self, entries: &[f64]) -> u32 {
        // Rounded once, when it is stored: from here on the cut is the hyperplane of the rounded normal, for learning and prediction alike.
        let entry = |(cell, entry): (&mut f32, &f64)| *cell = *entry as f32;
        let place = self.free.pop().unwrap_or_else(|| {
            let place = self.places();
            self.entries.resize(self.entries.len() + self.width, 0.0);
            u32::try_from(place).expect("a tree has fewer normals than samples")
        });
        let start = place as usize * self.width;
        self.entries[start..][..self.width]
            .iter_mut()
            .zip(entries)
            .for_each(entry);
        place
    }

    pub(crate) fn remove(&mut self, place: u32) {
        self.free.push(place);
    }

    /// ⟨n, x⟩.
    #[inline]
    pub(crate) fn dot(&self, place: u32, x: &[f32]) -> f64 {
        let start = place as usize * self.width;
        dense_dot(&self.entries[start..][..self.width], x)
    }

    #[inline]
    pub(crate) fn side(&self, cut: &LinearCut, x: &[f32]) -> Side {
        if self.dot(cut.normal, x) <= cut.offset {
            Side::Left
        } else {
            Side::Right
        }
    }

    /// Returns a place uniform between two points along a normal.
    #[inline]
    pub(crate) fn offset_between(
        &self,
        place: u32,
        a: &[f32],
        b: &[f32],
        rng: &mut TreeRng,
    ) -> f64 {
        let (a, b) = (self.dot(place, a), self.dot(place, b));
        // By the dot products of the stored normal, so that rounding cannot put the cut beyond both points.
        a.min(b) + rng.uniform() * (a - b).abs()
    }

    /// Returns the features and entries of a normal.
    pub(crate) fn terms(&self, place: u32) -> impl Iterator<Item = (usize, f64)> {
        let start = place as usize * self.width;
        let entries = self.entries[start..][..self.width].iter();
        entries.map(|&entry| f64::from(entry)).enumerate()
    }

    pub(crate) fn inequality(&self, cut: &LinearCut, inequality: &mut Inequality) {
        let terms = self.terms(cut.normal).filter(|(_, entry)| *entry != 0.0);
        inequality.normal.clear();
        inequality.normal.extend(terms);
        inequality.threshold = cut.offset;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.entries.bytes() + self.free.bytes()
    }

    /// Checks that normals are finite and for points of `features` numbers, and that each is either
    /// free or that of one of `cuts`.
    pub(crate) fn check<'a>(
        &self,
        features: usize,
        cuts: impl Iterator<Item = &'a LinearCut>,
    ) -> Result<(), InvariantError> {
        self.check_shape(features)?;
        let mut finite = true;
        let used = cuts
            .inspect(|cut| finite &= cut.offset.is_finite())
            .map(|cut| cut.normal);
        let mut places: Vec<u32> = used.chain(self.free.iter().copied()).collect();
        places.sort_unstable();
        let each_once = places
            .into_iter()
            .map(|place| place as usize)
            .eq(0..self.places());
        let place = "normals";
        InvariantError::require(finite, place, "an offset is not finite")?;
        InvariantError::require(each_once, place, "some are lost, or used more than once")
    }

    fn check_shape(&self, features: usize) -> Result<(), InvariantError> {
        let whole = self.width == features && self.entries.len().is_multiple_of(self.width);
        let sound = whole && self.entries.iter().all(|entry| entry.is_finite());
        InvariantError::require(sound, "normals", "they do not fit the features")
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
