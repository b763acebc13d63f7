//! Counts the candidates and points examined per insert.

use forest_core::OnlineLearner;
use mondrian::{AxisCuts, AxisWeights};
use obsp::{PairCuts, PairSettings};
use random_tessellation::{CutNormals, LinearCuts};
use tessellation_tree::{CutDistribution, WorkCounts};

use crate::one_tree;
use crate::streams::{Stream, real};

/// Returns the longest stream in `d` dimensions: at most a gigabyte of rows, minutes per table.
fn longest(d: usize) -> usize {
    match d {
        ..=10 => 1_000_000,
        11..=50 => 100_000,
        _ => 30_000,
    }
}

const HEADER: &str = "distribution,stream,d,n,candidates,points,most_points";

pub(crate) fn generated() {
    println!("{HEADER}");
    for d in [2, 5, 10, 50, 180] {
        for stream in Stream::ALL {
            // Long streams of one kind show how the work grows; the other kinds are compared on shorter ones.
            let n = match stream {
                Stream::Uniform => longest(d),
                _ => longest(d).min(100_000),
            };
            measure_all(&format!("{stream:?}"), &stream.rows(n, d));
        }
    }
}

pub(crate) fn real_sets() {
    println!("{HEADER}");
    for name in ["letter", "pendigits", "elec2", "usps", "mnist"] {
        match real(name) {
            Some(rows) => measure_all(name, &rows),
            None => eprintln!("{name}: not available, left out"),
        }
    }
}

fn measure_all(stream: &str, rows: &[Vec<f32>]) {
    measure::<AxisCuts>("axes", stream, rows, &AxisWeights::Equal);
    measure::<PairCuts>("pairs", stream, rows, &PairSettings::default());
    measure::<LinearCuts>("uniform", stream, rows, &CutNormals::Uniform);
}

/// Prints a line at 1,000, 10,000, … rows and at the end, each about the rows since the previous line.
fn measure<D: CutDistribution>(name: &str, stream: &str, rows: &[Vec<f32>], cuts: &D::Settings) {
    let d = rows[0].len();
    let mut forest = one_tree::<D>(d, cuts);
    let mut counts = WorkCounts::default();
    let (mut at_start, mut most, mut first) = (counts, 0, 0);
    for (index, row) in rows.iter().enumerate() {
        forest.learn_one(row, 0.0).expect("the rows are finite");
        let tree = forest.trees().next().expect("one tree");
        let now = tree.work_counts();
        most = most.max(now.points - counts.points);
        counts = now;
        let n = index + 1;
        if n == rows.len() || (n >= 1000 && n.ilog10() > index.ilog10()) {
            let per_row = |count: u64| count as f64 / (n - first) as f64;
            let candidates = per_row(counts.candidates - at_start.candidates);
            let points = per_row(counts.points - at_start.points);
            println!("{name},{stream},{d},{n},{candidates:.2},{points:.2},{most}");
            (at_start, most, first) = (counts, 0, n);
        }
    }
}
