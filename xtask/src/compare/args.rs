//! The command line of `cargo xtask compare`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueEnum;
use datasets::{OpenOptions, TargetColumn, TaskKind};
use evaluation::AnyAlgorithm;
use evaluation::protocol::{self, Design, Preprocessing, TrainSize};
use evaluation::record::Protocol;
use preprocessing::Scaling;

/// Compare online forests with each other and with a trivial baseline.
///
/// Without arguments: generated data, every algorithm that can do the task, three seeds.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// A named set, a file, or a generator such as `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    pub data: Vec<String>,

    /// An algorithm, with parameters if not its defaults; may be repeated [default: one of each
    /// family that learns online]
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]")]
    pub algorithms: Vec<AnyAlgorithm>,

    /// Trees of every forest
    #[arg(long, value_name = "N", default_value = "10")]
    pub trees: NonZeroUsize,

    /// Repetitions, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value = "3")]
    pub seeds: NonZeroUsize,

    /// How to measure: learn then test, test then learn every row, or both in turn
    #[arg(long, value_enum, default_value_t = Protocols::Both)]
    pub protocol: Protocols,

    /// The order in which the prequential protocol visits the rows
    #[arg(long, value_enum, default_value_t = Order::Stream)]
    pub order: Order,

    /// Rows the hold-out learns from, as a number or as a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION")]
    pub train: Option<TrainSize>,

    /// The column to predict [default: that of a named set; the last of a table]
    #[arg(long, value_name = "COLUMN|first|last")]
    pub target: Option<TargetColumn>,

    /// What to make of the target [default: as the values suggest]
    #[arg(long, value_name = "classify|regress")]
    pub task: Option<TaskKind>,

    /// What is done to the features before anything learns
    #[arg(long, value_enum, default_value_t = Scale::Minmax)]
    pub scale: Scale,

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

    /// The folder for runs, tables, plots and report; files of an earlier comparison are replaced
    #[arg(long, value_name = "DIR", default_value = "results/compare")]
    pub out: PathBuf,

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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Order {
    /// As the file or the generator has them.
    Stream,
    /// Shuffled, anew for every seed.
    Shuffled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Scale {
    /// The features as they are.
    None,
    /// Each feature to [0, 1], which finite budgets expect.
    Minmax,
    /// Each feature to mean 0 and variance 1.
    Standard,
    /// Each feature minus its median, divided by its interquartile range.
    Robust,
    /// Each value to its quantile among the values fitted on, in [0, 1].
    Quantile,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Weights {
    /// None: all features alike.
    Equal,
    /// The variance of each feature before scaling: of principal components, what they explain.
    Variances,
    /// What each feature tells about the targets on its own, by the rows that scaling is fitted on.
    Labels,
}

impl Protocols {
    pub fn protocols(self) -> &'static [Protocol] {
        match self {
            Self::Holdout => &[Protocol::Holdout],
            Self::Prequential => &[Protocol::Prequential],
            Self::Both => &[Protocol::Holdout, Protocol::Prequential],
        }
    }
}

impl Order {
    fn order(self) -> protocol::Order {
        match self {
            Self::Stream => protocol::Order::Stream,
            Self::Shuffled => protocol::Order::Shuffled,
        }
    }
}

impl Scale {
    fn scaling(self) -> Option<Scaling> {
        match self {
            Self::None => None,
            Self::Minmax => Some(Scaling::MinMax),
            Self::Standard => Some(Scaling::Standard),
            Self::Robust => Some(Scaling::Robust),
            Self::Quantile => Some(Scaling::Quantile),
        }
    }
}

impl Weights {
    fn weights(self) -> protocol::Weights {
        match self {
            Self::Equal => protocol::Weights::Equal,
            Self::Variances => protocol::Weights::Variances,
            Self::Labels => protocol::Weights::Labels,
        }
    }
}

impl Args {
    pub fn design(&self) -> Design {
        Design {
            order: self.order.order(),
            train: self.train,
            preprocessing: Preprocessing {
                scaling: self.scale.scaling(),
                weights: self.weights.weights(),
                components: self.pca.map(NonZeroUsize::get),
            },
        }
    }

    pub fn open_options(&self) -> OpenOptions {
        OpenOptions {
            data_dir: Some(self.data_dir.clone()),
            target: self.target.clone(),
            task: self.task,
        }
    }
}
