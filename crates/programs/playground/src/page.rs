//! What the page calls: a forest that learns points of the plane, and draws what it predicts.

use ndarray::{Array2, ArrayView2};
use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, OnlineLearner, Regression, Schema,
};
use wasm_bindgen::prelude::*;

use crate::colour::Coloured;
use crate::examples;

/// The part of the plane in which cuts are drawn: that of the picture, and as much around it as in a plot of a
/// partition.
const WINDOW: [[f64; 2]; 4] = [[-0.03, -0.03], [1.03, -0.03], [1.03, 1.03], [-0.03, 1.03]];

/// A forest over the plane, as JavaScript holds it. Errors are texts for the page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Playground {
    forest: Forest,
    /// The sum over the points learned.
    errors: f64,
    learned: usize,
}

#[derive(Debug)]
enum Forest {
    Classes(AnyLearner<Classification>),
    Numbers(AnyLearner<Regression>),
}

/// Does the same with a forest of either task.
macro_rules! each {
    ($playground:expr, $forest:ident => $work:expr) => {
        match $playground {
            Forest::Classes($forest) => $work,
            Forest::Numbers($forest) => $work,
        }
    };
}

#[wasm_bindgen]
impl Playground {
    /// Builds a forest: `algorithm` with its parameters (`mondrian:budget=5`), for `numbers` or for classes.
    ///
    /// # Errors
    /// Returns what is wrong with the algorithm, a parameter or the number of trees.
    #[wasm_bindgen(constructor)]
    pub fn new(algorithm: &str, task: &str, trees: usize, seed: u32) -> Result<Self, String> {
        let forest = if task == "numbers" {
            Forest::Numbers(built(algorithm, trees, seed)?)
        } else {
            Forest::Classes(built(algorithm, trees, seed)?)
        };
        Ok(Self {
            forest,
            errors: 0.0,
            learned: 0,
        })
    }

    /// Predicts each point, then learns it: `points` has x and y of each in turn.
    ///
    /// # Errors
    /// Returns what is wrong with a point or a target; then nothing was learned.
    pub fn learn(&mut self, points: &[f32], targets: &[f64]) -> Result<(), String> {
        let (pairs, rest) = points.as_chunks::<2>();
        if pairs.len() != targets.len() || !rest.is_empty() {
            let numbers = points.len();
            let points = targets.len();
            return Err(format!(
                "{points} points have two numbers each, but there are {numbers}"
            ));
        }
        let rows = ArrayView2::from(pairs);
        self.errors += each!(&mut self.forest, forest => tested(forest, rows, targets))?;
        self.learned += targets.len();
        Ok(())
    }

    /// Removes a point by the number of points learned before it.
    ///
    /// # Errors
    /// Returns why this forest cannot forget, or that the point is not held.
    pub fn forget(&mut self, arrival: u32) -> Result<(), String> {
        each!(&mut self.forest, forest => forest.forget(arrival.into())).map_err(text)
    }

    /// Returns 1 minus the mean error of the points, each predicted before it was learned; 0 before the first.
    pub fn score(&self) -> f64 {
        if self.learned == 0 {
            return 0.0;
        }
        1.0 - self.errors / self.learned as f64
    }

    /// Returns the number of nodes of all trees.
    pub fn nodes(&self) -> usize {
        each!(&self.forest, forest => forest.footprint().nodes)
    }

    /// Returns red, green, blue and opacity of `side` × `side` cells of the unit square, from the top row down.
    pub fn image(&self, side: usize) -> Vec<u8> {
        each!(&self.forest, forest => {
            let mut image = Vec::with_capacity(4 * side * side);
            for row in predicted(forest, side).rows() {
                image.extend(coloured(forest, &row.to_vec()).map(|channel| channel.round() as u8));
                image.push(u8::MAX);
            }
            image
        })
    }

    /// Returns the predictions that [`Playground::image`] shows: a row of probabilities or a number for each cell.
    pub fn predictions(&self, side: usize) -> Vec<f64> {
        each!(&self.forest, forest => predicted(forest, side).into_iter().collect())
    }

    /// Returns the cuts of a tree, parents before children: x and y of both ends of each in turn; nothing for forests
    /// whose trees cannot be drawn.
    pub fn cuts(&self, tree: usize) -> Vec<f64> {
        let exported = each!(&self.forest, forest => forest.export(tree));
        let drawn = exported.map(|tree| tree.drawn(&WINDOW, std::iter::empty()));
        let nodes = drawn.into_iter().flatten();
        let cuts = nodes.filter_map(|node| node.cut);
        cuts.flatten().flatten().collect()
    }
}

fn built<T: Coloured>(algorithm: &str, trees: usize, seed: u32) -> Result<AnyLearner<T>, String> {
    let algorithm: Algorithm = algorithm.parse().map_err(text)?;
    let settings = ForestSettings::default().with_trees(trees);
    let schema = Schema::new(2).map_err(text)?;
    let learner = algorithm.build(schema, settings.with_seed(seed.into()));
    learner.map_err(text)
}

/// Predicts each point, then learns it, and returns the sum of errors.
fn tested<T: Coloured>(
    forest: &mut AnyLearner<T>,
    rows: ArrayView2<'_, f32>,
    targets: &[f64],
) -> Result<f64, String> {
    let targets: Vec<_> = targets.iter().map(|&number| T::target(number)).collect();
    let predictions = forest.predict_then_learn(rows, &targets).map_err(text)?;
    let errors = predictions.iter().zip(&targets);
    Ok(errors.map(|(row, &target)| T::error(row, target)).sum())
}

/// Returns the predictions at the centres of cells.
fn predicted<T: Coloured>(forest: &AnyLearner<T>, side: usize) -> Array2<f64> {
    let centre = |place: usize| (place as f32 + 0.5) / side as f32;
    let points = Array2::from_shape_fn((side * side, 2), |(cell, axis)| match axis {
        0 => centre(cell % side),
        _ => 1.0 - centre(cell / side),
    });
    let predictions = forest.predict(points.view());
    predictions.expect("centres of cells are finite points of the plane")
}

fn coloured<T: Coloured>(_: &AnyLearner<T>, prediction: &[f64]) -> [f64; 3] {
    T::colour(prediction)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Returns the points of an example, x, y and target of each in turn; nothing for an unknown name.
#[wasm_bindgen]
pub fn example(name: &str, points: usize, seed: u32) -> Vec<f64> {
    let stream = examples::stream(name, points, seed.into()).unwrap_or_default();
    let pairs = stream.points.chunks_exact(2).zip(&stream.targets);
    let numbers = pairs.flat_map(|(point, &target)| [point[0].into(), point[1].into(), target]);
    numbers.collect()
}

/// Returns the names of the examples.
#[wasm_bindgen]
pub fn example_names() -> Vec<String> {
    examples::names().map(str::to_owned).collect()
}
