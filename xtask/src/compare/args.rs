//! The command line of `cargo xtask compare`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use clap::ValueEnum;
use comparison::folder::FolderError;
use comparison::metric::Metric;
use comparison::protocol::{
    Design, Order, Preprocessing, Splitting, TrainSize, Validation, Weights,
};
use comparison::record::Protocol;
use comparison::{Contender, GridPart};
use forest_core::registry::AlgorithmError;
use jiff::SignedDuration;
use tables::preprocessing::FeatureScaling;

use crate::data::Reading;

/// Compare online forests with each other and with a trivial baseline.
///
/// Without arguments: generated data, one algorithm of each family that supports the task, five seeds.
/// `cargo xtask algorithms` lists algorithms, `cargo xtask data list` data sets.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Data: a named set, a data set of OpenML by number (`openml:61`), a file, or a generator such as `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    pub data: Vec<OsString>,

    /// Algorithm and its parameters; may be repeated [default: one of each
    /// family that learns online]; `cargo xtask algorithms` lists names, and with a NAME its parameters
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", value_parser = algorithm)]
    pub algorithms: Vec<Contender>,

    /// Python file whose dictionary `learners` joins the algorithms: names and learners, as `online_forests.compare` takes
    /// them. The Python package runs the comparison; tables are read with default options, and memory is limited by
    /// --max-memory alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "task", "TableOptions", "part", "report_from"])]
    pub python: Option<PathBuf>,

    /// Number of trees of every forest
    #[arg(long, value_name = "N", default_value = "10")]
    pub trees: NonZeroUsize,

    /// Repetitions, with the seeds 0, 1, …
    #[arg(long, value_name = "N", default_value = "5")]
    pub seeds: NonZeroUsize,

    /// Protocol; both: hold-out, then prequential
    #[arg(long, value_enum, default_value_t = Protocols::Both)]
    pub protocol: Protocols,

    /// Order in which rows are learned: as the file has them (stream), shuffled per seed, or sorted by the target, upwards or downwards [default:
    /// stream for streams; else shuffled, or as a standard or chronological split has them]
    #[arg(long, value_enum)]
    pub order: Option<Order>,

    /// Training rows of the hold-out, as a number or a fraction between 0 and 1 [default: the
    /// set's standard training part; else 0.7]
    #[arg(long, value_name = "N|FRACTION")]
    pub train: Option<TrainSize>,

    /// Split of the rows, in the hold-out [default: standard]
    #[arg(long, value_enum)]
    pub split: Option<Splitting>,

    /// Number of folds, with --protocol kfold or prequential-kfold [default: 10]
    #[arg(long, value_name = "K")]
    pub folds: Option<NonZeroUsize>,

    /// Rows that each of the K learners of --protocol prequential-kfold learns: each row by all but one (cross), by one (split), or a Poisson(1)
    /// number of times by each (bootstrap) [default: cross]
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        value_name = "cross|split|bootstrap"
    )]
    pub validation: Option<Validation>,

    /// Rows between a row and its label, with --protocol delayed [default: 100]
    #[arg(long, value_name = "N")]
    pub delay: Option<usize>,

    /// Metric of the tables; the first one ranks; may be repeated [default: accuracy and
    /// log_loss; rmse and mae]
    #[arg(long = "metric", value_name = "NAME")]
    pub metrics: Vec<Metric>,

    #[command(flatten)]
    pub reading: Reading,

    /// Scaling of the features
    #[arg(long, value_enum, default_value_t = FeatureScaling::Minmax)]
    pub scale: FeatureScaling,

    /// Weights of the features, for algorithms with a parameter `weights`
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

    /// Continue in the folder of --out: run only what is not recorded there
    #[arg(long, requires = "out")]
    pub resume: bool,

    /// Run only part I of N: the parts are disjoint and of equal size. --report-from makes one report of them
    #[arg(long, value_name = "I/N")]
    pub part: Option<GridPart>,

    /// Run nothing: build a report from these runs.jsonl files, next to the first one or in --out. If a part of a grid or the end of a file is
    /// missing, the report covers the rest, and the exit code is 1
    #[arg(long, value_name = "runs.jsonl", num_args = 1.., conflicts_with_all = ["data", "algorithms", "resume", "part"])]
    pub report_from: Vec<PathBuf>,

    /// Memory limit of a learner that learns online; above it, its run is stopped [default: 80 % of available memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Time limit of a run, such as 90s or 10m; above it, the run is stopped
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time_limit: Option<Duration>,

    /// Print the runs, one JSON object a line, and nothing else on standard output
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocols {
    /// Learn one part, then test on the other.
    Holdout,
    /// Test on each row of the stream, then learn it.
    Prequential,
    /// The hold-out, then the prequential protocol.
    Both,
    /// Test on each of K parts of the rows, after having learned all others.
    Kfold,
    /// As prequential, by K learners that learn different rows; the result is the mean over them.
    PrequentialKfold,
    /// As prequential, but the label of a row arrives N rows later.
    Delayed,
}

