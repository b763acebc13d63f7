//! The candidate splits of one leaf: candidate dimensions, the features they are drawn from, and thresholds in each.

use forest_core::{InvariantError, SettingError, TreeRng};
use serde::{Deserialize, Serialize};

/// The features that candidate splits are drawn from: the paper's "dimensions".
///
/// A feature is a function of a point alone, so that a split on it cuts the space of points in two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum FeatureSource {
    /// The D coordinates of a point: the paper's axis-aligned splits.
    #[default]
    Axes,
    /// Differences of depth between two pixels near the one that is classified (section 5.3; Shotton et al. 2011).
    ///
    /// A point is a square window of depths, row after row, around the pixel `P` to be classified; its side is odd. A
    /// feature is a pair of Gaussian offsets `u`, `v`; its value at `P` is
    /// `depth(P + u / depth(P)) − depth(P + v / depth(P))`, so that it follows a body that comes nearer. Beyond it
    /// the border of the window is read.
    PixelPairs {
        /// Variance of each coordinate of an offset, in pixels² at depth 1 (the paper: 75).
        variance: f64,
    },
}

/// Two offsets, each across and down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PixelPair {
    u: [f32; 2],
    v: [f32; 2],
}

/// One feature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Feature {
    Axis(u32),
    Pair(PixelPair),
}

/// The candidate dimensions of a leaf.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Features {
    Axes(Box<[u32]>),
    Pairs(Box<[PixelPair]>),
}

impl FeatureSource {
    /// Checks the parameters for points of `width` numbers.
    pub(crate) fn check(self, width: usize) -> Result<(), SettingError> {
        let Self::PixelPairs { variance } = self else {
            return Ok(());
        };
        let side = width.isqrt();
        let window = side * side == width && !side.is_multiple_of(2);
        let rule = "must be the square of an odd number: a window around a pixel";
        SettingError::require(window, "features", rule, width)?;
        let positive = variance.is_finite() && variance > 0.0;
        SettingError::require(positive, "variance", "must be finite and above 0", variance)
    }

    /// Draws `count` distinct features uniformly, or all if they are fewer; at least one.
    pub(crate) fn draw(self, count: usize, width: usize, rng: &mut TreeRng) -> Features {
        match self {
            // The first `count` steps of a shuffle.
            Self::Axes => {
                let mut axes: Vec<u32> = (0..width as u32).collect();
                let count = count.min(width);
                for place in 0..count {
                    axes.swap(place, place + rng.below(width - place));
                }
                axes.truncate(count);
                Features::Axes(axes.into())
            }
            // There are as many pairs as numbers: two equal ones do not occur.
            Self::PixelPairs { variance } => {
                let deviation = variance.sqrt();
                let mut offset = || [rng.normal(), rng.normal()].map(|z| (z * deviation) as f32);
                let pairs = (0..count).map(|_| PixelPair {
                    u: offset(),
                    v: offset(),
                });
                Features::Pairs(pairs.collect())
            }
        }
    }
}

impl Features {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Axes(axes) => axes.len(),
            Self::Pairs(pairs) => pairs.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Feature {
        match self {
            Self::Axes(axes) => Feature::Axis(axes[index]),
            Self::Pairs(pairs) => Feature::Pair(pairs[index]),
        }
    }

    /// Fills `values` with those of the features at a point: not NaN for a finite point.
    #[inline]
    pub(crate) fn read(&self, point: &[f32], values: &mut Vec<f32>) {
        values.clear();
        match self {
            Self::Axes(axes) => values.extend(axes.iter().map(|&axis| point[axis as usize])),
            Self::Pairs(pairs) => values.extend(pairs.iter().map(|pair| pair.value(point))),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Axes(axes) => size_of_val(&**axes),
            Self::Pairs(pairs) => size_of_val(&**pairs),
        }
    }

    /// Returns whether all can be read at points of `width` numbers: after decoding.
    pub(crate) fn fit(&self, width: usize) -> bool {
        match self {
            Self::Axes(axes) => axes.iter().all(|&axis| (axis as usize) < width),
            Self::Pairs(_) => true,
        }
    }
}

impl PixelPair {
    /// Returns the difference at the centre of a window.
    #[inline]
    pub(crate) fn value(self, window: &[f32]) -> f32 {
        // Exact: the settings' check has required a square.
        let side = window.len().isqrt();
        // The side is odd, so the middle of the array is the centre of the window.
        let depth = window[window.len() / 2];
        let [a, b] = [self.u, self.v].map(|offset| probe(window, side, depth, offset));
        a - b
    }
}

