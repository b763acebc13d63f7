//! Classes to predict, whose rows have one distribution.

use std::f64::consts::FRAC_PI_4;

use forest_core::parameters::Rule;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

use super::rows::{COMMON, Generator, MAX_WIDTH, Rows, setup, uniform};

/// A Gaussian class: its weight, mean, and covariance `variance · [[1, correlation], [correlation, 1]]`.
pub(super) struct Component(
    pub(super) f64,
    pub(super) [f64; 2],
    pub(super) f64,
    pub(super) f64,
);

pub(super) const COMPONENTS: [Component; 5] = [
    Component(0.20, [2.0, 2.0], 3.0, 0.5),
    Component(0.33, [6.0, 2.0], 3.0, -0.5),
    Component(0.30, [4.0, 0.0], 3.0, 0.0),
    Component(0.15, [8.0, 0.0], 3.0, 0.0),
    Component(0.02, [5.0, 2.0], 0.1, 0.0),
];

/// Five Gaussian classes in the plane (M. Denil, D. Matheson, N. de Freitas, *Consistency of online random forests*,
/// ICML 2013, section 5 and figure 2; the parameters are those of the authors' published configuration). The best
/// possible accuracy is the integral of the largest weighted density, 0.6665 (the authors state 0.666).
pub(super) const GAUSSIAN_MIXTURE: Generator = Generator {
    name: "gaussian-mixture",
    title: "five overlapping Gaussian classes in the plane; best possible accuracy 0.667",
    parameters: &[],
    common: &COMMON,
    rows: |_| {
        let rows = Rows::classes(2, 1..=COMPONENTS.len(), |_, streams, row| {
            // The class whose stretch of [0, 1) holds `u`; the weights may add up to a hair less than 1.
            let u: f64 = streams.labels.random();
            let mut class = 0;
            let mut end = COMPONENTS[0].0;
            while u >= end && class + 1 < COMPONENTS.len() {
                class += 1;
                end += COMPONENTS[class].0;
            }
            let Component(_, mean, variance, correlation) = COMPONENTS[class];
            let [first, other]: [f64; 2] =
                std::array::from_fn(|_| StandardNormal.sample(&mut streams.inputs));
            let second = correlation * first + (1.0 - correlation.powi(2)).sqrt() * other;
            for (i, z) in [first, second].into_iter().enumerate() {
                row[i] = (mean[i] + variance.sqrt() * z) as f32;
            }
            class as u32
        });
        rows.best(0.6665)
    },
};

/// The Mondrian cube (S. Ge, S. Wang, Y. W. Teh, L. Wang, L. T. Elliott, *Random tessellation forests*, NeurIPS 2019,
/// section 3.1). Points are uniform in [0, 1]³; class 1 in [0, ¼]³ ∪ [¼, 1]³, else class 2 (so 28 in 64 points are of
/// class 1). They are centred, then turned by π/4 about the first axis and by −π/4 about the second.
///
/// Centred means: the middle of the cube, (½, ½, ½), goes to the origin. `rotated=no` leaves the cube upright, where
/// axis cuts fit.
pub(super) const MONDRIAN_CUBE: Generator = Generator {
    name: "mondrian-cube",
    title: "two boxes in a turned cube: two classes that axis cuts separate badly",
    parameters: &forest_core::parameters! {
        "rotated": Rule::Words(&["yes", "no"]), "yes", "whether the cube is turned";
    },
    common: &COMMON,
    rows: |given| {
        let is_turned = given.peek("rotated") == Some("yes");
        let rows = Rows::classes(3, 1..=2, move |_, streams, row| {
            uniform(&mut streams.inputs, row);
            let low = row.iter().filter(|x| **x <= 0.25).count();
            let mut placed = [row[0], row[1], row[2]].map(|x| f64::from(x) - 0.5);
            if is_turned {
                placed = turn(placed);
            }
            row.copy_from_slice(&placed.map(|x| x as f32));
            // All three coordinates in the small box, or none.
            low != 0 && low != 3
        });
        rows.best(1.0)
    },
};

/// Turns a point by π/4 about the first axis, then by −π/4 about the second (right-handed).
pub(super) fn turn([x, y, z]: [f64; 3]) -> [f64; 3] {
    let (sin, cos) = FRAC_PI_4.sin_cos();
    let (y, z) = (cos * y - sin * z, sin * y + cos * z);
    [cos * x - sin * z, y, sin * x + cos * z]
}

/// Uniform points in [0, 1]^d, for retrieval and for timing. The class of a point is the nearest of `classes` centres
/// (Euclidean; the first of equals), themselves drawn uniformly from the seed: convex cells of unequal size, learnable
/// in any dimension, with boundaries that no axis cut follows.
pub(super) const HYPERCUBE: Generator = Generator {
    name: "hypercube",
    title: "uniform points in [0, 1]^d, class = nearest of a few random centres",
    parameters: &forest_core::parameters! {
        "d": Rule::CountFromTo(1, MAX_WIDTH), "10", "features";
        "classes": Rule::CountFromTo(2, 1000), "10", "centres";
    },
    common: &COMMON,
    rows: |given| {
        let d: usize = given.value("d");
        let classes: usize = given.value("classes");
        let mut centres = vec![vec![0.0; d]; classes];
        let mut random = setup(given);
        for centre in &mut centres {
            uniform(&mut random, centre);
        }
        let rows = Rows::classes(d, 1..=classes, move |_, streams, row| {
            uniform(&mut streams.inputs, row);
            let mut nearest = (f64::INFINITY, 0u32);
            for (class, centre) in (0..).zip(&centres) {
                let pairs = centre.iter().zip(&*row);
                let distance: f64 = pairs.map(|(a, b)| f64::from(a - b).powi(2)).sum();
                if distance < nearest.0 {
                    nearest = (distance, class);
                }
            }
            nearest.1
        });
        rows.best(1.0)
    },
};

