//! Streams of points of the unit square, to learn.

use std::f64::consts::{PI, TAU};

use forest_core::TreeRng;

/// Points and targets: a class, or a number from 0 to 1.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stream {
    /// x and y of each point in turn.
    pub points: Vec<f32>,
    /// One for each point.
    pub targets: Vec<f64>,
}

/// Draws a point and its target; it is given the share of the stream that has passed.
type Draw = fn(&mut TreeRng, f64) -> (Point, f64);

type Point = [f64; 2];

/// The examples by name.
const EXAMPLES: [(&str, Draw); 7] = [
    ("moons", moons),
    ("circles", circles),
    ("gaussians", gaussians),
    ("xor", xor),
    ("spirals", spirals),
    ("turning", turning),
    ("surface", surface),
];

/// Returns the names of the examples. All are of classes but the last, which is of numbers.
pub fn names() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(name, _)| *name)
}

/// Draws a stream of this number of points; `None` for a name that is not one of the examples.
pub fn stream(name: &str, points: usize, seed: u64) -> Option<Stream> {
    let (_, draw) = EXAMPLES.iter().find(|(other, _)| *other == name)?;
    let mut rng = TreeRng::new(seed, 0);
    let mut stream = Stream::default();
    for index in 0..points {
        let (point, target) = draw(&mut rng, index as f64 / points as f64);
        let inside = point.map(|value| value.clamp(0.0, 1.0) as f32);
        stream.points.extend(inside);
        stream.targets.push(target);
    }
    Some(stream)
}

/// Returns a point that is moved by normal noise of this scale in both coordinates.
fn near([x, y]: Point, scale: f64, rng: &mut TreeRng) -> Point {
    [x + scale * rng.normal(), y + scale * rng.normal()]
}

fn on_circle(centre: Point, radius: f64, angle: f64) -> Point {
    let [x, y] = centre;
    [x + radius * libm::cos(angle), y + radius * libm::sin(angle)]
}

fn moons(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let class = rng.below(2);
    let angle = rng.uniform() * PI;
    let point = if class == 0 {
        on_circle([0.38, 0.4], 0.27, angle)
    } else {
        on_circle([0.62, 0.6], 0.27, -angle)
    };
    (near(point, 0.04, rng), class as f64)
}

fn circles(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let class = rng.below(2);
    let radius = [0.18, 0.38][class];
    let point = on_circle([0.5, 0.5], radius, rng.uniform() * TAU);
    (near(point, 0.035, rng), class as f64)
}

fn gaussians(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let class = rng.below(4);
    let centre = [[0.3, 0.3], [0.7, 0.35], [0.35, 0.72], [0.7, 0.7]][class];
    (near(centre, 0.1, rng), class as f64)
}

fn xor(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let point = [rng.uniform(), rng.uniform()];
    let [right, above] = point.map(|value| value > 0.5);
    (point, f64::from(u8::from(right != above)))
}

fn spirals(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let class = rng.below(2);
    let way = libm::sqrt(rng.uniform());
    let angle = way * 1.6 * TAU + class as f64 * PI;
    let point = on_circle([0.5, 0.5], 0.05 + 0.4 * way, angle);
    (near(point, 0.012, rng), class as f64)
}

/// Draws points of two classes; the line between them turns around once while the points arrive.
fn turning(rng: &mut TreeRng, passed: f64) -> (Point, f64) {
    let point = [rng.uniform(), rng.uniform()];
    let angle = passed * TAU;
    let side = (point[0] - 0.5) * libm::cos(angle) + (point[1] - 0.5) * libm::sin(angle);
    (point, f64::from(u8::from(side > 0.0)))
}

fn surface(rng: &mut TreeRng, _: f64) -> (Point, f64) {
    let point = [rng.uniform(), rng.uniform()];
    let [x, y] = point;
    let height = 0.5 + 0.25 * libm::sin(TAU * x) + 0.25 * libm::cos(TAU * y * (0.5 + x));
    (point, (height + 0.03 * rng.normal()).clamp(0.0, 1.0))
}
