//! Panics of timely's threads, which report that a connection has ended.
//!
//! They are visible only as panics, in threads that are never joined: only a panic hook sees them.

use std::panic::{self, PanicHookInfo};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// The prefix of timely's own panics about connections.
const OF_CONNECTIONS: &str = "timely communication error: ";

/// The prefixes of the names of threads that only send, receive, and wait for those that do.
const OF_CONNECTIONS_THREADS: [&str; 3] = ["timely:send-", "timely:recv-", CLOSING];

/// The thread that waits until all connections are closed.
pub(crate) const CLOSING: &str = "timely:close";

/// The message of the worker's panic once the thread of a connection has failed.
const OF_A_QUEUE: &str = "MergeQueue poisoned.";

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// The subject of a panic.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A connection.
    Connection(String),
    /// Anything else.
    Other(String),
}

/// Forwards panics of any thread from now on. Those about connections are not printed.
pub(crate) struct Watching(Hook);

impl Watching {
    pub(crate) fn start(faults: Sender<Fault>) -> Self {
        let before: Hook = panic::take_hook().into();
        let (show, faults) = (Arc::clone(&before), Mutex::new(faults));
        panic::set_hook(Box::new(move |info| {
            let fault = fault(info);
            if let Fault::Other(_) = fault {
                show(info);
            }
            let faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            // The receiver is gone once the work has ended.
            let _ = faults.send(fault);
        }));
        Self(before)
    }
}

impl Watching {
    /// Prints panics as before. Not called after a failure: the remaining threads would fail one after another.
    pub(crate) fn end(self) {
        let before = self.0;
        panic::set_hook(Box::new(move |info| before(info)));
    }
}

fn fault(info: &PanicHookInfo<'_>) -> Fault {
    let text = info.payload_as_str().unwrap_or("a panic without words");
    let thread = std::thread::current();
    let is_of_connections = thread.name().is_some_and(|name| {
        let mut threads = OF_CONNECTIONS_THREADS.into_iter();
        threads.any(|begin| name.starts_with(begin))
    });
    match text.strip_prefix(OF_CONNECTIONS) {
        Some(reason) => Fault::Connection(reason.to_owned()),
        None if is_of_connections || text == OF_A_QUEUE => Fault::Connection(text.to_owned()),
        None => Fault::Other(text.to_owned()),
    }
}
