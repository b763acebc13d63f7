//! `serve`: a model behind HTTP that predicts and learns, with figures that a person can watch.
//!
//! One thread learns request after request in one copy of the model; readers predict with the other
//! ([`forest_model::shared`]), and never wait for it. The model is saved as `train` saves it, into the same file, which
//! is locked meanwhile. docs/service.md describes the routes.

mod args;
mod connections;
mod following;
mod guard;
mod learning;
mod metrics;
mod replies;
mod request;
mod routes;

use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};

use anyhow::anyhow;
use forest_model::shared::Writer;
use forest_model::{AnyModel, Model, ModelFile, TableTask, Trainer, interrupt};
use online_forests::threads;
use tracing::info;

pub use self::args::{Args, Limits};
pub use self::replies::Refusal;
pub use self::request::{RequestReader, Rows};

use self::guard::Guard;
use self::learning::Learning;
use self::metrics::Metrics;
use self::routes::App;

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
    // Locked before it is loaded, so that no other process saves it meanwhile.
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
    metrics.measure(&reader.model(), 0);
    let mut queue = None;
    // It learns, or follows the file.
    let mut worker: Option<JoinHandle<anyhow::Result<()>>> = None;
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
            // Below the threads that predict, in case there are not cores enough for both: niceness 4 has two fifths of
            // the weight of others. Elsewhere, niceness is that of the process.
            #[cfg(target_os = "linux")]
            let _ = rustix::process::setpriority_process(None, 4);
            threads::with_threads(threads, || learning.run(jobs))?
        }));
    } else if args.follow_model {
        let path = args.model.clone();
        let metrics = Arc::clone(&metrics);
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
        anyhow!("learning failed, which is a fault of this program; the model file has what was last saved")
    })??;
    info!("ended");
    Ok(ExitCode::SUCCESS)
}
