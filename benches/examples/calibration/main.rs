//! Whether hierarchical label models know what they do not know.
//!
//! `cargo run --release -p benches --example calibration -- regression` learns the first part of data sets and
//! writes for the rest, as CSV, the root mean square error, the mean negative log density, and how many targets
//! lie in central intervals of 90 %, each by several ways to combine trees; `-- classification` the
//! log loss and the expected calibration error (15 bins of equal width); `-- cost` the time to learn and to
//! predict. Data sets lie in `FOREST_DATA`; features are scaled to [0, 1] by the rows learned.

mod classification;
mod cost;
mod regression;

use std::process::ExitCode;

use datasets::{Dataset, OpenOptions, data_folder, open};
use forest_core::TreeRng;
use ndarray::{Array2, s};
use online_forests::preprocessing::Scaling;

/// Rows to learn and rows to ask, each with targets.
pub struct Parts<T> {
    /// To learn.
    pub learn: (Array2<f32>, Vec<T>),
    /// To ask.
    pub ask: (Array2<f32>, Vec<T>),
}

/// Opens a data set; rows are shuffled and 3/10 are asked where there is no standard split. At most `most` rows.
pub fn parts<T: Copy>(
    address: &str,
    most: usize,
    targets: impl Fn(&Dataset) -> Vec<T>,
) -> Parts<T> {
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(address, &options).expect("the data set is there");
    let targets = targets(&data);
    let mut order: Vec<usize> = (0..data.rows()).collect();
    let split = match data.split {
        Some(split) => {
            TreeRng::new(5, 0).shuffle(&mut order[..split]);
            split
        }
        None => {
            TreeRng::new(5, 0).shuffle(&mut order);
            order.truncate(most);
            order.len() * 7 / 10
        }
    };
    let rows = data.features.select(ndarray::Axis(0), &order);
    let scaler = Scaling::MinMax
        .fit(rows.slice(s![..split, ..]))
        .expect("rows to learn");
    let rows = scaler.transform(rows).expect("rows of one width");
    let part = |range: std::ops::Range<usize>| {
        let targets = order[range.clone()]
            .iter()
            .map(|&row| targets[row])
            .collect();
        (rows.slice(s![range, ..]).to_owned(), targets)
    };
    Parts {
        learn: part(0..split),
        ask: part(split..order.len()),
    }
}

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("regression") => regression::run(),
        Some("classification") => classification::run(),
        Some("cost") => benches::on_one_thread(cost::run),
        _ => {
            eprintln!("error: say what to run: regression, classification or cost");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
