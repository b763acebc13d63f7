//! `serve`: a model behind HTTP that predicts and learns, with figures that a person can watch.
//!
//! One thread learns request after request in one copy of the model; readers predict with the other
//! ([`serving`]), and never wait for it. The model is saved as `train` saves it, into the same file, which is locked
//! meanwhile. docs/service.md describes the routes.

mod access;
mod args;
mod batch;
mod connections;
mod cursor;
mod following;
mod json;
mod learning;
mod limits;
mod metrics;
mod refusal;
mod reply;
mod request;
mod routes;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use forest_model::{AnyModel, CommandError, Model, Saving, TableTask, interrupt};
use online_forests::threads;
use serving::{Reader, shared};
use tracing::info;

pub use self::args::{Args, Limits};
pub use self::refusal::Refusal;
pub use self::request::{Form, RequestReader, Rows};

use self::access::Access;
use self::following::Following;
use self::learning::{Learning, Queue};
use self::metrics::Metrics;

/// The niceness of learning, which gives it two fifths of the weight of others.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 4;

/// What all requests share.
struct App<T: TableTask> {
    /// The model, read only.
    model: Reader<Model<T>>,
    /// Parses bodies into rows of the model.
    requests: RequestReader,
    /// The queue of the learning thread; `None` if nothing is learned.
    queue: Option<Queue>,
    metrics: Arc<Metrics>,
    readiness: Arc<Readiness>,
    limits: Limits,
}

/// What `/readyz` reports.
#[derive(Debug, Default)]
struct Readiness {
    has_ended: AtomicBool,
    refused: Mutex<Option<String>>,
}

impl Readiness {
    /// Records that the service is ending, or that learning has failed by a fault of this program.
    fn end(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    /// Records that rows are learned, or why not.
    fn set_refused(&self, reason: Option<String>) {
        *self.refused.lock().unwrap_or_else(PoisonError::into_inner) = reason;
    }

    /// Returns the reason why rows cannot be predicted, or not be learned, now and for some time.
    fn fault(&self) -> Option<String> {
        if self.has_ended.load(Ordering::Relaxed) {
            return Some("the service is ending, or learns no more".to_owned());
        }
        self.refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// Serves a model until a signal.
///
/// # Errors
/// Returns an error if the model cannot be loaded or saved, or the address cannot be listened on.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr);
    // A program that has a log of its own keeps it.
    let _ = lines.with_max_level(args.log).with_ansi(false).try_init();
    // A model may hold rows: the files that the service creates are its user's alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
    let access = Access::read(args.token_file.as_deref())?;
    if !access.has_token() && !args.listen.ip().is_loopback() {
        return Err(CommandError::new(format!(
            "{} can be reached from other machines; restrict access with --token-file FILE",
            args.listen
        )));
    }
    // Locked before it is loaded: nobody else saves it from now on.
    let saving = if args.read_only {
        None
    } else {
        Some(Saving::new(&args.model, args.checkpoint)?)
    };
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => serve(model, saving, access, args),
        AnyModel::Regression(model) => serve(model, saving, access, args),
    }
}

fn serve<T: TableTask>(
    model: Model<T>,
    saving: Option<Saving>,
    access: Access,
    args: &Args,
) -> Result<ExitCode, CommandError> {
    interrupt::listen();
    let requests = RequestReader::new(
        model.columns(),
        model.settings(),
        args.limits.max_rows.get(),
    );
    let metrics = Arc::new(Metrics::new(T::METRIC));
    let readiness = Arc::new(Readiness::default());
    let (writer, reader) = shared(model);
    let mut queue = None;
    let worker: Option<JoinHandle<Result<(), CommandError>>> = match saving {
        Some(saving) => {
            let threads = args
                .threads
                .map_or_else(reserve_one_core, |threads| threads.get());
            threads::check(threads)?;
            let (sender, jobs) = Queue::new(args.limits.max_waiting.get(), Arc::clone(&metrics));
            queue = Some(sender);
            let learning = Learning::new(
                (writer, reader.clone()),
                saving,
                args.max_memory,
                Arc::clone(&metrics),
                Arc::clone(&readiness),
            );
            Some(thread::spawn(move || {
                give_way();
                threads::with_threads(threads, || learning.run(jobs))?
            }))
        }
        None => {
            let following =
                Following::new(writer, reader.clone(), &args.model, Arc::clone(&metrics));
            following.look();
            args.follow_model.then(|| {
                thread::spawn(move || {
                    following.run();
                    Ok(())
                })
            })
        }
    };
    let app = App {
        model: reader,
        requests,
        queue: queue.clone(),
        metrics,
        readiness: Arc::clone(&readiness),
        limits: args.limits.clone(),
    };
    let router = routes::router(Arc::new(app), Arc::new(access));
    let served = connections::serve(router, &readiness, args);
    if let Some(queue) = queue {
        queue.end();
    }
    let learned = worker.map_or(Ok(Ok(())), JoinHandle::join);
    served?;
    learned.unwrap_or_else(|_| {
        let reason = "learning failed, which is a fault of this program; the model file is unchanged since it was last saved";
        Err(CommandError::new(reason))
    })?;
    info!("ended");
    Ok(ExitCode::SUCCESS)
}

/// Lowers the priority of this thread, and of those that it starts, below those that predict, in case there are not cores
/// enough for both.
fn give_way() {
    // Elsewhere, niceness is that of the process.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICENESS);
}

/// One core is left to predictions.
fn reserve_one_core() -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    (cores - 1).max(1)
}