/// Returns the depth at `offset / depth` from the centre of a window `side` pixels wide.
#[inline]
fn probe(window: &[f32], side: usize, depth: f32, offset: [f32; 2]) -> f32 {
    let centre = (side / 2) as f32;
    let last = (side - 1) as f32;
    // Where the depth is 0 the quotient may be NaN: `max` then returns 0, the border.
    let place = |by: f32| (centre + (by / depth).round()).max(0.0).min(last) as usize;
    window[place(offset[1]) * side + place(offset[0])]
}

/// The candidate splits of a leaf: the paper's candidate *points*, projected onto every candidate dimension. `m` sorted
/// thresholds, one for each candidate point, cut a dimension into `m + 1` bins, and what lies left of a threshold is
/// the sum of the bins up to it. Beside each stands its *source*, the candidate point that it comes from: a candidate
/// split counts what arrives after its creation, and they are created one by one.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Candidates {
    pub(crate) features: Features,
    m: u8,
    /// The number of candidate points so far, which is that of the splits of a dimension.
    pub(crate) points: u8,
    /// `m` places for each dimension, the first `points` of them filled.
    thresholds: Box<[f32]>,
    sources: Box<[u8]>,
}

/// A candidate split: a dimension and the rank of a threshold in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) dimension: usize,
    pub(crate) rank: usize,
}

impl Candidates {
    /// Creates no thresholds yet in the dimensions of these features; there will be `m` in each.
    pub(crate) fn new(features: Features, m: u32) -> Self {
        let places = features.len() * m as usize;
        Self {
            features,
            m: u8::try_from(m).expect("settings allow no more than 255"),
            points: 0,
            thresholds: vec![0.0; places].into(),
            sources: vec![0; places].into(),
        }
    }

    pub(crate) fn dimensions(&self) -> usize {
        self.features.len()
    }

    pub(crate) fn are_complete(&self) -> bool {
        self.points == self.m
    }

    /// Bins of a dimension once the candidates are complete.
    pub(crate) fn bins(&self) -> usize {
        usize::from(self.m) + 1
    }

    /// Feature and threshold of a split.
    pub(crate) fn split(&self, at: Candidate) -> (Feature, f32) {
        let threshold = self.of(&self.thresholds, at.dimension)[at.rank];
        (self.features.get(at.dimension), threshold)
    }

    /// Returns the source of each threshold of a dimension, by rank.
    #[inline]
    pub(crate) fn sources(&self, dimension: usize) -> &[u8] {
        self.of(&self.sources, dimension)
    }

