//! Compares deleting samples with learning again; slides a window over a long stream.

use std::time::Instant;

use forest_core::{Forget, OnlineLearner, TreeRng};
use mondrian::{AxisCuts, AxisWeights};
use obsp::{PairCuts, PairSettings};
use random_tessellation::{CutNormals, LinearCuts};
use tessellation_tree::{CutDistribution, Pause};

use crate::streams::Stream;
use crate::{one_tree, paused_tree};

const D: usize = 5;

/// Measures many deletions, and learning the remaining samples again.
pub(crate) fn deletions() {
    println!(
        "distribution,targets,n,deletions_per_second,relearning_seconds,\
         deletions_for_one_relearning,points_per_deletion"
    );
    for n in [1_000, 10_000, 100_000, 1_000_000] {
        let rows = Stream::Uniform.rows(n, D);
        for pause in [Pause::Never, Pause::WhileLabelsAgree] {
            delete::<AxisCuts>("axes", &rows, &AxisWeights::Equal, pause);
            delete::<PairCuts>("pairs", &rows, &PairSettings::default(), pause);
            delete::<LinearCuts>("uniform", &rows, &CutNormals::Uniform, pause);
        }
    }
}

fn delete<C: CutDistribution>(name: &str, rows: &[Vec<f32>], cuts: &C::Settings, pause: Pause) {
    let n = rows.len();
    let mut forest = paused_tree::<C>(D, cuts, pause);
    let start = Instant::now();
    for row in rows {
        // One of ten classes, if labels are used: large leaves, which removals may dissolve.
        let target = f64::from((10.0 * row[0]).floor());
        forest.learn_one(row, target).expect("the rows are finite");
    }
    let relearning = start.elapsed().as_secs_f64();
    let mut arrivals: Vec<u64> = (0..n as u64).collect();
    TreeRng::new(3, 0).shuffle(&mut arrivals);
    let some = &arrivals[..n / 10];
    let start = Instant::now();
    for &arrival in some {
        forest.forget(arrival).expect("it is held");
    }
    let one = start.elapsed().as_secs_f64() / some.len() as f64;
    let tree = forest.trees().next().expect("one tree");
    let points = tree.work_counts().points_by_removals as f64 / some.len() as f64;
    let targets = match pause {
        Pause::Never => "ignored",
        Pause::WhileLabelsAgree => "ten classes",
    };
    let (rate, ratio) = (1.0 / one, relearning / one);
    println!("{name},{targets},{n},{rate:.0},{relearning:.4},{ratio:.0},{points:.2}");
}

/// Measures memory and time per row along ten million rows.
pub(crate) fn window() {
    println!("distribution,rows,microseconds,bytes,nodes");
    slide::<AxisCuts>("axes", &AxisWeights::Equal);
    slide::<PairCuts>("pairs", &PairSettings::default());
}

fn slide<C: CutDistribution>(name: &str, cuts: &C::Settings) {
    let mut forest = one_tree::<C>(D, cuts);
    forest
        .keep_latest(1000)
        .expect("a tree without a bound can forget");
    let mut rng = TreeRng::new(5, 0);
    for million in 1..=10 {
        let start = Instant::now();
        for _ in 0..1_000_000 {
            let row = [(); D].map(|()| rng.uniform() as f32);
            forest.learn_one(&row, 0.0).expect("the row is finite");
        }
        let (micros, held) = (start.elapsed().as_secs_f64(), forest.footprint());
        println!(
            "{name},{million}000000,{micros:.3},{},{}",
            held.bytes, held.nodes
        );
    }
}
