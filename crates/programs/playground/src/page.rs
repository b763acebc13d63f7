//! What the page calls.

use online_forests::{Classification, Regression};
use wasm_bindgen::prelude::*;

use crate::examples;
use crate::session::{Play, Session};

/// The part of the plane in which cuts are drawn.
const WINDOW: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// A forest over the plane, as JavaScript holds it.
#[wasm_bindgen]
pub struct Playground {
    session: Box<dyn Play>,
}

impl std::fmt::Debug for Playground {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Playground").finish_non_exhaustive()
    }
}

#[wasm_bindgen]
impl Playground {
    /// Builds a forest: `algorithm` with its parameters, for `numbers` or for classes.
    ///
    /// # Errors
    /// Returns what is wrong with the algorithm, a parameter or the number of trees.
    #[wasm_bindgen(constructor)]
    pub fn new(algorithm: &str, task: &str, trees: usize, seed: u32) -> Result<Self, String> {
        let seed = seed.into();
        let session: Box<dyn Play> = if task == "numbers" {
            Box::new(Session::<Regression>::new(algorithm, trees, seed)?)
        } else {
            Box::new(Session::<Classification>::new(algorithm, trees, seed)?)
        };
        Ok(Self { session })
    }

    /// Predicts each point, then learns it.
    ///
    /// # Errors
    /// Returns what is wrong with a point or a target; then nothing was learned.
    pub fn learn(&mut self, points: &[f32], targets: &[f64]) -> Result<(), String> {
        self.session.learn(points, targets)
    }

    /// Removes a point by the number of points learned before it.
    ///
    /// # Errors
    /// Returns why this forest cannot forget, or that the point is not held.
    pub fn forget(&mut self, arrival: u32) -> Result<(), String> {
        self.session.forget(arrival.into())
    }

    /// Returns 1 minus the mean error of the points, each predicted before it was learned.
    pub fn score(&self) -> f64 {
        self.session.score()
    }

    /// Returns the number of nodes of all trees.
    pub fn nodes(&self) -> usize {
        self.session.nodes()
    }

    /// Returns red, green, blue and opacity of `side` × `side` cells, from the top row down.
    pub fn image(&self, side: usize) -> Vec<u8> {
        self.session.image(side)
    }

    /// Returns the predictions that [`Playground::image`] shows.
    pub fn predictions(&self, side: usize) -> Vec<f64> {
        self.session.predictions(side).into_iter().collect()
    }

    /// Returns the cuts of a tree: x and y of both ends of each in turn.
    pub fn cuts(&self, tree: usize) -> Vec<f64> {
        let segments = self.session.cuts(tree, &WINDOW).into_iter();
        segments.flatten().flatten().collect()
    }
}

/// Returns the points of an example, x, y and target of each in turn; nothing for an unknown name.
#[wasm_bindgen]
pub fn example(name: &str, points: usize, seed: u32) -> Vec<f64> {
    let stream = examples::stream(name, points, seed.into()).unwrap_or_default();
    let pairs = stream.points.chunks_exact(2).zip(&stream.targets);
    pairs
        .flat_map(|(point, &target)| [point[0].into(), point[1].into(), target])
        .collect()
}

/// Returns the names of the examples.
#[wasm_bindgen]
pub fn example_names() -> Vec<String> {
    examples::names().map(str::to_owned).collect()
}