    #[inline]
    fn of<'a, V>(&self, values: &'a [V], dimension: usize) -> &'a [V] {
        &values[dimension * usize::from(self.m)..][..usize::from(self.points)]
    }

    /// Returns the bin of each dimension for a point: how many thresholds are below its value. `O(log m)` each.
    #[inline]
    pub(crate) fn locate(&self, values: &[f32]) -> impl Iterator<Item = u8> {
        values.iter().enumerate().map(|(dimension, &value)| {
            let thresholds = self.of(&self.thresholds, dimension);
            // `<`: a value equal to a threshold lies left of it, as `Nodes::find` sends points.
            thresholds.partition_point(|&threshold| threshold < value) as u8
        })
    }

    /// `CreateCandidateSplit` in every dimension; fills `ranks` with those of the new thresholds, after equal ones.
    #[cold]
    pub(crate) fn create(&mut self, values: &[f32], ranks: &mut Vec<u8>) {
        ranks.clear();
        for (dimension, &value) in values.iter().enumerate() {
            let start = dimension * usize::from(self.m);
            let thresholds = &mut self.thresholds[start..=start + usize::from(self.points)];
            let sources = &mut self.sources[start..=start + usize::from(self.points)];
            let mut rank = usize::from(self.points);
            // `>`: behind equal thresholds, so that the sources of equal ones stay in the order of arrival.
            while rank > 0 && thresholds[rank - 1] > value {
                thresholds[rank] = thresholds[rank - 1];
                sources[rank] = sources[rank - 1];
                rank -= 1;
            }
            thresholds[rank] = value;
            sources[rank] = self.points;
            ranks.push(rank as u8);
        }
        self.points += 1;
    }

    pub(crate) fn bytes(&self) -> usize {
        self.features.bytes() + size_of_val(&*self.thresholds) + size_of_val(&*self.sources)
    }

    /// Checks lengths, features and sources: after decoding.
    pub(crate) fn check(&self, width: usize) -> Result<(), InvariantError> {
        let places = self.dimensions().checked_mul(self.m.into());
        let sound = self.points <= self.m
            && self.m > 0
            && self.dimensions() > 0
            && [self.thresholds.len(), self.sources.len()].map(Some) == [places; 2]
            && self.features.fit(width)
            && (0..self.dimensions())
                .flat_map(|dimension| self.sources(dimension))
                .all(|&source| source < self.points);
        let what = "impossible dimensions, lengths or sources";
        InvariantError::require(sound, "candidates", what)
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::has_frequencies;

    use super::*;

    fn axes(count: usize, width: usize, rng: &mut TreeRng) -> Vec<u32> {
        match FeatureSource::Axes.draw(count, width, rng) {
            Features::Axes(axes) => axes.into(),
            Features::Pairs(_) => Vec::new(),
        }
    }

    #[test]
    fn ordered_choices_of_axes_are_equally_likely() {
        let mut rng = TreeRng::new(12, 0);
        let mut counts = [0; 16];
        for _ in 0..50_000 {
            let pair = axes(2, 4, &mut rng);
            counts[(pair[0] * 4 + pair[1]) as usize] += 1;
        }
        let mut expected = [1.0 / 12.0; 16];
        (0..4).for_each(|axis| expected[5 * axis] = 0.0);
        assert!(has_frequencies(&counts, &expected) > 1e-3);
        assert_eq!(axes(9, 3, &mut TreeRng::new(1, 0)).len(), 3);
        let pinned = axes(5, 100, &mut TreeRng::new(2013, 4));
        assert_eq!(pinned, [78, 60, 25, 86, 19]);
    }

    /// Returns a 5×5 window whose pixel in column x and row y has depth 10·y + x + 1, the centre `depth`.
    fn window(depth: f32) -> Vec<f32> {
        let mut pixels: Vec<f32> = (0..25).map(|i| (10 * (i / 5) + i % 5 + 1) as f32).collect();
        pixels[12] = depth;
        pixels
    }

    #[test]
    fn offsets_count_from_the_centre_shrink_with_depth_and_stop_at_the_border() {
        for (offset, depth) in [([0.0, 0.0], 1.0), ([2.0, -2.0], 5.0), ([-1.0, 1.0], 32.0)] {
            assert_eq!(probe(&window(1.0), 5, 1.0, offset), depth);
        }
        let u = [2.0, -2.0];
        let feature = PixelPair { u, v: [0.0, 4.0] };
        assert_eq!(feature.value(&window(1.0)), 5.0 - 43.0);
        assert_eq!(feature.value(&window(2.0)), 14.0 - 43.0);
        assert_eq!(feature.value(&window(4.0)), 14.0 - 33.0);
        for depth in [0.0, -1.0, f32::MAX, f32::MIN_POSITIVE] {
            assert!(!feature.value(&window(depth)).is_nan());
        }
    }

    #[test]
    fn offsets_have_the_stated_variance() {
        let source = FeatureSource::PixelPairs { variance: 4.0 };
        let Features::Pairs(pairs) = source.draw(20_000, 25, &mut TreeRng::new(3, 0)) else {
            unreachable!("they are pairs");
        };
        let across = pairs.iter().flat_map(|pair| [pair.u[0], pair.v[1]]);
        let squares = across.map(|z| f64::from(z).powi(2)).sum::<f64>() / 40_000.0;
        // The mean of 40 000 squares has deviation 4·√(2/40 000): five of them.
        assert!((squares - 4.0).abs() < 5.0 * 0.0283, "{squares}");
    }

    #[test]
    fn points_of_pixel_pairs_are_windows() {
        let check = |variance, width| FeatureSource::PixelPairs { variance }.check(width);
        for (width, accepted) in [(1, true), (9, true), (16, false), (24, false), (25, true)] {
            assert_eq!(check(75.0, width).is_ok(), accepted, "{width}");
        }
        assert_eq!(check(0.0, 25).unwrap_err().parameter, "variance");
    }
}
