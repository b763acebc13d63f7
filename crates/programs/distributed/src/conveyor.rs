//! Messages through all processes.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use timely::ExchangeData;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::{Input as _, Operator as _};
use timely::dataflow::{InputHandleVec, StreamVec};
use timely::worker::Worker;

use crate::clock::Clock;

/// The most messages in flight. A batch of a thousand rows takes a few hundred kilobytes.
pub const MOST_IN_FLIGHT: usize = 16;

/// The time to sleep if there is nothing to do.
const PAUSE: Duration = Duration::from_millis(100);

/// A conveyor that was idle for this share of its deadline gets an empty message.
const SHARE_OF_SILENCE: u32 = 4;

type Queue<M> = Rc<RefCell<VecDeque<M>>>;

/// What a process does with a message that arrives: it forwards another.
pub(crate) type Pass<M> = Box<dyn FnMut(M) -> Option<M>>;

/// Both ends of the conveyor, which are in the first process.
///
/// Messages come back in the order in which they were sent, after every other process has changed them.
pub struct Conveyor<'w, M: ExchangeData + Clone> {
    worker: &'w mut Worker,
    input: InputHandleVec<u64, M>,
    back: Queue<M>,
    in_flight: usize,
    sent: u64,
    latest: Instant,
    clock: Clock,
    silence: Duration,
}

impl<M: ExchangeData + Clone> Conveyor<'_, M> {
    /// Sends a message, once there is room for it.
    pub fn send(&mut self, message: M) {
        while self.in_flight - self.back.borrow().len() >= MOST_IN_FLIGHT {
            self.step();
        }
        self.input.send(message);
        self.sent += 1;
        self.input.advance_to(self.sent);
        self.in_flight += 1;
        (self.latest, _) = (Instant::now(), self.clock.tick());
        self.worker.step();
    }

    /// Returns a message that has come back, if there is one. Does not wait.
    pub fn returned(&mut self) -> Option<M> {
        let message = self.back.borrow_mut().pop_front()?;
        self.in_flight -= 1;
        Some(message)
    }

    /// Returns the next message that comes back; `None` if none is in flight.
    pub fn wait(&mut self) -> Option<M> {
        while self.in_flight > 0 {
            if let Some(message) = self.returned() {
                return Some(message);
            }
            self.step();
        }
        None
    }

    /// Returns whether an empty message is due: the others take silence for a failure.
    pub fn is_silent(&self) -> bool {
        self.in_flight == 0 && self.latest.elapsed() > self.silence / SHARE_OF_SILENCE
    }

    fn step(&mut self) {
        self.worker.step_or_park(Some(PAUSE));
    }
}

/// Builds the conveyor and returns its ends. Each process calls `pass` for what arrives there.
pub(crate) fn build<'w, M: ExchangeData + Clone>(
    worker: &'w mut Worker,
    pass: Pass<M>,
    clock: &Clock,
    silence: Duration,
) -> Conveyor<'w, M> {
    let (index, processes) = (worker.index(), worker.peers());
    let (back, mut pass) = (Queue::default(), Some(pass));
    let input = worker.dataflow::<u64, _, _>(|scope| {
        let (input, mut stream) = scope.new_input();
        for process in 1..processes {
            let own = pass.take_if(|_| process == index);
            stream = stage(stream, process, own, clock.clone());
        }
        end(stream, Rc::clone(&back), clock.clone());
        input
    });
    Conveyor {
        worker,
        input,
        back,
        in_flight: 0,
        sent: 0,
        latest: Instant::now(),
        clock: clock.clone(),
        silence,
    }
}

/// Adds a process to the conveyor. It takes one message each time it is scheduled, so that the next process can work on
/// it meanwhile.
fn stage<'s, M: ExchangeData + Clone>(
    stream: StreamVec<'s, u64, M>,
    process: usize,
    mut pass: Option<Pass<M>>,
    clock: Clock,
) -> StreamVec<'s, u64, M> {
    let to_it = Exchange::new(move |_: &M| process as u64);
    let scope = stream.scope();
    stream.unary(to_it, "shard", move |_, info| {
        let again = scope.activator_for(info.address);
        let mut waiting = VecDeque::new();
        move |input, output| {
            input.for_each_stamp(|time, batches| {
                let time = time.retain_least(output.output_index());
                for message in batches.flat_map(std::mem::take) {
                    waiting.push_back((time.clone(), message));
                }
            });
            if let (Some((Some(time), message)), Some(pass)) = (waiting.pop_front(), &mut pass) {
                clock.tick();
                if let Some(message) = pass(message) {
                    output.session(&time).give(message);
                }
                clock.tick();
            }
            if !waiting.is_empty() {
                again.activate();
            }
        }
    })
}

fn end<M: ExchangeData + Clone>(stream: StreamVec<'_, u64, M>, back: Queue<M>, clock: Clock) {
    let to_the_first = Exchange::new(|_: &M| 0);
    stream.sink(to_the_first, "end", move |(input, _)| {
        input.for_each_stamp(|_, batches| {
            clock.tick();
            back.borrow_mut().extend(batches.flat_map(std::mem::take));
        });
    });
}
