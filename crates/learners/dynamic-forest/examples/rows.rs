//! Writes a data set for other programs: a line with the number of training rows, then a line for each row, its target
//! last. `cargo run --release -p dynamic-forest --example rows -- letter > letter.csv`

use std::io::Write;

use datasets::{OpenOptions, Target, data_folder, open};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args().nth(1).ok_or("name a data set")?;
    let options = OpenOptions {
        data_dir: Some(data_folder()),
        ..OpenOptions::default()
    };
    let data = open(&address, &options)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "{}", data.split.unwrap_or(data.rows() * 4 / 5))?;
    for (row, features) in data.features.outer_iter().enumerate() {
        for value in features {
            write!(out, "{value},")?;
        }
        match &data.target {
            Target::Classes { labels, .. } => writeln!(out, "{}", labels[row])?,
            Target::Values { values, .. } => writeln!(out, "{}", values[row])?,
        }
    }
    Ok(())
}
