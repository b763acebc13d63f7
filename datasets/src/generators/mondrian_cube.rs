//! The Mondrian cube: two boxes along a diagonal, turned so that no axis cut fits.
//!
//! Paper: S. Ge, S. Wang, Y. W. Teh, L. Wang, L. T. Elliott, *Random tessellation forests*, NeurIPS 2019,
//! section 3.1. Points are uniform in [0, 1]³; class 1 in [0, ¼]³ ∪ [¼, 1]³, else class 2 (so 28 in 64 points
//! are of class 1). They are centred, then turned by π/4 about the first axis and by −π/4 about the second.
//!
//! Centred means: the middle of the cube, (½, ½, ½), goes to the origin. `rotated=no` leaves the cube upright,
//! where axis cuts fit.

use forest_core::parameters::{Parameter, Rule, Values, Words};
use std::f64::consts::FRAC_PI_4;

use super::sample::{Outcome, Sampler, uniform};
use super::streams::Streams;
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "mondrian-cube",
    title: "two boxes in a turned cube: two classes that axis cuts separate badly",
    parameters: &[Parameter::new(
        "rotated",
        Rule::Words(&POSES.names()),
        "yes",
        "whether the cube is turned",
    )],
    common: &COMMON,
    sampler,
};

/// The orientation of the cube.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Pose {
    Turned,
    Upright,
}

const POSES: Words<Pose, 2> = Words([("yes", Pose::Turned), ("no", Pose::Upright)]);

struct MondrianCube {
    pose: Pose,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let rotated: String = parameters.value("rotated");
    Box::new(MondrianCube {
        pose: POSES.value(&rotated),
    })
}

impl Sampler for MondrianCube {
    fn width(&self) -> usize {
        3
    }

    fn classes(&self) -> Vec<String> {
        vec!["1".to_owned(), "2".to_owned()]
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        let low = row.iter().filter(|x| **x <= 0.25).count();
        let centred = [row[0], row[1], row[2]].map(|x| f64::from(x) - 0.5);
        let placed = match self.pose {
            Pose::Turned => turn(centred),
            Pose::Upright => centred,
        };
        row.copy_from_slice(&placed.map(|x| x as f32));
        // All three coordinates in the small box, or none.
        Outcome::Class(if low == 0 || low == 3 { 0 } else { 1 })
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0)
    }
}

/// By π/4 about the first axis, then by −π/4 about the second (right-handed).
fn turn([x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = FRAC_PI_4.sin_cos();
    let (y, z) = (cos * y - sin * z, sin * y + cos * z);
    [cos * x - sin * z, y, sin * x + cos * z]
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;
    use crate::Dataset;
    use crate::generators::labelled;

    fn generate(address: &str) -> (Dataset, Vec<u32>) {
        labelled(&GENERATOR, address)
    }

    #[test]
    fn class_one_has_its_share_of_the_volume() {
        let (_, labels) = generate("mondrian-cube:n=100000,test=0");
        let share = labels.iter().filter(|label| **label == 0).count() as f64 / 1e5;
        // Five standard errors.
        assert_abs_diff_eq!(share, 28.0 / 64.0, epsilon = 5.0 * (0.25_f64 / 1e5).sqrt());
    }

    #[test]
    fn axes_turn_where_the_paper_says() {
        let half = 0.5_f64.sqrt();
        let expected = [[half, 0.0, half], [-0.5, half, 0.5], [-0.5, -half, 0.5]];
        for (axis, image) in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
            .into_iter()
            .zip(expected)
        {
            assert_abs_diff_eq!(turn(axis).as_slice(), image.as_slice(), epsilon = 1e-12);
        }
    }
}
