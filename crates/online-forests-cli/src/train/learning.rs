//! The loop that learns.

use std::path::Path;

use online_forests::OnlineLearner;
use tables::Layout;

use super::memory::Memory;
use super::saving::Saving;
use crate::CommandError;
use crate::bad_rows::{BadRows, counted, unseen_text};
use crate::console::Console;
use crate::input::{Outcome, Row, Source, Taken};
use crate::interrupt;
use crate::model::{Batch, Model};
use crate::table_task::TableTask;

/// All that learning needs.
#[derive(Debug)]
pub struct Learning<T: TableTask> {
    pub(super) model: Model<T>,
    pub(super) layout: Layout,
    pub(super) source: Source,
    pub(super) bad_rows: BadRows,
    pub(super) saving: Saving,
    pub(super) console: Console,
    pub(super) most: usize,
    pub(super) memory: Memory,
}

/// Why learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// There are no more rows.
    Complete,
    /// A signal.
    Interrupted,
}

/// Why no more rows are learned.
enum End {
    NoMoreRows,
    Signal,
    /// More rows could take more memory than there may be, for this reason.
    Memory(String),
}

impl End {
    fn text(&self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::NoMoreRows => format!("model in {path}"),
            Self::Signal => format!("interrupted; model so far in {path}, --resume goes on"),
            Self::Memory(_) => format!("stopped; model so far in {path}, --resume goes on"),
        }
    }
}

impl<T: TableTask> Learning<T> {
    /// Learns all rows that come, and saves the model now and then and at the end.
    pub fn run(mut self) -> Result<Completion, CommandError> {
        let before = self.model.samples_seen();
        self.saving.start(self.model.position().rows());
        let mut batch = Batch::default();
        let end = self.learn_all(&mut batch)?;
        self.console.clear();
        let position = self.model.position();
        if position.learned == 0 && (before == 0 || position.bad > 0) {
            return self.nothing_learned(&end);
        }
        self.save()?;
        self.report(before, batch.unseen, &end);
        self.completion(end)
    }

    /// How the command ends, now that the model is saved.
    fn completion(&self, end: End) -> Result<Completion, CommandError> {
        let position = self.model.position();
        let share = self
            .bad_rows
            .check(position.bad, position.rows(), "learned");
        match (end, share) {
            (End::Memory(reason), _) => Err(CommandError::Memory { reason }),
            (End::NoMoreRows, share) => share.map(|()| Completion::Complete),
            (End::Signal, Ok(())) => Ok(Completion::Interrupted),
            (End::Signal, Err(error)) => {
                self.console.say(&format!("warning: {error}"));
                Ok(Completion::Interrupted)
            }
        }
    }

    fn learn_all(&mut self, batch: &mut Batch<T>) -> Result<End, CommandError> {
        loop {
            if interrupt::is_requested() && !self.source.is_cut() {
                return Ok(End::Signal);
            }
            let most = self.saving.rows_left(self.model.position().rows());
            match self.source.take(self.most.min(most))? {
                Taken::Rows(rows) => self.learn(rows, batch)?,
                Taken::Nothing => {}
                Taken::End if self.source.is_cut() => return Ok(End::Signal),
                Taken::End => return Ok(End::NoMoreRows),
            }
            if let Some(reason) = self.memory.exceeded_by(&self.model) {
                return Ok(End::Memory(reason));
            }
            let rows = self.model.position().rows();
            self.console.rows(rows);
            if self.saving.is_due(rows) && self.model.position().learned > 0 {
                self.save()?;
            }
        }
    }

    fn learn(&mut self, rows: Vec<Row>, batch: &mut Batch<T>) -> Result<(), CommandError> {
        for row in rows {
            let row = match row.into_failure() {
                Ok(row) => row,
                // What a signal has cut off is no failure.
                Err(_) if interrupt::is_requested() => break,
                Err(source) => return Err(self.failed(source)),
            };
            if let Outcome::Bad(reason) = self.model.read(&self.layout, &row, batch) {
                self.bad_rows.add(row.line(), &reason)?;
            }
        }
        Ok(self.model.learn_batch(batch)?)
    }

    fn failed(&self, source: tables::RowError) -> CommandError {
        let data = self.source.name().to_owned();
        CommandError::Input { data, source }
    }

    fn nothing_learned(&self, end: &End) -> Result<Completion, CommandError> {
        if matches!(end, End::Signal) {
            let what = "interrupted before the first row was learned; nothing is saved";
            self.console.say(what);
            return Ok(Completion::Interrupted);
        }
        let bad = self.bad_rows.summary();
        Err(CommandError::NothingLearned {
            data: self.source.name().to_owned(),
            reason: bad.map_or(String::new(), |bad| format!(": {bad}")),
        })
    }

    fn save(&mut self) -> Result<(), CommandError> {
        self.bad_rows.sync()?;
        self.saving.save(&self.model)
    }

    fn report(&self, before: u64, unseen: u64, end: &End) {
        let rows = self.model.samples_seen() - before;
        let dropped = self.model.position().dropped;
        let mut parts = vec![format!("learned {}", counted(rows, "row"))];
        if before > 0 {
            parts.push(format!("{} before", counted(before, "row")));
        }
        if dropped > 0 {
            parts.push(format!("{} with gaps left out", counted(dropped, "row")));
        }
        parts.extend(self.bad_rows.summary());
        parts.extend(unseen_text(unseen));
        parts.push(end.text(self.saving.path()));
        self.console.say(&parts.join("; "));
    }
}
