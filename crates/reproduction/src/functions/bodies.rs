//! Parts of bodies in depth pictures, with features of pixel pairs (Denil et al. 2013, section 5.3).
//!
//! The paper's pictures were rendered from motion capture and are not public. What stands in for them is a person made of fifteen capsules on a
//! skeleton, in random poses, before a wall, as a pinhole camera in the origin sees them.

use std::f64::consts::{LOG2_E, PI};

use anyhow::{Result, bail};
use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Schema, argmax};
use ndarray::Array2;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use stream_rf::{
    FeatureSource, Growth, SaffariSettings, SaffariTree, StreamSettings, StreamTree, Vote,
};

use super::forest;
use crate::runs::Row;

/// Measures accuracy on pixels of the body, and megabytes, after each number of poses.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Bodies {
    series: String,
    poses: usize,
    test_poses: usize,
    candidates: u32,
    trees: usize,
}

/// Width and height of a window, in pixels.
const SIDE: usize = 41;
/// Pixels of each part that a pose contributes.
const PIXELS: usize = 10;
/// Head, chest, belly; upper arm, forearm and hand of both arms; thigh, shin and foot of both legs; and what is not the body.
const PARTS: usize = 16;
const BACKGROUND: u32 = 15;
/// Pixels across and down a picture, and the distance of its plane in pixels.
const WIDTH: i32 = 112;
const HEIGHT: i32 = 128;
const FOCUS: f64 = 150.0;
/// Depth of the wall behind the body, in metres.
const WALL: f64 = 6.0;
/// A hundredth of the paper's picture; offsets are in its own pixels.
const SPACE: FeatureSource = FeatureSource::PixelPairs { variance: 900.0 };

impl Bodies {
    pub(super) fn rows(&self, seed: u64) -> Result<Vec<Row>> {
        let growth = |scale| Growth { scale, base: 1.01 };
        let mut stream = StreamSettings {
            lambda: self.candidates.into(),
            // Section 5.3; τ in nats there.
            m: 10,
            tau: 0.01 * LOG2_E,
            alpha: growth(25.0),
            beta: growth(100.0),
            fringe: Some(1000),
            vote: Vote::Majority,
            features: SPACE,
            ..StreamSettings::default()
        };
        let saffari = SaffariSettings {
            tests: self.candidates,
            min_samples: 25,
            min_gain: 0.01,
            max_depth: 8,
            vote: Vote::Majority,
            features: SPACE,
            ..SaffariSettings::default()
        };
        match self.series.as_str() {
            "stream-rf, F = 1000" => self.line::<StreamTree<_>>(seed, stream),
            "stream-rf, F = 100" => {
                stream.fringe = Some(100);
                self.line::<StreamTree<_>>(seed, stream)
            }
            "saffari, depth 8" => self.line::<SaffariTree<_>>(seed, saffari),
            other => bail!("unknown `series` `{other}`"),
        }
    }

