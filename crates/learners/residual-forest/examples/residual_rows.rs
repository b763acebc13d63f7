//! Writes a data set for other programs: the numbers of features and of training rows, then a line for each row, its target and the target without
//! noise last. `cargo run --release -p residual-forest --example residual_rows -- california_housing 1 > california_housing-1.csv`
//!
//! Without a standard split, rows are in the order in which the hold-out of this seed has them, and 80 % are for training, or the number in the
//! third argument.

use std::io::Write;

use datasets::{Dataset, OpenOptions, Target, data_folder, open};
use forest_core::TreeRng;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("name a data set")?;
    let seed = std::env::args().nth(2).ok_or("and a seed")?.parse()?;
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(&address, &options)?;
    let Target::Values { values, noise_free } = &data.target else {
        return Err("its targets are classes".into());
    };
    let truth = noise_free.as_ref().unwrap_or(values);
    let rows = std::env::args()
        .nth(3)
        .map(|rows| rows.parse())
        .transpose()?;
    let (order, split) = order(&data, seed, rows);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{},{split}", data.n_features())?;
    for row in order {
        for value in data.features.row(row) {
            write!(out, "{value},")?;
        }
        writeln!(out, "{},{}", values[row], truth[row])?;
    }
    Ok(())
}

/// As `evaluation::protocol` shuffles: by the last stream of the seed.
fn order(data: &Dataset, seed: u64, rows: Option<usize>) -> (Vec<usize>, usize) {
    let mut order: Vec<usize> = (0..data.rows()).collect();
    if let Some(split) = data.split {
        return (order, split);
    }
    TreeRng::new(seed, usize::MAX).shuffle(&mut order);
    (order, rows.unwrap_or(data.rows() * 4 / 5))
}
