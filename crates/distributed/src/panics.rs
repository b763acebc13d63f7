//! Panics of timely's threads, which say that a connection has ended.
//!
//! They are reported by panics alone, in threads that nobody waits for: a panic hook is the only place that sees them.

use std::panic::{self, PanicHookInfo};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};

/// How timely's own panics about connections begin.
const OF_CONNECTIONS: &str = "timely communication error: ";

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// What a panic was about.
#[derive(Debug)]
pub enum Fault {
    /// A connection.
    Connection(String),
    /// Anything else.
    Other(String),
}

/// While it lives, panics of any thread are sent. Those about connections are not shown.
pub struct Watching(Hook);

impl Watching {
    pub fn start(faults: Sender<Fault>) -> Self {
        let before: Hook = panic::take_hook().into();
        let (show, faults) = (Arc::clone(&before), Mutex::new(faults));
        panic::set_hook(Box::new(move |info| {
            let fault = fault(info);
            if let Fault::Other(_) = fault {
                show(info);
            }
            let faults = faults.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody listens any more once the work has ended.
            let _ = faults.send(fault);
        }));
        Self(before)
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        // A hook cannot be changed by a thread that panics.
        if !std::thread::panicking() {
            let before = Arc::clone(&self.0);
            panic::set_hook(Box::new(move |info| before(info)));
        }
    }
}

fn fault(info: &PanicHookInfo<'_>) -> Fault {
    let text = info.payload_as_str().unwrap_or("a panic without words");
    match text.strip_prefix(OF_CONNECTIONS) {
        Some(reason) => Fault::Connection(reason.to_owned()),
        None => Fault::Other(text.to_owned()),
    }
}