impl Protocols {
    pub(crate) fn protocols(self) -> &'static [Protocol] {
        match self {
            Self::Holdout => &[Protocol::Holdout],
            Self::Prequential => &[Protocol::Prequential],
            Self::Both => &[Protocol::Holdout, Protocol::Prequential],
            Self::Kfold => &[Protocol::KFold],
            Self::PrequentialKfold => &[Protocol::PrequentialKFold],
            Self::Delayed => &[Protocol::Delayed],
        }
    }
}

/// Parses an algorithm. A name that is unknown may be one of smartcore's learners, where this program is built without them.
pub(crate) fn algorithm(text: &str) -> Result<Contender, String> {
    let algorithm: Result<Contender, AlgorithmError> = text.parse();
    algorithm.map_err(|error| match error {
        AlgorithmError::Unknown { .. } if cfg!(not(feature = "baselines")) => {
            format!("{error}; `cargo xtask-all` also has the offline learners of smartcore")
        }
        error => error.to_string(),
    })
}

/// Parses a positive time such as `90s`, `10m`, `1h 30m`.
fn time(text: &str) -> Result<Duration, String> {
    let parsed: Option<SignedDuration> = text.parse().ok();
    let time = parsed.and_then(|time| Duration::try_from(time).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| "expected a time such as 90s, 10m or 1h 30m".to_owned())
}

impl Args {
    /// Rejects an option of a protocol that is not run, which would not have an effect.
    pub(crate) fn check_protocol(&self) -> Result<()> {
        let asked = self.protocol;
        let holds_out = matches!(asked, Protocols::Holdout | Protocols::Both);
        let folds = matches!(asked, Protocols::Kfold | Protocols::PrequentialKfold);
        let validates = asked == Protocols::PrequentialKfold;
        let (option, remedy) = match self {
            Self { train: Some(_), .. } if !holds_out => ("--train", "holdout"),
            Self { split: Some(_), .. } if !holds_out => ("--split", "holdout"),
            Self { folds: Some(_), .. } if !folds => ("--folds", "kfold or prequential-kfold"),
            Self {
                validation: Some(_),
                ..
            } if !validates => ("--validation", "prequential-kfold"),
            Self { delay: Some(_), .. } if asked != Protocols::Delayed => ("--delay", "delayed"),
            _ => return Ok(()),
        };
        bail!(
            "{option} has no effect on the protocols that are run; leave it out, or use --protocol {remedy}"
        )
    }

    pub(crate) fn design(&self) -> Design {
        let default = Design::default();
        Design {
            order: self.order,
            train: self.train,
            splitting: self.split.unwrap_or(default.splitting),
            folds: self.folds.map_or(default.folds, NonZeroUsize::get),
            validation: self.validation.unwrap_or(default.validation),
            delay: self.delay.unwrap_or(default.delay),
            preprocessing: Preprocessing {
                scaling: self.scale,
                weights: self.weights,
                components: self.pca.map(NonZeroUsize::get),
            },
        }
    }
}

/// Names the options that the error is about.
pub(super) fn in_options(error: FolderError) -> anyhow::Error {
    match error {
        FolderError::HasRuns(path, runs, free) => anyhow!(
            "{} has {runs} runs already; add --resume to run only what is missing, name another --out, or leave \
             --out away for a folder with the date (such as {})",
            path.display(),
            free.display()
        ),
        FolderError::Held(holder, path) => anyhow!(
            "{holder} writes a comparison to {}; wait until it has ended, or name another --out",
            path.display()
        ),
        other => other.into(),
    }
}
