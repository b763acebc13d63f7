//! Depth pictures of a body, each pixel labelled with its part.
//!
//! Stands in for the data of the Kinect experiment of M. Denil, D. Matheson, N. de Freitas, *Consistency of online
//! random forests*, ICML 2013, section 5.3, which were rendered from motion capture and are not public: a person made
//! of fifteen capsules, in random poses, before a wall.
//!
//! A row is the square window of depths around one pixel, row after row, in metres; its label is the part that the
//! pixel shows. A part is drawn first, then a place along it, so that all parts are about equally frequent, as in the
//! experiment; a place that another part hides is labelled with what is seen.
//!
//! Whole pictures come from [`Body`]: one pose, looked at pixel by pixel.

mod body;
mod camera;

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;

use super::sample::{Outcome, Sampler};
use super::streams::Streams;
use super::{COMMON, Generator};

pub use body::{BACKGROUND, Body, PARTS};
pub use camera::{HEIGHT, Pixel, WIDTH};

pub(super) const GENERATOR: Generator = Generator {
    name: "depth-body",
    title: "windows of depth pictures of a body made of capsules; which part is in the middle",
    parameters: &[Parameter::new(
        "radius",
        Rule::CountFromTo(1, 64),
        "12",
        "pixels from the middle of a window to its border",
    )],
    common: &COMMON,
    sampler,
};

struct DepthBody {
    radius: usize,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let radius = parameters.value("radius");
    Box::new(DepthBody { radius })
}

impl Sampler for DepthBody {
    fn width(&self) -> usize {
        (2 * self.radius + 1).pow(2)
    }

    fn classes(&self) -> Vec<String> {
        PARTS.map(str::to_owned).to_vec()
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        let body = Body::random(&mut streams.inputs);
        let part = streams.labels.random_range(0..PARTS.len());
        let t = streams.labels.random();
        let (x, y) = match part as u32 {
            // Two pixels above the head there is the wall, unless an arm is raised.
            BACKGROUND => {
                let (x, y) = body.pixel_of(0, t);
                (x + 8, y - 8)
            }
            _ => body.pixel_of(part, t),
        };
        body.window(x, y, row);
        Outcome::Class(body.look(x, y).part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generators::labelled;

    #[test]
    fn every_part_is_seen_often() {
        let (data, labels) = labelled(&GENERATOR, "depth-body:n=3000,test=0,radius=1");
        assert_eq!(data.features.ncols(), 9);
        for (part, name) in PARTS.iter().enumerate() {
            let count = labels.iter().filter(|label| **label == part as u32).count();
            assert!(count > 80, "{name}: {count} of 3000");
        }
    }

    #[test]
    fn bodies_stand_in_the_picture() {
        let mut streams = Streams::of(3, crate::generators::streams::Part::Train);
        for _ in 0..20 {
            let body = Body::random(&mut streams.inputs);
            let rows = (0..HEIGHT as i32).flat_map(|y| (0..WIDTH as i32).map(move |x| (x, y)));
            let seen = rows.filter(|&(x, y)| body.look(x, y).part != BACKGROUND);
            let share = seen.count() as f64 / (WIDTH * HEIGHT) as f64;
            assert!((0.05..0.5).contains(&share), "{share}");
        }
    }
}
