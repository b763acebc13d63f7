//! What waits to be learned.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};

use tokio::sync::oneshot;

use crate::board::Board;
use crate::held::Held;
use crate::refusal::Refusal;
use crate::replies::Key;
use crate::reply::Reply;
use crate::request::Rows;

/// What a request gets.
pub type Answered = Result<Arc<Reply>, Refusal>;

/// Something to be done by the one who learns.
#[derive(Debug)]
pub struct Job {
    /// What.
    pub work: Work,
    /// Whether the answer waits until it is saved.
    pub durable: bool,
    /// What tells the request from others, if the client has stated it.
    pub key: Option<Key>,
    /// Where the answer goes.
    pub answer: oneshot::Sender<Answered>,
    /// What counts the request and its body until the job is done, whether the client waits for it or has gone.
    pub held: Option<Held>,
}

/// What is to be done.
#[derive(Debug)]
pub enum Work {
    /// Rows are learned.
    Learn(Rows),
    /// Rows are answered, each just before it is learned; with the probabilities of classes, if they are asked for.
    PredictThenLearn(Rows, Probabilities),
    /// The row with this id is forgotten.
    Forget(u64),
}

/// Whether the probabilities of classes are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probabilities {
    /// They are.
    Asked,
    /// The class alone is.
    NotAsked,
}

/// What arrives at the one who learns.
#[derive(Debug)]
pub enum Message {
    /// Something to do.
    Job(Job),
    /// There will be no more.
    End,
}

/// The way to the one who learns.
#[derive(Clone, Debug)]
pub struct Queue {
    sender: SyncSender<Message>,
    board: Arc<Board>,
}

impl Queue {
    /// For this number of jobs.
    pub fn new(most: usize, board: Arc<Board>) -> (Self, Receiver<Message>) {
        let (sender, receiver) = sync_channel(most);
        (Self { sender, board }, receiver)
    }

    /// Adds a job.
    ///
    /// # Errors
    /// A queue that is full, or that nobody takes from any more.
    pub fn push(&self, job: Job) -> Result<(), Refusal> {
        // Before it can be taken.
        self.board.queued();
        let pushed = self.sender.try_send(Message::Job(job));
        pushed.map_err(|error| {
            self.board.taken();
            match error {
                TrySendError::Full(_) => {
                    Refusal::busy("too many requests wait to be learned; try again later")
                }
                TrySendError::Disconnected(_) => ended(),
            }
        })
    }

    /// Says that no more jobs come. Waits for room.
    pub fn end(&self) {
        // Nobody may be there to hear it.
        let _ = self.sender.send(Message::End);
    }
}

/// Nobody learns any more.
pub fn ended() -> Refusal {
    Refusal::unavailable("the service learns no more: it is ending, or learning has failed")
}
