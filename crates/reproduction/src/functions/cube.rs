//! Accuracy against the number of cuts of batch tessellation trees (Ge et al. 2019, Figure 3).

use anyhow::{Result, bail};
use comparison::protocol::shuffled;
use forest_core::{Classification, Schema};
use mondrian::AxisCuts;
use ndarray::{Array2, Axis};
use random_tessellation::batch::{BatchSettings, BatchTree, Inference, Training};
use random_tessellation::{CutDistribution, LinearCuts};

use super::{Arguments, Function, labels};
use crate::runs::Row;

/// Learns a random 60 % of the rows and cuts the others along without labels; `trees` independent trees vote.
pub(super) const CUTS: Function = Function {
    name: "cuts",
    parameters: &["data", "series", "particles", "trees"],
    run: |arguments| match arguments.text("series")?.as_str() {
        "uRTP" => lines::<LinearCuts>(arguments),
        "MRTP" => lines::<AxisCuts>(arguments),
        other => bail!("`series`: `{other}` is neither `uRTP` nor `MRTP`"),
    },
};

const NUMBERS: [usize; 13] = [0, 1, 2, 3, 5, 8, 12, 25, 50, 85, 106, 140, 180];

/// Votes of one tree for the test rows, after each number of cuts.
type Votes = Vec<Vec<u32>>;

struct Split {
    train: Array2<f32>,
    labels: Vec<u32>,
    test: Array2<f32>,
    truth: Vec<u32>,
}

fn lines<D: CutDistribution>(arguments: &Arguments<'_>) -> Result<Vec<Row>> {
    let split = split(arguments)?;
    let trees = arguments.count("trees")?;
    let votes =
        (0..trees as u64).map(|tree| votes::<D>(arguments, &split, arguments.seed * 1000 + tree));
    let votes: Vec<Votes> = votes.collect::<Result<_>>()?;
    let row = |(place, cuts): (usize, &usize)| {
        // Two classes; a tie goes to the first.
        let mode = |row: usize| {
            let ones = votes.iter().filter(|votes| votes[place][row] == 1);
            u32::from(2 * ones.count() > trees)
        };
        let right = split.truth.iter().enumerate();
        let right = right.filter(|(row, truth)| mode(*row) == **truth).count();
        let series = arguments.text("series")?;
        let accuracy = right as f64 / split.truth.len() as f64;
        Ok(Row::new("Mondrian cube", &series, Some(*cuts as f64)).with("accuracy", accuracy))
    };
    NUMBERS.iter().enumerate().map(row).collect()
}

fn split(arguments: &Arguments<'_>) -> Result<Split> {
    let data = arguments.dataset()?;
    let labels = labels(&data)?;
    let order = shuffled(data.rows(), arguments.seed);
    let (train, test) = order.split_at(order.len() * 6 / 10);
    let of = |rows: &[usize]| rows.iter().map(|&row| labels[row]).collect();
    Ok(Split {
        train: data.features.select(Axis(0), train),
        labels: of(train),
        test: data.features.select(Axis(0), test),
        truth: of(test),
    })
}

fn votes<D: CutDistribution>(arguments: &Arguments<'_>, split: &Split, seed: u64) -> Result<Votes> {
    let settings = BatchSettings {
        inference: Inference::MonteCarlo {
            particles: arguments.count("particles")?,
        },
        ..BatchSettings::default()
    };
    let schema = Schema::<Classification>::new(split.train.ncols())?;
    let training = Training {
        rows: split.train.view(),
        targets: &split.labels,
        test_rows: Some(split.test.view()),
    };
    let trees = BatchTree::<D>::after_cuts(schema, training, &settings, seed, &NUMBERS)?;
    let predictions = trees.iter().map(|tree| {
        let rows = split.test.outer_iter();
        rows.map(|row| tree.vote(&row.to_vec()) as u32).collect()
    });
    Ok(predictions.collect())
}
