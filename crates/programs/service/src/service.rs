//! The life of a service from its start to its end.

use std::process::ExitCode;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use forest_model::{AnyModel, CommandError, Model, Saving, TableTask, interrupt, unsupported};
use online_forests::threads;
use serving::{Reader, shared};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};
use tracing::{info, warn};

use crate::app::{App, Secrets};
use crate::args::Args;
use crate::board::Board;
use crate::error::ServiceError;
use crate::following::Following;
use crate::from_files::FromFiles;
use crate::learning::Learning;
use crate::queue::Queue;
use crate::tls::Tls;
use crate::token::Tokens;
use crate::view::View;
use crate::{connections, private};

/// The priority of learning: below the middle of 0 to 99.
const LOWER: u8 = 37;

/// Serves a model until a signal. `first` may make the model, once it is known that it can be served.
///
/// # Errors
/// Returns an error if the model cannot be loaded or saved, the address cannot be listened on, or `first` fails.
pub fn run(
    args: &Args,
    first: impl FnOnce() -> Result<(), CommandError>,
) -> Result<ExitCode, CommandError> {
    log(args);
    private_files();
    let secrets = secrets(args)?;
    first()?;
    // Locked before it is loaded: nobody else saves it from now on.
    let saving = if args.read_only {
        None
    } else {
        Some(Saving::new(&args.model, args.checkpoint)?)
    };
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => {
            serve(model, View::Classification, saving, secrets, args)
        }
        AnyModel::Regression(model) => serve(model, View::Regression, saving, secrets, args),
    }
}

fn serve<T: TableTask>(
    model: Model<T>,
    viewed: fn(Reader<Model<T>>) -> View,
    saving: Option<Saving>,
    secrets: Secrets,
    args: &Args,
) -> Result<ExitCode, CommandError> {
    if let Some(saving) = &saving {
        saving.check_names()?;
        private::protect(&model, saving);
    }
    if args.fixed_classes && model.pipeline().class_names().is_empty() {
        return Err(unsupported(&model, "--fixed-classes", "a classifier"));
    }
    interrupt::listen();
    let board = Arc::new(Board::new(T::METRIC));
    let (writer, reader) = shared(model);
    let view = viewed(reader.clone());
    let (queue, worker) = match saving {
        Some(saving) => {
            let learning =
                Learning::new(writer, reader, saving, args.max_memory, Arc::clone(&board))?;
            let (queue, worker) = start(learning, &board, args)?;
            (Some(queue), worker)
        }
        None => (None, follow(writer, reader, &board, args)),
    };
    let app = App::new(view, queue.clone(), board, secrets, args);
    let served = connections::serve(Arc::new(app), args);
    if let Some(queue) = queue {
        queue.end();
    }
    let learned = worker.map_or(Ok(Ok(())), JoinHandle::join);
    served?;
    learned.unwrap_or(Err(CommandError::from(ServiceError::Learning)))?;
    info!("ended");
    Ok(ExitCode::SUCCESS)
}

type Worker = JoinHandle<Result<(), CommandError>>;

/// Starts the learning thread.
fn start<T: TableTask>(
    learning: Learning<T>,
    board: &Arc<Board>,
    args: &Args,
) -> Result<(Queue, Option<Worker>), CommandError> {
    let (queue, jobs) = Queue::new(args.limits.max_waiting.get(), Arc::clone(board));
    let threads = args
        .threads
        .map_or_else(reserve_one_core, |threads| threads.get());
    threads::check(threads)?;
    let work = move || {
        give_way();
        // Threads that are started from here inherit the priority.
        threads::with_threads(threads, || learning.run(jobs))?
    };
    Ok((queue, Some(thread::spawn(work))))
}

/// Lowers the priority of this thread below those that predict, in case there are not cores enough for both: niceness 4 on
/// Linux, two fifths of the weight of others.
fn give_way() {
    let priority = ThreadPriorityValue::try_from(LOWER).map(ThreadPriority::Crossplatform);
    let set = priority.ok().map(set_current_thread_priority);
    if !matches!(set, Some(Ok(()))) {
        warn!("the system does not allow a lower priority for the learning thread");
    }
}

/// One core is left to predictions.
fn reserve_one_core() -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    (cores - 1).max(1)
}

/// Starts the thread that reloads the model, if that was requested.
fn follow<T: TableTask>(
    writer: serving::Writer<Model<T>>,
    reader: Reader<Model<T>>,
    board: &Arc<Board>,
    args: &Args,
) -> Option<Worker> {
    let following = Following::new(writer, reader, &args.model, Arc::clone(board));
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

/// Reads tokens and the certificate, and makes SIGHUP read them again.
fn secrets(args: &Args) -> Result<Secrets, CommandError> {
    let [of_tokens, of_tls] = [args, args].map(Args::clone);
    let tokens = FromFiles::new(move || Tokens::read(&of_tokens))?;
    let tls = FromFiles::new(move || Tls::read(&of_tls))?;
    let has_tokens = tokens.now().is_some();
    if !has_tokens && !args.listen.is_local() {
        let address = args.listen.to_string();
        return Err(ServiceError::NoToken { address }.into());
    }
    if has_tokens || tls.now().is_enabled() {
        interrupt::read_again_on_hang_up();
    }
    Ok((tokens, tls))
}

/// Restricts every file that the service creates to its user: a model may hold rows.
fn private_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}
