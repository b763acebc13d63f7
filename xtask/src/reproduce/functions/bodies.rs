//! Parts of bodies in depth pictures, with features of pixel pairs (Denil et al. 2013, section 5.3).
//!
//! The paper's pictures were rendered from motion capture and are not public. What stands in for them is a person made
//! of fifteen capsules on a skeleton, in random poses, before a wall, as a pinhole camera in the origin sees them.

use std::f64::consts::{LOG2_E, PI};

use anyhow::Result;
use forest_core::{Classification, Forest, OnlineLearner, Schema};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use stream_rf::{FeatureSource, Growth, SaffariSettings, SaffariTree};
use stream_rf::{StreamSettings, StreamTree, Vote};

use crate::reproduce::function::{Function, Library, forest, right};
use crate::reproduce::record::RecordRow;

/// Measures accuracy on pixels of the body, and megabytes, after each number of poses.
#[derive(Deserialize)]
pub(crate) struct Bodies {
    series: String,
    poses: usize,
    test_poses: usize,
    candidates: u32,
    /// Of the stream-partitioned forest; Saffari's has none.
    fringe: Option<u32>,
    trees: usize,
}

/// Width and height of a window, in pixels.
const SIDE: usize = 41;
/// Pixels of each part that a pose contributes.
const PIXELS: usize = 10;
/// Head, chest, belly; upper arm, forearm and hand, twice; thigh, shin and foot, twice; and what is not the body.
const PARTS: usize = 16;
const BACKGROUND: u32 = 15;
/// Pixels across and down a picture, and the distance of its plane in pixels.
const WIDTH: i32 = 112;
const HEIGHT: i32 = 128;
const FOCUS: f64 = 150.0;
/// Depth of the wall behind the body, in metres.
const WALL: f64 = 6.0;

impl Function for Bodies {
    fn rows(&self, seed: u64, _: Option<f64>, _: &Library) -> Result<Vec<RecordRow>> {
        let mut forest = self.forest(seed)?;
        // Poses that are not learned.
        let mut random = ChaCha8Rng::seed_from_u64(2 * seed + 1);
        let mut windows = Vec::new();
        let mut truth = Vec::new();
        for _ in 0..self.test_poses {
            let (some, parts) = pixels(&mut random)?;
            for (row, part) in some.outer_iter().zip(parts) {
                if part != BACKGROUND {
                    windows.extend(row);
                    truth.push(part);
                }
            }
        }
        let test = Array2::from_shape_vec((truth.len(), SIDE * SIDE), windows)?;
        let mut random = ChaCha8Rng::seed_from_u64(2 * seed);
        let mut rows = Vec::new();
        for pose in 1..=self.poses {
            let (features, labels) = pixels(&mut random)?;
            forest.learn(features.view(), &labels)?;
            // Measured after the whole, a half, a quarter, …
            let is_part = self.poses.is_multiple_of(pose) && (self.poses / pose).is_power_of_two();
            if is_part && 16 * pose >= self.poses {
                let right = right(&forest.predict(test.view())?, &truth);
                let accuracy = right as f64 / truth.len() as f64;
                let megabytes = forest.footprint().bytes as f64 / 1e6;
                let place = ("bodies", &self.series[..], Some(pose as f64));
                let values = [("accuracy", accuracy), ("megabytes", megabytes)];
                rows.push(RecordRow::new(place, &values));
            }
        }
        Ok(rows)
    }
}

impl Bodies {
    /// Returns a forest with the settings of section 5.3.
    fn forest(&self, seed: u64) -> Result<Box<dyn OnlineLearner<Task = Classification>>> {
        let schema = Schema::new(SIDE * SIDE)?.with_classes(PARTS as u32)?;
        let forest = forest(self.trees, seed);
        // A hundredth of the paper's picture; offsets are in its own pixels.
        let features = FeatureSource::PixelPairs { variance: 900.0 };
        if self.fringe.is_none() {
            let own = SaffariSettings {
                vote: Vote::Majority,
                features,
                tests: self.candidates,
                min_samples: 25,
                min_gain: 0.01,
                max_depth: 8,
                ..SaffariSettings::default()
            };
            let forest = Forest::<SaffariTree<_>>::new(schema, own, forest)?;
            return Ok(Box::new(forest));
        }
        let growth = |scale| Growth { scale, base: 1.01 };
        let own = StreamSettings {
            vote: Vote::Majority,
            features,
            lambda: self.candidates.into(),
            m: 10,
            tau: 0.01 * LOG2_E, // in nats there
            alpha: growth(25.0),
            beta: growth(100.0),
            fringe: self.fringe,
            ..StreamSettings::default()
        };
        Ok(Box::new(Forest::<StreamTree<_>>::new(schema, own, forest)?))
    }
}

