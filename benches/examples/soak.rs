//! Endless streams through bounded learners: memory and rows per second over time.
//!
//! `cargo run --release -p benches --example soak -- ROWS FEATURES ALGORITHM` prints a line of CSV for each hundredth of the
//! rows: rows so far, bytes by the learner's account, resident bytes of the process, rows per second since the line before. Seconds are
//! those of the processor, so that other work on the machine counts little.

use std::error::Error;
use std::fs;

use forest_core::TreeRng;
use forest_testing::timing::timed;
use online_forests::ndarray::Array2;
use online_forests::{Algorithm, Classification, ForestSettings, OnlineLearner, Schema};

const BATCH: usize = 1000;
const TREES: usize = 5;
const LINES: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut next = || {
        arguments
            .next()
            .ok_or("expected the arguments ROWS FEATURES ALGORITHM")
    };
    let (rows, features): (usize, usize) = (next()?.parse()?, next()?.parse()?);
    let algorithm: Algorithm = next()?.parse()?;
    benches::on_one_thread(|| soak(rows, features, &algorithm).map_err(|error| error.to_string()))?;
    Ok(())
}

fn soak(rows: usize, features: usize, algorithm: &Algorithm) -> Result<(), Box<dyn Error>> {
    let trees = ForestSettings::default().with_trees(TREES).with_seed(1);
    let mut learner = algorithm.build::<Classification>(Schema::new(features)?, trees)?;
    let mut rng = TreeRng::new(1, usize::MAX);
    println!("rows,bytes,resident,rows_per_second");
    let (mut seconds, each) = (0.0, (rows / LINES).max(BATCH));
    for start in (0..rows).step_by(BATCH) {
        let (points, classes) = batch(features, &mut rng);
        let (learned, micros) = timed(|| learner.learn(points.view(), &classes));
        learned?;
        seconds += micros * 1e-6;
        let done = start + BATCH;
        if done.is_multiple_of(each) {
            println!(
                "{done},{},{},{:.0}",
                learner.footprint().bytes,
                resident(),
                each as f64 / seconds
            );
            seconds = 0.0;
        }
    }
    Ok(())
}

/// Draws uniform points of two classes with a curved border, a tenth of them mislabelled.
fn batch(features: usize, rng: &mut TreeRng) -> (Array2<f32>, Vec<u32>) {
    let points = Array2::from_shape_simple_fn((BATCH, features), || rng.uniform() as f32);
    let class = |x: f32, y: f32| u32::from((x - 0.5).hypot(y - 0.5) < 0.35);
    let of_row = |row: ndarray::ArrayView1<'_, f32>| class(row[0], row[1]);
    let mut classes: Vec<u32> = points.rows().into_iter().map(of_row).collect();
    for class in &mut classes {
        *class ^= u32::from(rng.below(10) == 0);
    }
    (points, classes)
}

/// Returns the resident bytes of the process, where the system reports them.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_whitespace().nth(1));
    number.and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) * 1024
}
