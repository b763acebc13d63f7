//! Normal draws (Marsaglia and Tsang 2000, "The ziggurat method for generating random variables").
//!
//! Half of the area below f(x) = e^(−x²/2), x ≥ 0, is covered by layers of one area, each a rectangle from 0 to its
//! width; the lowest has what is below its height and the tail beyond [`BASE`]. A layer is drawn uniformly, then a
//! place in it, which nearly always lies below f, because it lies in the next layer's width, and is the draw. A draw
//! is exact and costs 64 random bits and a multiplication: .38 of the time of the polar method.

use std::sync::LazyLock;

use super::TreeRng;

const LAYERS: usize = 256;

/// Where the tail begins. It is chosen such that the layers of one area end at f(0).
const BASE: f64 = 3.654_152_885_361_009;

/// Computed once with `libm`, so that it has the same bits everywhere.
static ZIGGURAT: LazyLock<Ziggurat> = LazyLock::new(Ziggurat::new);

struct Ziggurat {
    /// Of the layers from the lowest on, and 0 above the last.
    widths: [f64; LAYERS + 1],
    /// f at the widths: where the layers begin, and 1 above the last. The lowest layer has no use for it.
    heights: [f64; LAYERS + 1],
}

/// Returns f(x), the density of a normal without its constant.
fn density(x: f64) -> f64 {
    libm::exp(-0.5 * x * x)
}

/// Returns the area of a layer: the rectangle below f(`BASE`), and the tail.
fn area() -> f64 {
    let tail = (0.5 * std::f64::consts::PI).sqrt() * libm::erfc(BASE / std::f64::consts::SQRT_2);
    BASE * density(BASE) + tail
}

impl Ziggurat {
    fn new() -> Self {
        let area = area();
        let mut widths = [0.0; LAYERS + 1];
        widths[0] = area / density(BASE);
        widths[1] = BASE;
        for layer in 2..LAYERS {
            let below = widths[layer - 1];
            widths[layer] = (-2.0 * libm::log(density(below) + area / below)).sqrt();
        }
        let heights = widths.map(density);
        Self { widths, heights }
    }
}

impl TreeRng {
    /// Draws a normal number with mean 0 and variance 1, exact, by a ziggurat.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        let ziggurat = &*ZIGGURAT;
        loop {
            let bits = self.bits();
            // The lowest bits choose the layer, the highest 53 the place in it, from −1 to 1.
            let layer = bits as usize % LAYERS;
            let place = (bits as i64 >> 11) as f64 * (0.5f64).powi(52);
            let x = place * ziggurat.widths[layer];
            if x.abs() < ziggurat.widths[layer + 1] {
                return x;
            }
            if let Some(x) = ziggurat.outside(layer, x, self) {
                return x;
            }
        }
    }
}

impl Ziggurat {
    /// Returns the draw for a place of a layer outside of the next layer's width, if it is not rejected.
    #[cold]
    fn outside(&self, layer: usize, x: f64, rng: &mut TreeRng) -> Option<f64> {
        if layer == 0 {
            return Some(beyond_base(rng).copysign(x));
        }
        let [low, high] = [self.heights[layer], self.heights[layer + 1]];
        let height = low + rng.uniform() * (high - low);
        (height < density(x)).then_some(x)
    }
}

