//! Accuracy against the number of cuts of batch tessellation trees (Ge et al. 2019, Figure 3).

use anyhow::Result;
use comparison::protocol::shuffled;
use forest_core::{Classification, Schema};
use mondrian::AxisCuts;
use ndarray::Axis;
use random_tessellation::batch::{BatchSettings, BatchTree, Training};
use random_tessellation::{CutDistribution, LinearCuts};
use serde::Deserialize;

use crate::reproduce::function::{Function, Library, labels};
use crate::reproduce::record::RecordRow;

/// Learns a random 60 % of the rows and cuts the others along without labels; `trees` independent trees vote.
#[derive(Deserialize)]
pub(crate) struct Cuts {
    data: String,
    /// `uRTP` or `MRTP`.
    series: String,
    particles: usize,
    trees: usize,
}

const NUMBERS: [usize; 13] = [0, 1, 2, 3, 5, 8, 12, 25, 50, 85, 106, 140, 180];

impl Function for Cuts {
    fn rows(&self, seed: u64, _: Option<f64>, library: &Library) -> Result<Vec<RecordRow>> {
        match &self.series[..] {
            "uRTP" => self.line::<LinearCuts>(seed, library),
            _ => self.line::<AxisCuts>(seed, library),
        }
    }
}

impl Cuts {
    fn line<D: CutDistribution>(&self, seed: u64, library: &Library) -> Result<Vec<RecordRow>> {
        let data = library.open(&self.data)?;
        let labels = labels(&data)?;
        let order = shuffled(data.rows(), seed);
        let (train, test) = order.split_at(order.len() * 6 / 10);
        let [rows, others] = [train, test].map(|rows| data.features.select(Axis(0), rows));
        let targets: Vec<u32> = train.iter().map(|&row| labels[row]).collect();
        let training = Training {
            rows: rows.view(),
            targets: &targets,
            test_rows: Some(others.view()),
        };
        let settings = BatchSettings {
            particles: self.particles,
            ..BatchSettings::default()
        };
        let schema = Schema::<Classification>::new(data.n_features())?;
        // Votes of the trees for the second of two classes, after each number of cuts.
        let mut votes = vec![vec![0; test.len()]; NUMBERS.len()];
        for tree in 0..self.trees as u64 {
            let seed = seed * 1000 + tree;
            let trees = BatchTree::<D>::after_cuts(schema, training, &settings, seed, &NUMBERS)?;
            for (tree, votes) in trees.iter().zip(&mut votes) {
                for (row, votes) in others.outer_iter().zip(votes) {
                    *votes += usize::from(tree.vote(&row.to_vec()) == 1);
                }
            }
        }
        let mut found = Vec::new();
        for (cuts, votes) in NUMBERS.iter().zip(votes) {
            let mut right = 0;
            for (votes, row) in votes.iter().zip(test) {
                // A tie is the first class.
                right += usize::from(u32::from(2 * votes > self.trees) == labels[*row]);
            }
            let accuracy = right as f64 / test.len() as f64;
            let place = ("Mondrian cube", &self.series[..], Some(*cuts as f64));
            found.push(RecordRow::new(place, &[("accuracy", accuracy)]));
        }
        Ok(found)
    }
}
