//! The command line of `cargo xtask compare`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use evaluation::AnyAlgorithm;
use evaluation::metric::Metric;
use evaluation::protocol::{Design, Limits, Order, Preprocessing, Splitting, TrainSize, Weights};
use evaluation::record::Protocol;
use preprocessing::FeatureScaling;

use super::limits::time;
use crate::data::Reading;
use crate::part;

/// Compare online forests with each other and with a trivial baseline.
///
/// Without arguments: generated data, one algorithm of each family that can do the task, five seeds.
/// `cargo xtask algorithms` lists what can be compared, `cargo xtask data list` on what.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A named set, a file, or a generator such as `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    pub data: Vec<OsString>,

    /// An algorithm, with parameters if not its defaults; may be repeated [default: one of each
    /// family that learns online]; `cargo xtask algorithms` lists names, and with a NAME its parameters
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", value_parser = part::algorithm)]
    pub algorithms: Vec<AnyAlgorithm>,

    /// Trees of every forest
    #[arg(long, value_name = "N", default_value = "10")]
    pub trees: NonZeroUsize,

    /// Repetitions, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value = "5")]
    pub seeds: NonZeroUsize,

    /// How to measure; both: hold-out, then prequential
    #[arg(long, value_enum, default_value_t = Protocols::Both)]
    pub protocol: Protocols,

    /// The order in which the prequential protocol visits the rows
    #[arg(long, value_enum, default_value_t = Order::Stream)]
    pub order: Order,

    /// Rows the hold-out learns from, as a number or as a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION")]
    pub train: Option<TrainSize>,

    /// What the hold-out does with sets that have a standard split
    #[arg(long, value_enum, default_value_t = Splitting::Standard)]
    pub split: Splitting,

    /// Parts of the rows, with --protocol kfold
    #[arg(long, value_name = "K", default_value = "10")]
    pub folds: NonZeroUsize,

    /// Rows that arrive before the label of a row does, with --protocol delayed
    #[arg(long, value_name = "N", default_value = "100")]
    pub delay: usize,

    /// A column of the tables, the first to decide who is best; may be repeated [default: accuracy and
    /// log_loss; rmse and mae]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<Metric>,

    #[command(flatten)]
    pub reading: Reading,

    /// What is done to the features before anything learns
    #[arg(long, value_enum, default_value_t = FeatureScaling::Minmax)]
    pub scale: FeatureScaling,

    /// Weights of the features, for algorithms that take some and are given none
    #[arg(long, value_enum, default_value_t = Weights::Equal)]
    pub weights: Weights,

    /// Replace the features by their first K principal components (before scaling)
    #[arg(long, value_name = "K")]
    pub pca: Option<NonZeroUsize>,

    /// Threads to learn and predict with [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    pub data_dir: PathBuf,

    /// The folder for runs, tables, plots and report; it must not have runs [default:
    /// results/compare-YYYY-MM-DD-HHMMSS]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Go on in the folder of --out: run only what it has no record of
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Run nothing: print and draw the runs of this file, beside it or in --out
    #[arg(long, value_name = "runs.jsonl", conflicts_with_all = ["data", "algorithms", "resume"])]
    pub report_from: Option<PathBuf>,

    /// Memory that one learner may hold, or an offline one may take to fit; above it, its run is stopped, or does not
    /// begin [default: 80 % of what is free]
    #[arg(long, value_name = "SIZE", value_parser = memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Time that one run may take, such as 90s or 10m; above it, the run is stopped
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,

    /// Print the runs, one JSON object a line, and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocols {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each row of the stream, then learn it.
    Prequential,
    /// First the one, then the other.
    Both,
    /// Test on each of K parts of the rows, after having learned all others.
    Kfold,
    /// As prequential, but the label of a row arrives N rows later.
    Delayed,
}

impl Protocols {
    pub fn protocols(self) -> &'static [Protocol] {
        match self {
            Self::Holdout => &[Protocol::Holdout],
            Self::Prequential => &[Protocol::Prequential],
            Self::Both => &[Protocol::Holdout, Protocol::Prequential],
            Self::Kfold => &[Protocol::KFold],
            Self::Delayed => &[Protocol::Delayed],
        }
    }
}

impl Args {
    pub fn limits(&self) -> Limits {
        Limits {
            bytes: memory_limit::or_default(self.max_memory),
            time: self.time_limit,
        }
    }

    pub fn design(&self) -> Design {
        Design {
            order: self.order,
            train: self.train,
            splitting: self.split,
            folds: self.folds.get(),
            delay: self.delay,
            preprocessing: Preprocessing {
                scaling: self.scale.scaling(),
                weights: self.weights,
                components: self.pca.map(NonZeroUsize::get),
            },
        }
    }
}
