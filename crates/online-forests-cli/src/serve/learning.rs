//! The one who learns: a thread that takes requests one after another, and saves the model.

mod batch;
mod room;

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use online_forests::OnlineLearner as _;
use serving::{Reader, Writer};
use tokio::sync::oneshot;
use tracing::{error, info};

use super::Refusal;
use super::figures::{Board, Change, ModelFigures};
use super::prequential::Judged;
use super::private;
use super::queue::{Job, Message, Work};
use super::reply::Reply;
use crate::CommandError;
use crate::model::Model;
use crate::train::saving::Saving;
use room::Room;

/// How long to wait for a job before looking whether there is something else to do.
const WAIT: Duration = Duration::from_millis(100);

/// How often the size of the model is looked at.
const LOOK: Duration = Duration::from_secs(1);

/// Jobs after which those who wait for the model to be saved wait no longer for others to join them.
const MOST_JOINED: usize = 64;

/// An answer that is ready, but for the model to be saved.
type Unsaved = (oneshot::Sender<Result<Reply, Refusal>>, Reply);

/// A model that learns what comes.
pub struct Learning<T: Judged> {
    writer: Writer<Model<T>>,
    reader: Reader<Model<T>>,
    saving: Saving,
    room: Room,
    board: Arc<Board>,
    /// Jobs done since the model was saved.
    unsaved_jobs: u64,
    waiting: Vec<Unsaved>,
    looked: Instant,
}

impl<T: Judged> Learning<T> {
    /// Around both halves of a model.
    pub fn new(
        (writer, reader): (Writer<Model<T>>, Reader<Model<T>>),
        mut saving: Saving,
        max_memory: Option<u64>,
        board: Arc<Board>,
    ) -> Self {
        saving.start(reader.model().position().rows());
        let learning = Self {
            writer,
            reader,
            saving,
            room: Room::new(max_memory),
            board,
            unsaved_jobs: 0,
            waiting: Vec::new(),
            looked: Instant::now(),
        };
        learning.look();
        learning
    }

    /// Learns until there is nothing more to learn, and saves the model.
    ///
    /// # Errors
    /// A model that cannot be saved at the end.
    pub fn run(mut self, jobs: Receiver<Message>) -> Result<(), CommandError> {
        loop {
            match jobs.recv_timeout(WAIT) {
                Ok(Message::Job(job)) => self.work(job),
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if !self.waiting.is_empty() && self.join(&jobs) {
                break;
            }
            self.save_if_due();
            if self.looked.elapsed() >= LOOK {
                self.look();
                self.looked = Instant::now();
            }
        }
        self.finish(&jobs)
    }

    /// Does what others have asked meanwhile, so that one file is written for all of them; `true` at the end.
    fn join(&mut self, jobs: &Receiver<Message>) -> bool {
        for _ in 0..MOST_JOINED {
            match jobs.try_recv() {
                Ok(Message::Job(job)) => self.work(job),
                Ok(Message::End) | Err(TryRecvError::Disconnected) => return true,
                Err(TryRecvError::Empty) => break,
            }
        }
        // The failure is logged, and those who wait are informed.
        let _ = self.save();
        false
    }

    /// What is still there is done, and saved.
    fn finish(mut self, jobs: &Receiver<Message>) -> Result<(), CommandError> {
        while let Ok(Message::Job(job)) = jobs.try_recv() {
            self.work(job);
        }
        match self.unsaved_jobs > 0 {
            true => self.save(),
            false => Ok(()),
        }
    }

    fn work(&mut self, job: Job) {
        let Job {
            work,
            durable,
            answer,
            bytes,
        } = job;
        self.board.taken();
        let done = match &work {
            Work::Learn(rows) => self
                .room
                .check(&self.reader)
                .and_then(|()| self.learn(rows)),
            Work::PredictThenLearn(rows, asked) => {
                let room = self.room.check(&self.reader);
                room.and_then(|()| self.predict_then_learn(rows, *asked))
            }
            Work::Forget(id) => self.forget(*id),
        };
        match done {
            Ok(reply) if durable => {
                self.unsaved_jobs += 1;
                self.waiting.push((answer, reply));
            }
            done => {
                self.unsaved_jobs += u64::from(done.is_ok());
                // The client may have gone.
                let _ = answer.send(done);
            }
        }
        drop((work, bytes));
    }

    fn save_if_due(&mut self) {
        let rows = self.reader.model().position().rows();
        if self.saving.is_due(rows) {
            // The failure is logged.
            let _ = self.save();
        }
    }

    /// Saves the model, and answers those who have waited for it. Rows are answered meanwhile, and learned afterwards.
    fn save(&mut self) -> Result<(), CommandError> {
        let model = self.reader.model();
        private::protect(&model, &self.saving);
        let saved = self.saving.save(&model);
        let rows = model.position().rows();
        drop(model);
        match &saved {
            Ok(()) => {
                self.unsaved_jobs = 0;
                self.board.saved();
                info!(rows, "saved");
            }
            Err(failure) => {
                self.saving.start(rows);
                self.board.not_saved();
                error!("{failure}");
            }
        }
        for (answer, reply) in self.waiting.drain(..) {
            let reply = match &saved {
                Ok(()) => Ok(reply),
                Err(failure) => Err(not_saved(failure)),
            };
            let _ = answer.send(reply);
        }
        saved
    }

    /// Has the board show how the model is.
    fn look(&self) {
        let model = self.reader.model();
        let footprint = model.footprint();
        let figures = ModelFigures {
            samples_seen: model.samples_seen(),
            unsaved: self.unsaved_rows(&model),
            nodes: footprint.nodes,
            stored_samples: footprint.stored_samples,
            bytes: footprint.bytes,
        };
        let names = model.pipeline().class_names().names();
        self.board.model(figures, names, changes(&model));
    }

    fn unsaved_rows(&self, model: &Model<T>) -> u64 {
        self.saving.rows_since(model.position().rows())
    }
}

fn not_saved(failure: &CommandError) -> Refusal {
    let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
    Refusal::new(
        status,
        format!("the rows are learned but not saved: {failure}"),
    )
}

/// What the members of a mixture have found.
pub fn changes<T: Judged>(model: &Model<T>) -> Vec<Change> {
    let mixture = model.pipeline().learner().as_mixture();
    let members = mixture.map(|mixture| mixture.members());
    let found = members.into_iter().flatten().filter_map(|member| {
        let row = member.changed?;
        let member = member.name;
        Some(Change { member, row })
    });
    found.collect()
}