/// Draws a person, and windows around up to [`PIXELS`] different pixels of each visible part, in random order.
fn pixels(random: &mut ChaCha8Rng) -> Result<(Array2<f32>, Vec<u32>)> {
    let body = body(random);
    let mut places: Vec<i32> = (0..HEIGHT * WIDTH).collect();
    for last in (1..places.len()).rev() {
        places.swap(last, random.random_range(0..=last));
    }
    let mut wanted = [PIXELS; PARTS];
    let mut windows = Vec::new();
    let mut labels = Vec::new();
    for place in places {
        let (x, y) = (place % WIDTH, place / WIDTH);
        let (_, part) = look(&body, x, y);
        if wanted[part as usize] > 0 {
            wanted[part as usize] -= 1;
            windows.extend(window(&body, x, y));
            labels.push(part);
        }
    }
    let shape = (labels.len(), SIDE * SIDE);
    Ok((Array2::from_shape_vec(shape, windows)?, labels))
}

/// A point or direction in metres: right, down, away from the camera.
type Vector = [f64; 3];

/// A part: all points within a radius of the line from a start to an end.
struct Capsule(u32, Vector, Vector, f64);

/// Returns a person of 1.5 to 1.9 metres, 2.4 to 3.6 metres away, turned and bent at random.
fn body(random: &mut ChaCha8Rng) -> Vec<Capsule> {
    let mut within = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    let scale = within(0.86, 1.09);
    let hip = [within(-0.3, 0.3), within(0.1, 0.25), within(2.4, 3.6)];
    let (sine, cosine) = within(-0.9, 0.9).sin_cos();
    let mut body = Vec::new();
    // Adds a part in a direction of the body's own right, down and back, and returns its end.
    let mut grow = |part: u32, start: Vector, to: Vector, length: f64, radius: f64| {
        let turned = [
            cosine * to[0] - sine * to[2],
            to[1],
            sine * to[0] + cosine * to[2],
        ];
        let end = along(start, turned, length * scale);
        body.push(Capsule(part, start, end, radius * scale));
        end
    };
    // A joint beside and below the hip, as seen from the body.
    let joint = |right: f64, down: f64| along(hip, [cosine * right, down, sine * right], scale);
    let lean = [within(-0.15, 0.15), -1.0, within(-0.2, 0.1)];
    let waist = grow(2, hip, unit(lean), 0.22, 0.14);
    let neck = grow(1, waist, unit(lean), 0.27, 0.15);
    let nod = [within(-0.3, 0.3), -1.0, within(-0.3, 0.2)];
    let chin = along(neck, [0.0, -1.0, 0.0], 0.16 * scale);
    grow(0, chin, unit(nod), 0.1, 0.095);
    for (side, arm, leg) in [(-1.0, 3, 9), (1.0, 6, 12)] {
        let (out, down) = within(0.05, 0.95 * PI).sin_cos();
        let (swing, ahead) = within(-0.2, 1.2).sin_cos();
        let upper = [side * out * ahead, down, -out * swing];
        let elbow = grow(arm, joint(side * 0.17, -0.47), upper, 0.28, 0.05);
        let bend = [within(-0.8, 0.8), within(-0.8, 0.8), within(-0.9, 0.1)];
        let lower = unit(along(upper, bend, 1.0));
        let wrist = grow(arm + 1, elbow, lower, 0.24, 0.042);
        grow(arm + 2, wrist, lower, 0.1, 0.05);
        let thigh = [side * within(0.0, 0.5), 1.0, within(-0.6, 0.15)];
        let knee = grow(leg, joint(side * 0.1, 0.05), unit(thigh), 0.4, 0.075);
        let shin = [side * within(-0.1, 0.3), 1.0, within(0.0, 0.6)];
        let ankle = grow(leg + 1, knee, unit(shin), 0.4, 0.055);
        grow(leg + 2, ankle, unit([side * 0.2, 0.2, -1.0]), 0.17, 0.045);
    }
    body.sort_by_key(|capsule| capsule.0);
    body
}

