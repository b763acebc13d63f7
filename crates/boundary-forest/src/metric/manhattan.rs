//! Along the axes.

use super::{Metric, ProxyForm, lanes};

/// The sum of the absolute differences, its own proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Manhattan;

impl Metric for Manhattan {
    const FORM: ProxyForm = ProxyForm::Absolutes;

    #[inline]
    fn proxy(x: &[f32], y: &[f32]) -> f64 {
        lanes::sum(x, y, |a, b| (a - b).abs())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_way_along_the_axes() {
        assert_eq!(Manhattan::proxy(&[0.0, 0.0], &[3.0, -4.0]), 7.0);
        let far = Manhattan::proxy(&[f32::MAX; 9], &[f32::MIN; 9]);
        assert_eq!(far, 18.0 * f64::from(f32::MAX));
    }
}
