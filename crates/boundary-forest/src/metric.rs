//! How far two points are apart: the paper's `d`.

mod cosine;
mod euclidean;
mod lanes;
mod manhattan;
mod proxy_form;

use std::fmt::Debug;

pub use cosine::Cosine;
pub use euclidean::{Euclidean, SquaredEuclidean};
pub use manhattan::Manhattan;
pub use proxy_form::ProxyForm;

/// The metric for comparing positions, the paper's `d(x, y)`, as a type.
///
/// "This 'metric' can be any real function": only its order and, for the final weights, its value
/// are used, so neither symmetry nor the triangle inequality is required. The walk compares
/// *proxies*, which may be anything that is ordered like the distance and cheaper to compute.
///
/// A metric of your own:
///
/// ```
/// use boundary_forest::Metric;
///
/// /// The largest difference in any feature.
/// #[derive(Clone, Copy, Debug, Default)]
/// struct Chebyshev;
///
/// impl Metric for Chebyshev {
///     fn proxy(x: &[f32], y: &[f32]) -> f64 {
///         let differences = x.iter().zip(y).map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs());
///         differences.fold(0.0, f64::max)
///     }
/// }
/// assert_eq!(Chebyshev::proxy(&[0.0, 7.0], &[3.0, 3.0]), 4.0);
/// ```
pub trait Metric: Copy + Debug + Default + Send + Sync + 'static {
    /// What proxies are sums of. Any form but [`ProxyForm::Other`] makes queries faster, and wrong if
    /// it is not the true one.
    const FORM: ProxyForm = ProxyForm::Other;

    /// Returns a number that grows with the distance of `x` and `y`, which have the same length and are finite.
    ///
    /// Never NaN, always the same for the same points, and zero only for points that count as equal.
    fn proxy(x: &[f32], y: &[f32]) -> f64;

    /// Returns the distance that `proxy` stands for: increasing, 0 at 0; itself unless an implementation says
    /// otherwise.
    #[inline]
    fn distance(proxy: f64) -> f64 {
        proxy
    }
}
