//! A body of capsules: parts on a skeleton, in a random pose.
//!
//! Stands in for the data of the Kinect experiment of M. Denil, D. Matheson, N. de Freitas, *Consistency of online random forests*, ICML
//! 2013, section 5.3, which were rendered from motion capture and are not public: a person made of fifteen capsules, in random poses,
//! before a wall.

use std::f64::consts::PI;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A point or direction in metres: right, down, away from the camera.
pub(super) type Vector = [f64; 3];

/// The parts of the body, in the order of their labels; the last label is what is not the body.
pub(super) const PARTS: [&str; 16] = [
    "head",
    "chest",
    "belly",
    "left-upper-arm",
    "left-forearm",
    "left-hand",
    "right-upper-arm",
    "right-forearm",
    "right-hand",
    "left-thigh",
    "left-shin",
    "left-foot",
    "right-thigh",
    "right-shin",
    "right-foot",
    "background",
];

/// The label of what is not the body.
pub(super) const BACKGROUND: u32 = 15;

/// All points within `radius` of the line from `start` to `end`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Capsule {
    pub(super) part: u32,
    pub(super) start: Vector,
    pub(super) end: Vector,
    pub(super) radius: f64,
}

/// A body in one pose, as one capsule for each part.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) capsules: Vec<Capsule>,
}

impl Body {
    /// A person of 1.5 to 1.9 metres, 2.4 to 3.6 metres away, turned and bent at random; legs
    /// stay under the body, arms go anywhere in front of it and beside it.
    pub(super) fn random(random: &mut ChaCha8Rng) -> Self {
        let mut pose = Pose { random };
        let scale = pose.within(0.86, 1.09);
        let hip = [
            pose.within(-0.3, 0.3),
            pose.within(0.1, 0.25),
            pose.within(2.4, 3.6),
        ];
        let turn = pose.within(-0.9, 0.9);
        let mut body = Skeleton {
            capsules: Vec::with_capacity(PARTS.len() - 1),
            scale,
            turn,
        };
        body.trunk(hip, &mut pose);
        for side in [-1.0, 1.0] {
            body.arm(side, hip, &mut pose);
            body.leg(side, hip, &mut pose);
        }
        body.capsules.sort_by_key(|capsule| capsule.part);
        Self {
            capsules: body.capsules,
        }
    }
}

/// Where the angles of a pose come from.
struct Pose<'a> {
    random: &'a mut ChaCha8Rng,
}

impl Pose<'_> {
    fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.random.random::<f64>()
    }
}

/// The capsules so far of a body of this size, turned about the vertical.
struct Skeleton {
    capsules: Vec<Capsule>,
    scale: f64,
    turn: f64,
}

impl Skeleton {
    /// Adds a part from `start` on, and returns its end. Its direction is that of the body's own
    /// right, down and back.
    fn grow(
        &mut self,
        part: u32,
        start: Vector,
        towards: Vector,
        length: f64,
        radius: f64,
    ) -> Vector {
        let (sine, cosine) = self.turn.sin_cos();
        let [right, down, back] = towards;
        let turned = [
            cosine * right - sine * back,
            down,
            sine * right + cosine * back,
        ];
        let end = along(start, turned, length * self.scale);
        let radius = radius * self.scale;
        self.capsules.push(Capsule {
            part,
            start,
            end,
            radius,
        });
        end
    }

    fn trunk(&mut self, hip: Vector, pose: &mut Pose<'_>) {
        let lean = [pose.within(-0.15, 0.15), -1.0, pose.within(-0.2, 0.1)];
        let waist = self.grow(2, hip, unit(lean), 0.22, 0.14);
        let neck = self.grow(1, waist, unit(lean), 0.27, 0.15);
        let nod = [pose.within(-0.3, 0.3), -1.0, pose.within(-0.3, 0.2)];
        let chin = along(neck, [0.0, -1.0, 0.0], 0.16 * self.scale);
        self.grow(0, chin, unit(nod), 0.1, 0.095);
    }

    /// The arm on the body's left (−1) or right (1); parts 3 to 5 and 6 to 8.
    fn arm(&mut self, side: f64, hip: Vector, pose: &mut Pose<'_>) {
        let first = if side < 0.0 { 3 } else { 6 };
        let shoulder = self.joint(hip, side * 0.17, -0.47);
        let (lift, swing) = (pose.within(0.05, 0.95 * PI), pose.within(-0.2, 1.2));
        let upper = [
            side * lift.sin() * swing.cos(),
            lift.cos(),
            -lift.sin() * swing.sin(),
        ];
        let elbow = self.grow(first, shoulder, upper, 0.28, 0.05);
        let bend = [
            pose.within(-0.8, 0.8),
            pose.within(-0.8, 0.8),
            pose.within(-0.9, 0.1),
        ];
        let lower = unit(along(upper, bend, 1.0));
        let wrist = self.grow(first + 1, elbow, lower, 0.24, 0.042);
        self.grow(first + 2, wrist, lower, 0.1, 0.05);
    }

    /// The leg on the body's left (−1) or right (1); parts 9 to 11 and 12 to 14.
    fn leg(&mut self, side: f64, hip: Vector, pose: &mut Pose<'_>) {
        let first = if side < 0.0 { 9 } else { 12 };
        let joint = self.joint(hip, side * 0.1, 0.05);
        let thigh = [side * pose.within(0.0, 0.5), 1.0, pose.within(-0.6, 0.15)];
        let knee = self.grow(first, joint, unit(thigh), 0.4, 0.075);
        let shin = [side * pose.within(-0.1, 0.3), 1.0, pose.within(0.0, 0.6)];
        let ankle = self.grow(first + 1, knee, unit(shin), 0.4, 0.055);
        self.grow(first + 2, ankle, unit([side * 0.2, 0.2, -1.0]), 0.17, 0.045);
    }

    /// Returns a joint beside and below the hip, as seen from the body.
    fn joint(&self, hip: Vector, right: f64, down: f64) -> Vector {
        let (sine, cosine) = self.turn.sin_cos();
        let beside = [cosine * right, down, sine * right];
        along(hip, beside, self.scale)
    }
}

/// `start + length · direction`.
pub(super) fn along(start: Vector, direction: Vector, length: f64) -> Vector {
    [0, 1, 2].map(|i| start[i] + length * direction[i])
}

pub(super) fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn minus(a: Vector, b: Vector) -> Vector {
    along(a, b, -1.0)
}

pub(super) fn unit(direction: Vector) -> Vector {
    let length = dot(direction, direction).sqrt();
    direction.map(|part| part / length)
}