/// Returns a normal number that is known to be above `BASE` (Marsaglia 1964): a shifted exponential one, by rejection.
fn beyond_base(rng: &mut TreeRng) -> f64 {
    loop {
        let beyond = rng.exponential() / BASE;
        if 2.0 * rng.exponential() > beyond * beyond {
            return BASE + beyond;
        }
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{
        has_distribution, has_frequencies, same_mean, same_probability,
    };

    use super::*;

    const DRAWS: usize = 2_000_000;

    /// Probability with which a test fails by chance.
    const LEVEL: f64 = 1e-3;

    /// Returns P(Z > x), with full relative precision in the tail.
    fn above(x: f64) -> f64 {
        0.5 * libm::erfc(x / std::f64::consts::SQRT_2)
    }

    fn draws(stream: usize, mut draw: impl FnMut(&mut TreeRng) -> f64) -> Vec<f64> {
        let mut rng = TreeRng::new(17, stream);
        (0..DRAWS).map(|_| draw(&mut rng)).collect()
    }

    #[test]
    fn layers_have_one_area_and_end_at_the_top() {
        let Ziggurat { widths, heights } = &*ZIGGURAT;
        for layer in 1..LAYERS {
            let own = widths[layer] * (heights[layer + 1] - heights[layer]);
            assert!((own / area() - 1.0).abs() < 1e-10, "{layer}: {own}");
        }
        assert!((widths[0] * heights[1] / area() - 1.0).abs() < 1e-14);
        assert_eq!((widths[LAYERS], heights[LAYERS]), (0.0, 1.0));
    }

    #[test]
    fn draws_are_normal() {
        let normals = draws(0, TreeRng::normal);
        assert!(has_distribution(normals.clone(), |x| above(-x)) > LEVEL);
        for (power, moment) in [(1, 0.0), (2, 1.0), (3, 0.0), (4, 3.0), (6, 15.0)] {
            let powers: Vec<f64> = normals.iter().map(|x| x.powi(power)).collect();
            assert!(same_mean(&powers, moment) > LEVEL, "{power}");
        }
        let wrong = normals.iter().map(|x| x + 0.005).collect();
        assert!(has_distribution(wrong, |x| above(-x)) < LEVEL);
    }

    /// Returns how many sizes lie between neighbouring widths, where draws of one layer begin to be rejected.
    fn by_width(sizes: &[f64], widths: &[f64]) -> Vec<usize> {
        let mut counts = vec![0; widths.len()];
        for size in sizes {
            counts[widths.partition_point(|width| size < width)] += 1;
        }
        counts
    }

    #[test]
    fn draws_between_the_widths_of_layers_have_their_frequencies() {
        let widths = &ZIGGURAT.widths[1..];
        let ends = std::iter::once(f64::INFINITY).chain(widths.iter().copied());
        let between = ends
            .zip(widths)
            .map(|(outer, inner)| 2.0 * (above(*inner) - above(outer)));
        let distribution: Vec<f64> = between.collect();
        let sizes: Vec<f64> = draws(1, TreeRng::normal)
            .into_iter()
            .map(f64::abs)
            .collect();
        assert!(has_frequencies(&by_width(&sizes, widths), &distribution) > LEVEL);
        // A place outside the next width is kept whatever its height: one in a hundred is too far out.
        let kept = draws(1, |rng| {
            let layer = 1 + rng.below(LAYERS - 1);
            rng.uniform() * ZIGGURAT.widths[layer]
        });
        assert!(has_frequencies(&by_width(&kept, widths), &distribution) < LEVEL);
    }

    #[test]
    fn tails_have_their_probabilities_on_both_sides() {
        let normals = draws(2, TreeRng::normal);
        for x in [2.0, 3.0, 3.5, BASE, 3.8, 4.0, 4.5] {
            let count = |side: f64| normals.iter().filter(|z| side * **z > x).count();
            for side in [-1.0, 1.0] {
                let p = same_probability(count(side), DRAWS, above(x));
                assert!(p > LEVEL, "{side} · {x}: {p}");
            }
        }
    }

    #[test]
    fn draws_beyond_the_base_have_the_distribution_of_the_tail() {
        let distribution = |x: f64| 1.0 - above(x) / above(BASE);
        assert!(has_distribution(draws(3, beyond_base), distribution) > LEVEL);
        let exponential = draws(3, |rng| BASE + rng.exponential() / BASE);
        assert!(
            has_distribution(exponential, distribution) < LEVEL,
            "the test can fail"
        );
    }
}
