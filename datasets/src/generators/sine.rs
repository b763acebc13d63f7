//! Sine: points above or below a curve, whose sides change places.
//!
//! Paper: J. Gama, P. Medas, G. Castillo, P. Rodrigues, *Learning with drift detection*, SBIA 2004. Two features x and y are uniform in
//! [0, 1]. With `curve=1` a point is of class 1 if y < sin(x), with `curve=2` if y < 0.5 + 0.3·sin(3πx); at each change, the two classes
//! change places. There is no noise: the best possible accuracy is 1.

use std::f64::consts::PI;

use forest_core::parameters::{Parameter, Rule, Values};

use super::changes::{EVERY, exact, turned};
use super::sample::{Sampler, uniform};
use super::{Generator, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "sine",
    title: "sine: the two sides of a curve change places; best possible accuracy 1",
    parameters: &[
        EVERY,
        Parameter::new(
            "curve",
            Rule::CountFromTo(1, 2),
            "1",
            "1: sin x; 2: 0.5 + 0.3 sin 3πx",
        ),
    ],
    common: &STREAM,
    sampler,
};

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let is_below: fn(f64, f64) -> bool = match parameters.value("curve") {
        1 => is_below_sine,
        _ => is_below_wave,
    };
    exact(parameters, 2, move |concept, streams, row| {
        uniform(&mut streams.inputs, row);
        turned(concept, is_below(row[0].into(), row[1].into()))
    })
}

/// Returns whether a point lies below the first curve.
fn is_below_sine(x: f64, y: f64) -> bool {
    y < x.sin()
}

/// Returns whether a point lies below the second curve, of which `mixed` makes a feature, too.
pub(super) fn is_below_wave(x: f64, y: f64) -> bool {
    y < 0.5 + 0.3 * (3.0 * PI * x).sin()
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{has_distribution, same_probability};

    use super::*;
    use crate::generators::labelled;

    #[test]
    fn classes_have_the_area_below_their_curve_and_change_places() {
        // ∫ sin x over [0, 1] is 1 − cos 1; of the second curve .5 + .3 · 2 / (3π).
        for (curve, area) in [(1, 1.0 - 1f64.cos()), (2, 0.5 + 0.2 / PI)] {
            let (data, labels) = labelled(
                &GENERATOR,
                &format!("sine:n=20000,every=10000,curve={curve}"),
            );
            assert_eq!(data.changes, [10_000]);
            let ones = |part: &[u32]| part.iter().sum::<u32>() as usize;
            assert!(same_probability(ones(&labels[..10_000]), 10_000, area) > 1e-4);
            assert!(same_probability(ones(&labels[10_000..]), 10_000, 1.0 - area) > 1e-4);
            for column in data.features.columns() {
                let values = column.iter().map(|x| f64::from(*x)).collect();
                assert!(has_distribution(values, |x| x.clamp(0.0, 1.0)) > 1e-4);
            }
        }
    }
}
