//! `serve`: a model behind HTTP that predicts and learns, with figures that a person can watch.
//!
//! One thread learns request after request in one copy of the model; readers predict with the other
//! ([`forest_model::shared`]), and never wait for it. The model is saved as `train` saves it, into the same file, which is locked
//! meanwhile. docs/service.md describes the routes.

mod connections;
mod following;
mod guard;
mod learning;
mod metrics;
mod replies;
mod request;
mod routes;

use std::net::SocketAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::anyhow;
use forest_model::shared::{Reader, Writer};
use forest_model::{AnyModel, Every, Model, ModelFile, TableTask, Trainer, interrupt};
use online_forests::threads;
use tracing::info;
use tracing_subscriber::filter::LevelFilter;

pub use self::replies::Refusal;
pub use self::request::{RequestReader, Rows};

use self::guard::Guard;
use self::learning::{Job, Learning};
use self::metrics::Metrics;

/// Which model to serve, where, and how much at once.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`. What is learned is saved into it
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Address and port to listen on; port 0 takes a free one. An address other than that of this machine itself needs --token-file
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// File with a token of 16 characters or more, which requests must send: `Authorization: Bearer TOKEN`
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Interval between checkpoints, in rows (5000) or time (30s, 10m); `never` saves only at the end
    #[arg(long, value_name = "ROWS|TIME|never", default_value = "30s")]
    pub checkpoint: Every,

    /// Learn nothing, and leave the model file unchanged
    #[arg(long)]
    pub read_only: bool,

    /// Reload the model whenever another program has saved it
    #[arg(long, requires = "read_only")]
    pub follow_model: bool,

    /// Memory limit for learning (two copies of the model, plus one while saving). When it would be exceeded, rows are refused,
    /// but predictions continue [default: 80 % of free memory]
    #[arg(long, value_name = "SIZE", value_parser = forest_core::memory_limit::parse)]
    pub max_memory: Option<u64>,

    /// Number of learning threads; predictions use separate threads [default: one less than the number of cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// Level of messages on standard error: off, error, warn, info, debug (a line for each request), trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    pub log: LevelFilter,

    /// Limits.
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits of the service. Requests that exceed them are refused with 413 or, temporarily, with 429.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum number of bytes in the body of a request
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = forest_core::memory_limit::parse)]
    pub max_body: u64,

    /// Maximum number of bytes of the predictions in a reply
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = forest_core::memory_limit::parse)]
    pub max_reply: u64,

    /// Maximum number of rows in a request
    #[arg(long, value_name = "N", default_value = "10000")]
    pub max_rows: NonZeroUsize,

    /// Maximum number of requests at a time, until their replies are read
    #[arg(long, value_name = "N", default_value = "256")]
    pub max_requests: NonZeroUsize,

    /// Maximum number of requests that wait to be learned
    #[arg(long, value_name = "N", default_value = "64")]
    pub max_waiting: NonZeroUsize,

    /// Maximum number of open connections; others wait
    #[arg(long, value_name = "N", default_value = "1024")]
    pub max_connections: NonZeroUsize,

    /// Maximum time for a client to send its request, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "30")]
    pub patience: NonZeroU32,
}

/// What all requests share.
struct App<T: TableTask> {
    /// The model, read only.
    model: Reader<Model<T>>,
    /// Parses bodies into rows of the model.
    requests: RequestReader,
    /// The queue of the learning thread; `None` if nothing is learned.
    queue: Option<SyncSender<Option<Job<T>>>>,
    metrics: Arc<Metrics>,
    limits: Limits,
}

/// Serves a model until a signal.
///
/// # Errors
/// Returns an error if the model cannot be loaded or saved, or the address cannot be listened on.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr);
    // A program that has a log of its own keeps it.
    let _ = lines.with_max_level(args.log).with_ansi(false).try_init();
    // A model may hold rows: the files that the service creates are its user's alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let guard = Guard::new(args)?;
    // Locked before it is loaded: nobody else saves it from now on.
    let file = if args.read_only {
        None
    } else {
        Some(ModelFile::lock(&args.model)?)
    };
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => serve(model, file, guard, args),
        AnyModel::Regression(model) => serve(model, file, guard, args),
    }
}

fn serve<T: TableTask>(
    model: Model<T>,
    file: Option<ModelFile>,
    guard: Guard,
    args: &Args,
) -> anyhow::Result<ExitCode> {
    interrupt::listen();
    let limits = args.limits.clone();
    let requests = RequestReader::new(&model.columns, &model.settings.table, limits.max_rows.get());
    let metrics = Arc::new(Metrics::new());
    let writer = Writer::new(model);
    let reader = writer.reader().clone();
    let (mut queue, mut worker) = (None, None::<JoinHandle<anyhow::Result<()>>>);
    metrics.measure(&reader.model(), 0);
    if let Some(file) = file {
        // One core is left to predictions.
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = args.threads.map_or((cores - 1).max(1), NonZeroUsize::get);
        threads::check(threads)?;
        let (sender, jobs) = sync_channel(limits.max_waiting.get());
        queue = Some(sender);
        let trainer = Trainer::new(writer, file, args.checkpoint, args.max_memory);
        let learning = Learning::new(trainer, Arc::clone(&metrics));
        worker = Some(thread::spawn(move || {
            // Below the threads that predict, in case there are not cores enough for both: niceness 4 has two fifths of the weight of
            // others. Elsewhere, niceness is that of the process.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, 4);
            threads::with_threads(threads, || learning.run(jobs))?
        }));
    } else if args.follow_model {
        let (path, metrics) = (args.model.clone(), Arc::clone(&metrics));
        worker = Some(thread::spawn(move || {
            following::follow(writer, &path, &metrics);
            Ok(())
        }));
    }
    let app = App {
        model: reader,
        requests,
        queue: queue.clone(),
        metrics: Arc::clone(&metrics),
        limits,
    };
    let served = connections::serve(
        routes::router(Arc::new(app), Arc::new(guard)),
        &metrics,
        args,
    );
    if let Some(queue) = queue {
        // The learning thread may have ended.
        let _ = queue.send(None);
    }
    let learned = worker.map_or(Ok(Ok(())), JoinHandle::join);
    served?;
    learned.map_err(|_| {
        anyhow!("learning failed, which is a fault of this program; the model file is unchanged since it was last saved")
    })??;
    info!("ended");
    Ok(ExitCode::SUCCESS)
}
