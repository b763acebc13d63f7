//! The command line of `predict`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;
use forest_model::{Address, Asked, BadRowOptions, ReadingOptions};

/// What to predict, with which model, and how predictions are written.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Table to predict: a file, or `-` for standard input. Its columns may be in any order; the target may be missing
    #[arg(long, value_name = "FILE|-")]
    pub data: Address,

    /// File for the predictions; it appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Format of the predictions
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,

    /// Add the probability of every class
    #[arg(long)]
    pub proba: bool,

    /// Add the bounds between which a new target lies with this probability; for models with intervals
    #[arg(long, value_name = "P", value_parser = probability)]
    pub interval: Option<f64>,

    /// How bad rows are handled.
    #[command(flatten)]
    pub bad_rows: BadRowOptions,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The format of the table.
    #[command(flatten)]
    pub reading: ReadingOptions,
}

impl Args {
    /// Returns the columns requested besides the prediction.
    pub(crate) fn asked(&self) -> Asked {
        Asked {
            proba: self.proba,
            interval: self.interval,
        }
    }
}

/// The format of predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A header, then a line per row.
    Csv,
    /// A JSON object per row.
    Jsonl,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("expected a probability above 0 and below 1, such as 0.9".to_owned()),
    }
}
