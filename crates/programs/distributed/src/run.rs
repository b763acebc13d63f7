//! Takes part in a run of all processes, until it ends.

use std::any::Any;
use std::cell::RefCell;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use timely::ExchangeData;
use timely::WorkerConfig;
use timely::communication::Hooks;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{AllocatorBuilder, ProcessBuilder};
use timely::execute::execute_from;
use timely::worker::Worker;

use crate::clock::Clock;
use crate::connect::connect;
use crate::conveyor::{self, Conveyor};
use crate::panics::{CLOSING, Fault, Watching};
use crate::{Deadlines, Hosts, RunError};

/// How often the clock is read.
const LOOK: Duration = Duration::from_millis(200);

/// The time that a worker sleeps if no message arrives.
const PAUSE: Duration = Duration::from_secs(1);

/// What a process does in a run.
pub enum Place<H, S> {
    /// The first process: its work sends messages, and receives those that come back.
    First(H),
    /// Another: what it makes of each message.
    Next(S),
}

/// What the threads of a run report to the one that watches them.
enum Event<R, E> {
    Fault(Fault),
    Ended(Result<R, E>),
    Closed,
}

/// Takes part in a run of all processes in `hosts`, and returns when it ends. The result is that of the work of the first
/// process, and `None` in the others.
///
/// The work runs in a thread of its own. If the run fails in this process or another one, that thread may hang forever:
/// the program should end then, so that the others notice.
///
/// # Errors
/// Returns an error if another process does not come, ends, or is silent for too long, or the error of the work itself.
pub fn run<M, R, E, H, S>(
    hosts: &Hosts,
    deadlines: Deadlines,
    place: Place<H, S>,
) -> Result<Option<R>, RunError<E>>
where
    M: ExchangeData + Clone,
    R: Send + 'static,
    E: Send + 'static,
    H: FnOnce(&mut Conveyor<'_, M>) -> Result<R, E> + Send + 'static,
    S: FnMut(M) -> Result<M, E> + Send + 'static,
{
    let streams = connect(hosts, deadlines.start)?;
    let (sender, events) = mpsc::channel();
    let (faults, found) = mpsc::channel();
    let watching = Watching::start(faults);
    let clock = Clock::start();
    forward(found, sender.clone());
    let working = Working {
        place: Mutex::new(Some(place)),
        clock: clock.clone(),
        silence: deadlines.progress,
        events: Mutex::new(sender.clone()),
    };
    start(hosts, streams, working, sender)?;
    let result = watch(&events, &clock, deadlines.progress)?;
    watching.end();
    Ok(result)
}

fn forward<R: Send + 'static, E: Send + 'static>(
    faults: Receiver<Fault>,
    events: Sender<Event<R, E>>,
) {
    thread::spawn(move || {
        for fault in faults {
            if events.send(Event::Fault(fault)).is_err() {
                return;
            }
        }
    });
}

/// Starts the worker, and a thread that waits until it and all connections are closed.
fn start<M, R, E, H, S>(
    hosts: &Hosts,
    streams: Vec<Option<TcpStream>>,
    working: Working<H, S, R, E>,
    events: Sender<Event<R, E>>,
) -> Result<(), RunError<E>>
where
    M: ExchangeData + Clone,
    R: Send + 'static,
    E: Send + 'static,
    H: FnOnce(&mut Conveyor<'_, M>) -> Result<R, E> + Send + 'static,
    S: FnMut(M) -> Result<M, E> + Send + 'static,
{
    let panicked = |reason: String| RunError::Panicked { reason };
    let hooks = Hooks::default();
    let within = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
    let networking = initialize_networking_from_sockets(within, streams, hosts.process(), 1, hooks);
    let (builders, guard) = networking.map_err(|error| panicked(error.to_string()))?;
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let guard: Box<dyn Any + Send> = Box::new(guard);
    let work = move |worker: &mut Worker| working.work::<M>(worker);
    let workers = execute_from(builders, guard, WorkerConfig::default(), work);
    let workers = workers.map_err(panicked)?;
    let closing = thread::Builder::new().name(CLOSING.to_owned());
    let closed = closing.spawn(move || {
        drop(workers.join());
        // A receiver that has given up is gone.
        let _ = events.send(Event::Closed);
    });
    closed
        .map(drop)
        .map_err(|error| panicked(error.to_string()))
}

/// Waits for the end.
fn watch<R, E>(
    events: &Receiver<Event<R, E>>,
    clock: &Clock,
    within: Duration,
) -> Result<Option<R>, RunError<E>> {
    let mut result = None;
    loop {
        match events.recv_timeout(LOOK) {
            Ok(Event::Ended(Ok(ended))) => result = Some(ended),
            Ok(Event::Ended(Err(error))) => return Err(RunError::Work(error)),
            Ok(Event::Fault(Fault::Connection(reason))) => return Err(RunError::Lost { reason }),
            Ok(Event::Fault(Fault::Other(reason))) => return Err(RunError::Panicked { reason }),
            Ok(Event::Closed) | Err(RecvTimeoutError::Disconnected) => return Ok(result),
            Err(RecvTimeoutError::Timeout) if clock.silence() > within => {
                return Err(RunError::NoProgress { within });
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// What the worker's thread needs.
struct Working<H, S, R, E> {
    place: Mutex<Option<Place<H, S>>>,
    clock: Clock,
    silence: Duration,
    events: Mutex<Sender<Event<R, E>>>,
}

impl<H, S, R, E> Working<H, S, R, E> {
    fn work<M>(&self, worker: &mut Worker)
    where
        M: ExchangeData + Clone,
        E: 'static,
        H: FnOnce(&mut Conveyor<'_, M>) -> Result<R, E>,
        S: FnMut(M) -> Result<M, E> + 'static,
    {
        let place = self
            .place
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let ended = match place {
            Some(Place::First(work)) => {
                let pass = Box::new(Some);
                let mut conveyor = conveyor::build(worker, pass, &self.clock, self.silence);
                work(&mut conveyor).map(Some)
            }
            Some(Place::Next(pass)) => self.pass(worker, pass).map(|()| None),
            None => Ok(None),
        };
        match ended {
            Ok(None) => {}
            Ok(Some(result)) => self.report(Event::Ended(Ok(result))),
            Err(error) => {
                self.report(Event::Ended(Err(error)));
                // The others must not take this for a planned end, as they would if the connections were closed.
                thread::park();
            }
        }
    }

    /// Forwards messages until there are no more.
    fn pass<M, F>(&self, worker: &mut Worker, mut pass: F) -> Result<(), E>
    where
        M: ExchangeData + Clone,
        E: 'static,
        F: FnMut(M) -> Result<M, E> + 'static,
    {
        let failure = Rc::new(RefCell::new(None));
        let found = Rc::clone(&failure);
        let pass = move |message| match pass(message) {
            Ok(message) => Some(message),
            Err(error) => {
                *found.borrow_mut() = Some(error);
                None
            }
        };
        drop(conveyor::build(
            worker,
            Box::new(pass),
            &self.clock,
            self.silence,
        ));
        while worker.has_dataflows() && failure.borrow().is_none() {
            worker.step_or_park(Some(PAUSE));
        }
        let failed = failure.borrow_mut().take();
        failed.map_or(Ok(()), Err)
    }

    fn report(&self, event: Event<R, E>) {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        // A receiver that has given up is gone.
        let _ = events.send(event);
    }
}
