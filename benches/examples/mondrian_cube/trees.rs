//! Random tessellation processes, stopped after numbers of cuts.

use forest_core::{Classification, Schema, threads};
use mondrian::AxisCuts;
use random_tessellation::UniformCuts;
use random_tessellation::batch::{BallMass, BatchError, BatchSettings, BatchTree, Rates};

use crate::{Accuracies, CUTS, Split};

/// Trees whose answers are counted.
const COPIES: usize = 10;

/// uRTP and MRTP with exact rates; of few points uRTP with those of balls too, which are the paper's.
pub fn run(split: &Split) -> Result<Vec<Accuracies>, BatchError> {
    let mut runs = vec![
        accuracies::<UniformCuts>("uRTP", Rates::Exact, split)?,
        accuracies::<AxisCuts>("MRTP", Rates::Exact, split)?,
    ];
    if split.is_small() {
        let ball = accuracies::<UniformCuts>("uRTP (ball)", Rates::BallAsPrinted, split)?;
        runs.push(ball);
    }
    Ok(runs)
}

/// The answers of one tree to the test points, after each number of cuts.
type Answers = Vec<Vec<u32>>;

fn accuracies<D: BallMass>(
    method: &'static str,
    rates: Rates,
    split: &Split,
) -> Result<Accuracies, BatchError> {
    let mut copies: Vec<(usize, Result<Answers, BatchError>)> =
        (0..COPIES).map(|copy| (copy, Ok(Vec::new()))).collect();
    threads::each(&mut copies, usize::MAX, |(copy, answers)| {
        let seed = (split.number * COPIES + *copy) as u64;
        *answers = one_tree::<D>(rates, split, seed);
    });
    let copies = copies.into_iter().map(|(_, answers)| answers);
    let copies: Vec<Answers> = copies.collect::<Result<_, _>>()?;
    let modes = (0..CUTS.len()).map(|place| {
        let mode = |point: usize| {
            let ones = copies.iter().filter(|answers| answers[place][point] == 1);
            u32::from(2 * ones.count() > COPIES)
        };
        split.accuracy((0..split.truth.len()).map(mode))
    });
    Ok(Accuracies {
        method,
        split: split.number,
        percent: modes.collect(),
    })
}

fn one_tree<D: BallMass>(rates: Rates, split: &Split, seed: u64) -> Result<Answers, BatchError> {
    let settings = BatchSettings::<D::Settings> {
        rates,
        ..BatchSettings::default()
    };
    let trees = BatchTree::<D>::after_cuts(
        Schema::<Classification>::new(split.train.ncols())?,
        split.train.view(),
        &split.labels,
        split.test.view(),
        &settings,
        seed,
        &CUTS,
    )?;
    let answers = trees.iter().map(|tree| {
        let rows = split.test.outer_iter();
        rows.map(|row| tree.vote(&row.to_vec()) as u32).collect()
    });
    Ok(answers.collect())
}
