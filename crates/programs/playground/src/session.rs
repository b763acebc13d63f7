//! A forest that learns points of the plane, and draws what it predicts.

use ndarray::{Array2, ArrayView2};
use online_forests::{Algorithm, AnyLearner, ForestSettings, OnlineLearner, Schema};

use crate::colour::Coloured;
use online_forests::planar::Point;

/// A forest over the plane. Errors are texts for the page.
#[derive(Debug)]
pub struct Session<T: Coloured> {
    learner: AnyLearner<T>,
    errors: f64,
    learned: usize,
}

impl<T: Coloured> Session<T> {
    /// Builds a forest of an algorithm, with its parameters as text (`mondrian:budget=5`).
    ///
    /// # Errors
    /// Returns what is wrong with the algorithm, a parameter or the number of trees.
    pub fn new(algorithm: &str, trees: usize, seed: u64) -> Result<Self, String> {
        let algorithm: Algorithm = algorithm.parse().map_err(text)?;
        let settings = ForestSettings::default().with_trees(trees).with_seed(seed);
        let schema = Schema::new(2).map_err(text)?;
        let learner = algorithm.build::<T>(schema, settings).map_err(text)?;
        Ok(Self {
            learner,
            errors: 0.0,
            learned: 0,
        })
    }
}

/// What a page does with a forest, of either task.
pub trait Play {
    /// Predicts each point, then learns it: `points` has x and y of each in turn.
    ///
    /// # Errors
    /// Returns what is wrong with a point or a target; then nothing was learned.
    fn learn(&mut self, points: &[f32], targets: &[f64]) -> Result<(), String>;

    /// Removes a point by the number of points learned before it.
    ///
    /// # Errors
    /// Returns why this forest cannot forget, or that the point is not held.
    fn forget(&mut self, arrival: u64) -> Result<(), String>;

    /// Returns 1 minus the mean error of the points, each predicted before it was learned; 0 before the first.
    fn score(&self) -> f64;

    /// Returns the predictions at the centres of `side` × `side` cells of the unit square, from the top row down, one row of
    /// probabilities or one number each.
    fn predictions(&self, side: usize) -> Array2<f64>;

    /// Returns the predictions as a picture: red, green, blue and opacity of each cell, from the top row down.
    fn image(&self, side: usize) -> Vec<u8>;

    /// Returns where each cut of a tree crosses its cell in a convex `window`, parents before children; nothing for forests whose
    /// trees cannot be drawn.
    fn cuts(&self, tree: usize, window: &[Point]) -> Vec<[Point; 2]>;

    /// Returns the number of nodes of all trees.
    fn nodes(&self) -> usize;
}

impl<T: Coloured> Play for Session<T> {
    fn learn(&mut self, points: &[f32], targets: &[f64]) -> Result<(), String> {
        if points.len() != 2 * targets.len() {
            let (numbers, points) = (points.len(), targets.len());
            return Err(format!(
                "{points} points have two numbers each, but there are {numbers}"
            ));
        }
        let targets: Vec<_> = targets.iter().map(|&number| T::target(number)).collect();
        let rows = ArrayView2::from_shape((targets.len(), 2), points).map_err(text)?;
        let predictions = self.learner.predict_then_learn(rows, &targets);
        for (row, &target) in predictions.map_err(text)?.iter().zip(&targets) {
            self.errors += T::error(row, target);
        }
        self.learned += targets.len();
        Ok(())
    }

    fn forget(&mut self, arrival: u64) -> Result<(), String> {
        self.learner.forget(arrival).map_err(text)
    }

    fn score(&self) -> f64 {
        if self.learned == 0 {
            return 0.0;
        }
        1.0 - self.errors / self.learned as f64
    }

    fn predictions(&self, side: usize) -> Array2<f64> {
        let centre = |place: usize| (place as f32 + 0.5) / side as f32;
        let points = Array2::from_shape_fn((side * side, 2), |(cell, axis)| match axis {
            0 => centre(cell % side),
            _ => 1.0 - centre(cell / side),
        });
        let predictions = self.learner.predict(points.view());
        predictions.expect("centres of cells are finite points of the plane")
    }

    fn image(&self, side: usize) -> Vec<u8> {
        let mut image = Vec::with_capacity(4 * side * side);
        for row in self.predictions(side).rows() {
            let colour = T::colour(&row.to_vec());
            image.extend(colour.map(|channel| channel.round() as u8));
            image.push(u8::MAX);
        }
        image
    }

    fn cuts(&self, tree: usize, window: &[Point]) -> Vec<[Point; 2]> {
        let Ok(exported) = self.learner.export(tree) else {
            return Vec::new();
        };
        let nodes = exported.drawn(window, std::iter::empty());
        nodes.into_iter().filter_map(|node| node.cut).collect()
    }

    fn nodes(&self) -> usize {
        self.learner.footprint().nodes
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