/// Returns the depth in metres that the camera sees in a pixel, inside its picture or not, and the part that it shows.
fn look(body: &[Capsule], x: i32, y: i32) -> (f32, u32) {
    let [across, down] =
        [(x, WIDTH), (y, HEIGHT)].map(|(at, of)| f64::from(at) - f64::from(of) / 2.0);
    let ray = unit([(across + 0.5) / FOCUS, (down + 0.5) / FOCUS, 1.0]);
    let (mut depth, mut part) = (WALL, BACKGROUND);
    for capsule in body {
        if let Some(reach) = capsule.hit(ray).filter(|reach| reach * ray[2] < depth) {
            depth = reach * ray[2];
            part = capsule.0;
        }
    }
    (depth as f32, part)
}

/// Returns the depths of a square window around a pixel, row after row.
fn window(body: &[Capsule], x: i32, y: i32) -> impl Iterator<Item = f32> {
    let side = SIDE as i32;
    let half = side / 2;
    (0..side * side).map(move |at| look(body, x + at % side - half, y + at / side - half).0)
}

impl Capsule {
    /// Returns how far a ray of length 1 from the origin goes until it hits the cylinder, or the sphere at an end.
    fn hit(&self, ray: Vector) -> Option<f64> {
        let &Self(_, start, end, radius) = self;
        let axis = along(end, start, -1.0);
        let from_start = start.map(|part| -part);
        let length2 = dot(axis, axis);
        let slope = dot(axis, ray);
        let (off_axis, off_ray) = (dot(axis, from_start), dot(ray, from_start));
        let a = length2 - slope * slope;
        let b = length2 * off_ray - off_axis * slope;
        let c = length2 * (dot(from_start, from_start) - radius.powi(2)) - off_axis.powi(2);
        let root = b * b - a * c;
        if root < 0.0 || a <= 0.0 {
            return None;
        }
        let reach = (-b - root.sqrt()) / a;
        let centre = match off_axis + reach * slope {
            passed if passed <= 0.0 => start,
            passed if passed >= length2 => end,
            _ => return Some(reach),
        };
        let reach = dot(ray, centre);
        let root = reach * reach - dot(centre, centre) + radius.powi(2);
        (root >= 0.0).then(|| reach - root.sqrt())
    }
}

/// `start + length · direction`.
fn along(start: Vector, direction: Vector, length: f64) -> Vector {
    [0, 1, 2].map(|i| start[i] + length * direction[i])
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn unit(direction: Vector) -> Vector {
    let length = dot(direction, direction).sqrt();
    direction.map(|part| part / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capsule_is_seen_where_it_is() {
        let upright = [Capsule(4, [0.0, -0.5, 3.0], [0.0, 0.5, 3.0], 0.2)];
        let pointing = [Capsule(4, [0.0, 0.0, 2.0], [0.0, 0.0, 4.0], 0.2)];
        // The end of the axis is 25 pixels below; the sphere around it reaches 10 further.
        for (body, across, down, depth, expected) in [
            (&upright, 0, 0, 2.8, 4),
            (&upright, 0, 25, 2.8, 4),
            (&upright, 12, 0, 6.0, BACKGROUND),
            (&pointing, 0, 0, 1.8, 4),
        ] {
            let (seen, part) = look(body, WIDTH / 2 + across, HEIGHT / 2 + down);
            assert!(
                (seen - depth).abs() < 1e-3 && part == expected,
                "{seen} {part}"
            );
        }
        for (across, down, expected) in [(0, 34, 4), (0, 36, BACKGROUND), (9, 0, 4)] {
            assert_eq!(
                look(&upright, WIDTH / 2 + across, HEIGHT / 2 + down).1,
                expected
            );
        }
        let window: Vec<f32> = window(&upright, 60, 60).collect();
        assert_eq!(window.len(), SIDE * SIDE);
        assert_eq!(window[SIDE * SIDE / 2], look(&upright, 60, 60).0);
        assert_eq!(window[SIDE + 2], look(&upright, 60 - 18, 60 - 19).0);
    }
}
