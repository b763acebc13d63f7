//! The life of a service from its start to its end.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use forest_model::{AnyModel, CommandError, Model, Saving, TableTask, interrupt};
use online_forests::threads;
use serving::{Reader, Writer, shared};
use tracing::info;

use crate::access::Access;
use crate::app::App;
use crate::args::Args;
use crate::body::Capacity;
use crate::connections;
use crate::following::Following;
use crate::learning::Learning;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::readiness::Readiness;
use crate::request::RequestReader;
use crate::routes::router;

/// The niceness of learning, which gives it two fifths of the weight of others.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 4;

/// Serves a model until a signal.
///
/// # Errors
/// Returns an error if the model cannot be loaded or saved, or the address cannot be listened on.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    log(args);
    private_files();
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
    let most = args.limits.max_rows.get();
    let requests = RequestReader::new(model.columns(), model.settings(), most);
    let metrics = Arc::new(Metrics::new(T::METRIC));
    let readiness = Arc::new(Readiness::default());
    let (writer, reader) = shared(model);
    let (queue, worker) = match saving {
        Some(saving) => {
            let learning = Learning::new(
                writer,
                reader.clone(),
                saving,
                args.max_memory,
                Arc::clone(&metrics),
                Arc::clone(&readiness),
            );
            let (queue, worker) = start(learning, &metrics, args)?;
            (Some(queue), worker)
        }
        None => (None, follow(writer, reader.clone(), &metrics, args)),
    };
    let app = App {
        model: reader,
        requests,
        queue: queue.clone(),
        metrics,
        readiness: Arc::clone(&readiness),
        capacity: Capacity::new(&args.limits),
    };
    let router = router(Arc::new(app), Arc::new(access));
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

type Worker = JoinHandle<Result<(), CommandError>>;

/// Starts the learning thread.
fn start<T: TableTask>(
    learning: Learning<T>,
    metrics: &Arc<Metrics>,
    args: &Args,
) -> Result<(Queue, Option<Worker>), CommandError> {
    let (queue, jobs) = Queue::new(args.limits.max_waiting.get(), Arc::clone(metrics));
    let threads = args
        .threads
        .map_or_else(reserve_one_core, |threads| threads.get());
    threads::check(threads)?;
    let work = move || {
        give_way();
        threads::with_threads(threads, || learning.run(jobs))?
    };
    Ok((queue, Some(thread::spawn(work))))
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

/// Starts the thread that reloads the model, if that was requested.
fn follow<T: TableTask>(
    writer: Writer<Model<T>>,
    reader: Reader<Model<T>>,
    metrics: &Arc<Metrics>,
    args: &Args,
) -> Option<Worker> {
    let following = Following::new(writer, reader, &args.model, Arc::clone(metrics));
    following.look();
    args.follow_model.then(|| {
        thread::spawn(move || {
            following.run();
            Ok(())
        })
    })
}

fn log(args: &Args) {
    let lines = tracing_subscriber::fmt().with_writer(std::io::stderr);
    // A program that has a log of its own keeps it.
    let _ = lines.with_max_level(args.log).with_ansi(false).try_init();
}

/// Restricts every file that the service creates to its user: a model may hold rows.
fn private_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}