    fn line<K: OnlineTree<Task = Classification>>(
        &self,
        seed: u64,
        settings: K::Settings,
    ) -> Result<Vec<Row>> {
        let schema = Schema::new(SIDE * SIDE)?.with_classes(PARTS as u32)?;
        let mut forest = Forest::<K>::new(schema, settings, forest(self.trees, seed))?;
        // Poses that are not learned.
        let mut random = ChaCha8Rng::seed_from_u64(2 * seed + 1);
        let (mut windows, mut truth) = (Vec::new(), Vec::new());
        for _ in 0..self.test_poses {
            let (some, parts) = pixels(&body(&mut random), &mut random)?;
            for (row, part) in some.rows().into_iter().zip(parts) {
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
            let (features, labels) = pixels(&body(&mut random), &mut random)?;
            forest.learn(features.view(), &labels)?;
            // Measured after the whole, a half, a quarter, …
            let is_part = self.poses.is_multiple_of(pose) && (self.poses / pose).is_power_of_two();
            if is_part && 16 * pose >= self.poses {
                let predictions = forest.predict(test.view())?;
                let pairs = predictions.rows().into_iter().zip(&truth);
                let right = pairs.filter(|(row, truth)| argmax(&row.to_vec()) == **truth as usize);
                let row = Row::new("bodies", &self.series, Some(pose as f64));
                let row = row.with("accuracy", right.count() as f64 / truth.len() as f64);
                rows.push(row.with("megabytes", forest.footprint().bytes as f64 / 1e6));
            }
        }
        Ok(rows)
    }
}

/// Draws windows around up to [`PIXELS`] pixels of each part that a picture shows, without replacement, in random order.
fn pixels(body: &[Capsule], random: &mut ChaCha8Rng) -> Result<(Array2<f32>, Vec<u32>)> {
    let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
    let mut places: Vec<(i32, i32)> = all.collect();
    for last in (1..places.len()).rev() {
        places.swap(last, random.random_range(0..=last));
    }
    let mut wanted = [PIXELS; PARTS];
    let (mut windows, mut labels) = (Vec::new(), Vec::new());
    for (x, y) in places {
        let (_, part) = look(body, x, y);
        if wanted[part as usize] > 0 {
            wanted[part as usize] -= 1;
            windows.extend(window(body, x, y));
            labels.push(part);
        }
    }
    Ok((
        Array2::from_shape_vec((labels.len(), SIDE * SIDE), windows)?,
        labels,
    ))
}

/// A point or direction in metres: right, down, away from the camera.
type Vector = [f64; 3];

/// All points within `radius` of the line from `start` to `end`.
struct Capsule {
    part: u32,
    start: Vector,
    end: Vector,
    radius: f64,
}

/// Returns a person of 1.5 to 1.9 metres, 2.4 to 3.6 metres away, turned and bent at random; legs stay under the body, arms go anywhere in
/// front of it and beside it.
fn body(random: &mut ChaCha8Rng) -> Vec<Capsule> {
    let mut within = |low: f64, high: f64| low + (high - low) * random.random::<f64>();
    let scale = within(0.86, 1.09);
    let hip = [within(-0.3, 0.3), within(0.1, 0.25), within(2.4, 3.6)];
    let (sine, cosine) = within(-0.9, 0.9).sin_cos();
    let mut capsules = Vec::new();
    // Adds a part in a direction of the body's own right, down and back, and returns its end.
    let mut grow =
        |part: u32, start: Vector, [right, down, back]: Vector, length: f64, radius: f64| {
            let (right, back) = (cosine * right - sine * back, sine * right + cosine * back);
            let turned = [right, down, back];
            let (end, radius) = (along(start, turned, length * scale), radius * scale);
            capsules.push(Capsule {
                part,
                start,
                end,
                radius,
            });
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
        let (lift, swing) = (within(0.05, 0.95 * PI), within(-0.2, 1.2));
        let upper = [
            side * lift.sin() * swing.cos(),
            lift.cos(),
            -lift.sin() * swing.sin(),
        ];
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
    capsules.sort_by_key(|capsule| capsule.part);
    capsules
}

/// Returns the depth in metres that the camera sees in a pixel, inside its picture or not, and the part that it shows.
fn look(body: &[Capsule], x: i32, y: i32) -> (f32, u32) {
    let (across, down) = (
        f64::from(x) - f64::from(WIDTH) / 2.0,
        f64::from(y) - f64::from(HEIGHT) / 2.0,
    );
    let ray = unit([(across + 0.5) / FOCUS, (down + 0.5) / FOCUS, 1.0]);
    let (mut depth, mut part) = (WALL, BACKGROUND);
    for capsule in body {
        if let Some(reach) = capsule.hit(ray).filter(|reach| reach * ray[2] < depth) {
            (depth, part) = (reach * ray[2], capsule.part);
        }
    }
    (depth as f32, part)
}

/// Returns the depths of a square window around a pixel, row after row.
fn window(body: &[Capsule], x: i32, y: i32) -> impl Iterator<Item = f32> {
    let half = SIDE as i32 / 2;
    let places =
        (-half..=half).flat_map(move |down| (-half..=half).map(move |across| (across, down)));
    places.map(move |(across, down)| look(body, x + across, y + down).0)
}

impl Capsule {
    /// Returns how far a ray of length 1 from the origin goes until it hits: the cylinder between the ends,
    /// or the sphere at the end that it passes.
    fn hit(&self, ray: Vector) -> Option<f64> {
        let axis = along(self.end, self.start, -1.0);
        let from_start = self.start.map(|part| -part);
        let (length2, slope) = (dot(axis, axis), dot(axis, ray));
        let (off_axis, off_ray) = (dot(axis, from_start), dot(ray, from_start));
        let a = length2 - slope * slope;
        let b = length2 * off_ray - off_axis * slope;
        let c = length2 * (dot(from_start, from_start) - self.radius.powi(2)) - off_axis.powi(2);
        let root = b * b - a * c;
        if root < 0.0 || a <= 0.0 {
            return None;
        }
        let reach = (-b - root.sqrt()) / a;
        match off_axis + reach * slope {
            along if along <= 0.0 => self.hit_end(self.start, ray),
            along if along >= length2 => self.hit_end(self.end, ray),
            _ => Some(reach),
        }
    }

    fn hit_end(&self, centre: Vector, ray: Vector) -> Option<f64> {
        let reach = dot(ray, centre);
        let root = reach * reach - dot(centre, centre) + self.radius.powi(2);
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
        let (part, radius) = (4, 0.2);
        let upright = [Capsule {
            part,
            start: [0.0, -0.5, 3.0],
            end: [0.0, 0.5, 3.0],
            radius,
        }];
        let pointing = [Capsule {
            part,
            start: [0.0, 0.0, 2.0],
            end: [0.0, 0.0, 4.0],
            radius,
        }];
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
