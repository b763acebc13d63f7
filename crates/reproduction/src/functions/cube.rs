//! Accuracy against the number of cuts of batch tessellation trees (Ge et al. 2019, Figure 3).

use anyhow::Result;
use comparison::protocol::shuffled;
use forest_core::{Classification, Schema};
use mondrian::AxisCuts;
use ndarray::Axis;
use random_tessellation::batch::{BatchSettings, BatchTree, Inference, Training};
use random_tessellation::{CutDistribution, LinearCuts};
use serde::Deserialize;

use super::labels;
use crate::learn::Library;
use crate::runs::Row;

/// Learns a random 60 % of the rows and cuts the others along without labels; `trees` independent trees vote.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Cuts {
    data: String,
    series: Series,
    particles: usize,
    trees: usize,
}

#[derive(Deserialize)]
enum Series {
    #[serde(rename = "uRTP")]
    Uniform,
    #[serde(rename = "MRTP")]
    Mondrian,
}

const NUMBERS: [usize; 13] = [0, 1, 2, 3, 5, 8, 12, 25, 50, 85, 106, 140, 180];

impl Cuts {
    pub(super) fn rows(&self, seed: u64, library: &Library) -> Result<Vec<Row>> {
        match self.series {
            Series::Uniform => self.lines::<LinearCuts>("uRTP", seed, library),
            Series::Mondrian => self.lines::<AxisCuts>("MRTP", seed, library),
        }
    }

    fn lines<D: CutDistribution>(
        &self,
        series: &str,
        seed: u64,
        library: &Library,
    ) -> Result<Vec<Row>> {
        let data = library.open(&self.data)?;
        let labels = labels(&data)?;
        let order = shuffled(data.rows(), seed);
        let (train, test) = order.split_at(order.len() * 6 / 10);
        let rows = [train, test].map(|rows| data.features.select(Axis(0), rows));
        let targets: Vec<u32> = train.iter().map(|&row| labels[row]).collect();
        let particles = self.particles;
        let inference = Inference::MonteCarlo { particles };
        let settings = BatchSettings {
            inference,
            ..BatchSettings::default()
        };
        let schema = Schema::<Classification>::new(data.n_features())?;
        // Votes of the trees for the second of two classes, after each number of cuts.
        let mut votes = vec![vec![0; test.len()]; NUMBERS.len()];
        for tree in 0..self.trees as u64 {
            let (test_rows, targets) = (Some(rows[1].view()), &targets[..]);
            let training = Training {
                rows: rows[0].view(),
                targets,
                test_rows,
            };
            let trees = BatchTree::<D>::after_cuts(
                schema,
                training,
                &settings,
                seed * 1000 + tree,
                &NUMBERS,
            )?;
            for (tree, votes) in trees.iter().zip(&mut votes) {
                for (row, votes) in rows[1].outer_iter().zip(votes) {
                    *votes += usize::from(tree.vote(&row.to_vec()) == 1);
                }
            }
        }
        let mut found = Vec::new();
        for (cuts, votes) in NUMBERS.iter().zip(votes) {
            // A tie goes to the first.
            let is_right =
                |(votes, row): (&usize, &usize)| u32::from(2 * votes > self.trees) == labels[*row];
            let pairs = votes.iter().zip(test);
            let right = pairs.filter(|pair| is_right(*pair)).count();
            let accuracy = right as f64 / test.len() as f64;
            found.push(
                Row::new("Mondrian cube", series, Some(*cuts as f64)).with("accuracy", accuracy),
            );
        }
        Ok(found)
    }
}