/// The peaks of the two triangles of each class.
pub(super) const PEAKS: [[f64; 2]; 3] = [[7.0, 15.0], [7.0, 11.0], [15.0, 11.0]];

/// Returns the height of the triangle with this peak at feature `i`, counted from 1.
pub(super) fn triangle(peak: f64, i: usize) -> f64 {
    (6.0 - (i as f64 - peak).abs()).max(0.0)
}

/// Waveforms (L. Breiman, J. Friedman, R. Olshen, C. Stone, *Classification and Regression Trees*, 1984, section
/// 2.6.2). With u uniform on [0, 1] and standard normal noise ε, feature i of 21 is u·a(i) + (1 − u)·b(i) + ε, where
/// (a, b) are (h₁, h₂), (h₁, h₃), (h₂, h₃) for the three classes, which are equally likely, and h₁(i) = max(6 − |i −
/// 7|, 0), h₂(i) = h₁(i − 8), h₃(i) = h₁(i − 4). With `irrelevant=yes`, 19 more features are noise alone. The best
/// possible accuracy is about 0.86 (Breiman et al.).
pub(super) const WAVEFORM: Generator = Generator {
    name: "waveform",
    title: "waveforms: three classes of mixed triangles; best possible accuracy 0.86",
    parameters: &forest_core::parameters! {
        "irrelevant": Rule::Words(&["yes", "no"]), "no", "whether 19 features of noise follow";
    },
    common: &COMMON,
    rows: |given| {
        let is_wide = given.peek("irrelevant") == Some("yes");
        let rows = Rows::classes(if is_wide { 40 } else { 21 }, 0..3, |_, streams, row| {
            let class = streams.labels.random_range(0..3usize);
            let [first, second] = PEAKS[class];
            let share: f64 = streams.inputs.random();
            for (i, cell) in (1..).zip(row) {
                let noise: f64 = StandardNormal.sample(&mut streams.noise);
                let wave = match i {
                    ..=21 => share * triangle(first, i) + (1.0 - share) * triangle(second, i),
                    _ => 0.0,
                };
                *cell = (wave + noise) as f32;
            }
            class as u32
        });
        rows.best(0.86)
    },
};

/// Classes at the leaves of a tree that is drawn once (P. Domingos, G. Hulten, *Mining high-speed data streams*, KDD
/// 2000, and the generator of MOA). `d` features are uniform in [0, 1]. The tree splits a feature drawn at random, at a
/// point uniform in the part of [0, 1] that the path leaves of it. A node at depth `depth` is a leaf, and one from
/// depth `first` on with probability `leaves` / 100; a leaf has a class drawn at random. MOA adds nominal features,
/// which a path splits once each; here all are numbers.
pub(super) const RANDOM_TREE: Generator = Generator {
    name: "random-tree",
    title: "classes at the leaves of a random tree; best possible accuracy 1",
    parameters: &forest_core::parameters! {
        "d": Rule::CountFromTo(1, 10_000), "10", "features";
        "classes": Rule::CountFromTo(2, 1000), "2", "classes";
        "depth": Rule::CountFromTo(1, 20), "5", "depth of the deepest leaves";
        "first": Rule::CountFromTo(1, 20), "3", "least depth of a leaf";
        "leaves": Rule::CountFromTo(0, 100), "15", "nodes in 100 that are leaves from then on";
    },
    common: &COMMON,
    rows: |given| {
        let shape = Shape {
            classes: given.value("classes"),
            depth: given.value("depth"),
            first: given.value("first"),
            leaves: given.value::<f64>("leaves") / 100.0,
        };
        let mut cell = vec![[0.0, 1.0]; given.value("d")];
        let root = Node::draw(&shape, 0, &mut cell, &mut setup(given));
        let classes = 0..shape.classes as usize;
        let rows = Rows::classes(cell.len(), classes, move |_, streams, row| {
            uniform(&mut streams.inputs, row);
            root.class(row)
        });
        rows.best(1.0)
    },
};

/// How trees are drawn.
pub(super) struct Shape {
    pub(super) classes: u32,
    pub(super) depth: usize,
    pub(super) first: usize,
    pub(super) leaves: f64,
}

pub(super) enum Node {
    Leaf(u32),
    Split {
        feature: usize,
        at: f32,
        children: Box<[Node; 2]>,
    },
}

impl Node {
    /// Draws the tree of a cell, which has an interval of each feature.
    pub(super) fn draw(
        shape: &Shape,
        depth: usize,
        cell: &mut [[f32; 2]],
        random: &mut ChaCha8Rng,
    ) -> Self {
        let may_end = depth >= shape.first && random.random::<f64>() < shape.leaves;
        if depth >= shape.depth || may_end {
            return Self::Leaf(random.random_range(0..shape.classes));
        }
        let feature = random.random_range(0..cell.len());
        let [low, high] = cell[feature];
        let at = low + (high - low) * random.random::<f32>();
        let children = Box::new([[low, at], [at, high]].map(|part| {
            cell[feature] = part;
            Self::draw(shape, depth + 1, cell, random)
        }));
        cell[feature] = [low, high];
        Self::Split {
            feature,
            at,
            children,
        }
    }

    fn class(&self, row: &[f32]) -> u32 {
        match self {
            Self::Leaf(class) => *class,
            Self::Split {
                feature,
                at,
                children,
            } => children[usize::from(row[*feature] >= *at)].class(row),
        }
    }
}
