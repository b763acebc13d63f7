//! Mixed: two truths and a point below a curve, of which two must hold.
//!
//! Paper: J. Gama, P. Medas, G. Castillo, P. Rodrigues, *Learning with drift detection*, SBIA 2004. Features v and w are 0 or 1 with
//! equal probabilities, x and y uniform in [0, 1]. A row is of class 1 if at least two of v = 1, w = 1 and y < 0.5 + 0.3·sin(3πx) hold; at
//! each change, the two classes change places. There is no noise: the best possible accuracy is 1.

use forest_core::parameters::Values;
use rand::RngExt;

use super::changes::{EVERY, exact, turned};
use super::sample::{Sampler, uniform};
use super::sine::is_below_wave;
use super::{Generator, STREAM};

pub(super) const GENERATOR: Generator = Generator {
    name: "mixed",
    title: "mixed: two of three conditions, whose classes change places; best possible accuracy 1",
    parameters: &[EVERY],
    common: &STREAM,
    sampler,
};

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    exact(parameters, 4, |concept, streams, row| {
        let truths: [bool; 2] = streams.inputs.random();
        row[..2]
            .iter_mut()
            .zip(truths)
            .for_each(|(cell, truth)| *cell = f32::from(truth));
        uniform(&mut streams.inputs, &mut row[2..]);
        let is_below = is_below_wave(row[2].into(), row[3].into());
        let conditions = [truths[0], truths[1], is_below];
        let holding = conditions.into_iter().filter(|holds| *holds).count();
        turned(concept, holding >= 2)
    })
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use forest_testing::statistics::same_probability;

    use super::*;
    use crate::generators::labelled;

    #[test]
    fn two_conditions_of_three_make_class_1_until_the_classes_change_places() {
        let (data, labels) = labelled(&GENERATOR, "mixed:n=20000,every=10000");
        assert_eq!(data.changes, [10_000]);
        for (row, label) in labels.iter().enumerate() {
            let x = |column: usize| f64::from(data.features[[row, column]]);
            let curve = x(3) < 0.5 + 0.3 * (3.0 * PI * x(2)).sin();
            let holding = x(0) + x(1) + f64::from(u8::from(curve));
            assert_eq!(*label == 1, (holding >= 2.0) == (row < 10_000), "row {row}");
        }
        // Of v and w both hold in a quarter of the rows, one in a half, where the point decides: its area is .5 + .2 / π.
        let share = 0.25 + 0.5 * (0.5 + 0.2 / PI);
        let ones = labels[..10_000].iter().sum::<u32>() as usize;
        assert!(same_probability(ones, 10_000, share) > 1e-4);
        for column in 0..2 {
            let ones = data.features.column(column).sum() as usize;
            assert!(same_probability(ones, 20_000, 0.5) > 1e-4);
        }
    }
}
