//! The command line of `cargo xtask compare`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::ValueEnum;
use evaluation::metric::Metric;
use evaluation::protocol::{Design, Limits, Order, Preprocessing, Splitting, TrainSize, Weights};
use evaluation::record::Protocol;
use evaluation::{AnyAlgorithm, Part};
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
    /// Data: a named set, a file, or a generator such as `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    pub data: Vec<OsString>,

    /// Algorithm and its parameters; may be repeated [default: one of each
    /// family that learns online]; `cargo xtask algorithms` lists names, and with a NAME its parameters
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", value_parser = part::algorithm)]
    pub algorithms: Vec<AnyAlgorithm>,

    /// Number of trees of every forest
    #[arg(long, value_name = "N", default_value = "10")]
    pub trees: NonZeroUsize,

    /// Repetitions, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value = "5")]
    pub seeds: NonZeroUsize,

    /// Protocol; both: hold-out, then prequential
    #[arg(long, value_enum, default_value_t = Protocols::Both)]
    pub protocol: Protocols,

    /// Order of the rows in the prequential protocol
    #[arg(long, value_enum, default_value_t = Order::Stream)]
    pub order: Order,

    /// Training rows of the hold-out, as a number or a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION")]
    pub train: Option<TrainSize>,

    /// Split of sets that have a standard one, in the hold-out
    #[arg(long, value_enum, default_value_t = Splitting::Standard)]
    pub split: Splitting,

    /// Number of folds, with --protocol kfold
    #[arg(long, value_name = "K", default_value = "10")]
    pub folds: NonZeroUsize,

    /// Rows between a row and its label, with --protocol delayed
    #[arg(long, value_name = "N", default_value = "100")]
    pub delay: usize,

    /// Metric of the tables; the first one ranks; may be repeated [default: accuracy and
    /// log_loss; rmse and mae]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<Metric>,

    #[command(flatten)]
    pub reading: Reading,

    /// Scaling of the features
    #[arg(long, value_enum, default_value_t = FeatureScaling::Minmax)]
    pub scale: FeatureScaling,

    /// Weights of the features, for algorithms that have them as a parameter
    #[arg(long, value_enum, default_value_t = Weights::Equal)]
    pub weights: Weights,

    /// Replace the features by their first K principal components (before scaling)
    #[arg(long, value_name = "K")]
    pub pca: Option<NonZeroUsize>,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Folder of the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    pub data_dir: PathBuf,

    /// Folder for runs, tables, plots and report; it must not contain runs [default:
    /// results/compare-YYYY-MM-DD-HHMMSS]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// Continue in the folder of --out: run only what it has no record of
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Run only part I of N: the parts have no run in common, and are of one size. --report-from makes one report of them
    #[arg(long, value_name = "I/N")]
    pub part: Option<Part>,

    /// Run nothing; report the runs of these files, beside the first or in --out
    #[arg(long, value_name = "runs.jsonl", num_args = 1.., conflicts_with_all = ["data", "algorithms", "resume", "part"])]
    pub report_from: Vec<PathBuf>,

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
