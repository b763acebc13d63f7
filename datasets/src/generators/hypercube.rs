//! Uniform points in a cube of any dimension: for retrieval and for timing.
//!
//! x is uniform in [0, 1]^d. The class of a point is the nearest of `classes` centres (Euclidean; the first of
//! equals), themselves drawn uniformly from the seed: convex cells of unequal size, learnable in any dimension,
//! with boundaries that no axis cut follows.
use forest_core::parameters::{Parameter, Rule, Values};

use super::sample::{Outcome, Sampler, uniform};
use super::streams::{Streams, setup};
use super::{COMMON, Generator, MAX_WIDTH};

pub(super) const GENERATOR: Generator = Generator {
    name: "hypercube",
    title: "uniform points in [0, 1]^d, class = nearest of a few random centres",
    parameters: &[
        Parameter::new("d", Rule::CountFromTo(1, MAX_WIDTH), "10", "features"),
        Parameter::new("classes", Rule::CountFromTo(2, 1000), "10", "centres"),
    ],
    common: &COMMON,
    sampler,
};

struct Hypercube {
    centres: Vec<Vec<f32>>,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let (d, classes): (usize, usize) = (parameters.value("d"), parameters.value("classes"));
    let mut random = setup(parameters.value("seed"));
    let mut centre = || {
        let mut centre = vec![0.0; d];
        uniform(&mut random, &mut centre);
        centre
    };
    Box::new(Hypercube {
        centres: (0..classes).map(|_| centre()).collect(),
    })
}

impl Sampler for Hypercube {
    fn width(&self) -> usize {
        self.centres[0].len()
    }

    fn classes(&self) -> Vec<String> {
        (1..=self.centres.len())
            .map(|class| class.to_string())
            .collect()
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        let distances = self
            .centres
            .iter()
            .map(|centre| squared_distance(centre, row));
        let nearest = distances.enumerate().min_by(|a, b| a.1.total_cmp(&b.1));
        Outcome::Class(nearest.map_or(0, |(class, _)| class as u32))
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0)
    }
}

fn squared_distance(a: &[f32], b: &[f32]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a - b).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Dataset;
    use crate::generators::labelled;

    fn generate(address: &str) -> (Dataset, Vec<u32>) {
        labelled(&GENERATOR, address)
    }

    #[test]
    fn in_one_dimension_cells_are_intervals() {
        let (data, labels) = generate("hypercube:n=2000,d=1,classes=4,test=0");
        let mut points: Vec<(f32, u32)> = data.features.iter().copied().zip(labels).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let changes = points
            .windows(2)
            .filter(|pair| pair[0].1 != pair[1].1)
            .count();
        assert_eq!(changes, 3);
    }
}
