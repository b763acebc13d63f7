//! Sums over features whose terms quantization can bound.

/// What a proxy is the sum of: decides whether codes can rule out points that are not the closest.
///
/// With `S` the difference of two codes, the distance of the two points lies within an *error* of
/// `S`: what each of them lost by quantization, by the triangle inequality. The least `S` of several
/// points therefore limits the `S` of every one that can be the closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyForm {
    /// The sum over the features of `(x − y)²`, computed as [`Euclidean`](crate::Euclidean) does.
    Squares,
    /// The sum over the features of `|x − y|`, computed as [`Manhattan`](crate::Manhattan) does.
    Absolutes,
    /// Anything else: every distance is computed from the points.
    Other,
}

/// Room for rounding in the comparison of bounds: more than a sum of 2¹⁶ numbers can lose.
const SLACK: f64 = 1.0 + 1e-9;

impl ProxyForm {
    /// Returns the difference of two codes, exactly, whatever the order of summation.
    #[doc(hidden)]
    #[inline(always)]
    pub fn difference(self, x: &[u8], y: &[u8]) -> u32 {
        let pairs = x.iter().zip(y);
        match self {
            Self::Squares => {
                let differences = pairs.map(|(&a, &b)| i32::from(a) - i32::from(b));
                differences.map(|d| (d * d) as u32).sum()
            }
            Self::Absolutes => pairs.map(|(&a, &b)| u32::from(a.abs_diff(b))).sum(),
            Self::Other => 0,
        }
    }

    /// Returns the distance that has these differences per feature.
    pub(crate) fn norm(self, differences: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Squares => differences.map(|d| d * d).sum::<f64>().sqrt(),
            Self::Absolutes => differences.map(f64::abs).sum(),
            Self::Other => f64::INFINITY,
        }
    }

    /// Returns the largest difference that can belong to a point as close as one with difference `least`,
    /// if both distances are off by `error` steps of the quantizer at most.
    pub(crate) fn limit(self, least: u32, error: f64) -> u32 {
        // Twice: the error of the closest by codes, and that of the other candidate.
        let (least_sum, error) = (f64::from(least), 2.0 * error);
        match self {
            // Without errors only ties remain; slack would add candidates that are further.
            _ if error == 0.0 => least,
            Self::Squares => ((least_sum.sqrt() + error) * SLACK).powi(2) as u32,
            Self::Absolutes => ((least_sum + error) * SLACK) as u32,
            Self::Other => u32::MAX,
        }
    }

    /// Returns the proxy of two points that equal their codes, bit for bit what the metric says.
    pub(crate) fn proxy(self, difference: u32, step: f64) -> f64 {
        match self {
            Self::Squares => f64::from(difference) * (step * step),
            Self::Absolutes | Self::Other => f64::from(difference) * step,
        }
    }
}
