//! `serve`: a model behind HTTP that answers and learns, with numbers that a person can watch.
//!
//! One thread learns what comes, request after request, in one copy of the model; readers answer from the other
//! ([`serving`]), and never wait for it. What is learned is saved as `train` saves it, into the same file, which is locked
//! meanwhile. docs/service.md describes the routes.
//!
//! | question | items |
//! |---|---|
//! | how bodies become rows | [`RequestReader`] |
//! | why a request is refused | [`Refusal`] |
//! | what a service may take | [`Limits`] |

mod app;
mod args;
mod body;
mod connections;
mod events;
mod figures;
mod following;
mod from_files;
mod guard;
mod history;
mod latencies;
mod learning;
mod listen;
mod new_model;
mod page;
mod places;
mod prequential;
mod private;
mod queue;
mod refusal;
mod reply;
mod request;
mod routes;
mod site;
mod tls;
mod token;
mod view;

use std::process::ExitCode;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use online_forests::threads;
use serving::{Reader, shared};
use thread_priority::{ThreadPriority, ThreadPriorityValue, set_current_thread_priority};
use tracing::{info, warn};

use app::{App, Secrets};
pub use args::{Args, Limits};
use figures::Board;
use following::Following;
use from_files::FromFiles;
use learning::Learning;
use listen::Address;
pub use new_model::NewModel;
use prequential::Judged;
use queue::Queue;
pub use refusal::Refusal;
pub use request::{Form, RequestReader, Rows};
use tls::Tls;
use token::Tokens;

use crate::model::{AnyModel, Model};
use crate::predict::answers::unsupported;
use crate::train::saving::Saving;
use crate::{CommandError, interrupt};

/// Below the middle of 0 to 99.
const LOWER: u8 = 37;

/// Serves a model until a signal comes.
///
/// # Errors
/// What cannot be loaded, listened on or saved.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    log(args);
    private_files();
    let secrets = secrets(args)?;
    if let Some(new) = &args.new {
        new.make(&args.model)?;
    }
    // Locked before it is loaded: nobody else saves it from now on.
    let saving = match args.read_only {
        true => None,
        false => Some(Saving::new(&args.model, args.checkpoint)?),
    };
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => serve(model, saving, secrets, args),
        AnyModel::Regression(model) => serve(model, saving, secrets, args),
    }
}

fn serve<T: Judged>(
    model: Model<T>,
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
    let view = reader.clone();
    let (queue, worker) = match saving {
        Some(saving) => {
            let learning = Learning::new(
                (writer, reader),
                saving,
                args.max_memory,
                Arc::clone(&board),
            )?;
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
    learned.unwrap_or(Err(CommandError::Learning))?;
    info!("ended");
    Ok(ExitCode::SUCCESS)
}

type Worker = JoinHandle<Result<(), CommandError>>;

/// The thread that learns.
fn start<T: Judged>(
    learning: Learning<T>,
    board: &Arc<Board>,
    args: &Args,
) -> Result<(Queue, Option<Worker>), CommandError> {
    let (queue, jobs) = Queue::new(args.limits.max_waiting.get(), Arc::clone(board));
    let threads = args
        .threads
        .map_or_else(all_but_one, |threads| threads.get());
    threads::check(threads)?;
    let work = move || {
        give_way();
        // Threads that are started from here give way, too.
        threads::with_threads(threads, || learning.run(jobs))?
    };
    Ok((queue, Some(thread::spawn(work))))
}

/// Has this thread give way to those that answer, where there are not cores enough for both: niceness 4 on Linux, two
/// fifths of the weight of others.
fn give_way() {
    let priority = ThreadPriorityValue::try_from(LOWER).map(ThreadPriority::Crossplatform);
    let set = priority.ok().map(set_current_thread_priority);
    if !matches!(set, Some(Ok(()))) {
        warn!("the system does not let the thread that learns give way to those that answer");
    }
}

/// One core answers.
fn all_but_one() -> usize {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    (cores - 1).max(1)
}

/// The thread that loads the model anew, if that was asked for.
fn follow<T: Judged>(
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

/// Reads tokens and the certificate, and has SIGHUP read them again.
fn secrets(args: &Args) -> Result<Secrets, CommandError> {
    let [of_tokens, of_tls] = [args, args].map(Args::clone);
    let tokens = FromFiles::new(move || Tokens::read(&of_tokens))?;
    let tls = FromFiles::new(move || Tls::read(&of_tls))?;
    let has_tokens = tokens.now().is_some();
    if !has_tokens && !args.listen.is_local() {
        let address = args.listen.to_string();
        return Err(CommandError::NoToken { address });
    }
    if has_tokens || tls.now().is_there() {
        interrupt::read_again_on_hang_up();
    }
    Ok((tokens, tls))
}

/// Has every file that the service makes belong to its user alone: a model may hold rows.
fn private_files() {
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::RWXG | rustix::fs::Mode::RWXO);
}

/// Where the service listens, as a line on standard error: port 0 is known only now.
fn announce(address: &Address, app: &App) {
    let is_tls = app.tls().is_there();
    match address {
        Address::Port(_) if is_tls => info!("listening on https://{address}"),
        Address::Port(_) => info!("listening on http://{address}"),
        Address::File(_) => info!("listening on {address}"),
    }
    if !is_tls && !address.is_local() {
        warn!(
            "rows and the token can be read on the way: --tls-certificate, or a proxy with a certificate, prevents it"
        );
    }
}
