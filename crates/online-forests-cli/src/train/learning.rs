//! The loop that learns.

use online_forests::OnlineLearner;
use tables::Layout;

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
}

/// Why learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// There are no more rows.
    Complete,
    /// Ctrl-C or SIGTERM.
    Interrupted,
}

impl<T: TableTask> Learning<T> {
    /// Learns all rows that come, and saves the model now and then and at the end.
    pub fn run(mut self) -> Result<Completion, CommandError> {
        let before = self.model.samples_seen();
        self.saving.start(self.model.position().rows());
        let mut batch = Batch::default();
        let completion = self.learn_all(&mut batch)?;
        self.console.clear();
        if self.model.samples_seen() == 0 {
            return self.nothing_learned(completion);
        }
        self.save()?;
        self.report(before, batch.unseen, completion);
        Ok(completion)
    }

    fn learn_all(&mut self, batch: &mut Batch<T>) -> Result<Completion, CommandError> {
        loop {
            if interrupt::is_requested() {
                return Ok(Completion::Interrupted);
            }
            let most = self.saving.rows_left(self.model.position().rows());
            match self.source.take(self.most.min(most))? {
                Taken::Rows(rows) => self.learn(rows, batch)?,
                Taken::Nothing => {}
                Taken::End => return Ok(Completion::Complete),
            }
            let rows = self.model.position().rows();
            self.console.rows(rows);
            if self.saving.is_due(rows) && self.model.samples_seen() > 0 {
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

    fn nothing_learned(&self, completion: Completion) -> Result<Completion, CommandError> {
        if completion == Completion::Interrupted {
            self.console
                .say("interrupted before the first row was learned; there is no model");
            return Ok(completion);
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

    fn report(&self, before: u64, unseen: u64, completion: Completion) {
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
        let path = self.saving.path().display();
        let ending = match completion {
            Completion::Complete => format!("model in {path}"),
            Completion::Interrupted => {
                format!("interrupted; model so far in {path}, --resume goes on")
            }
        };
        parts.push(ending);
        self.console.say(&parts.join("; "));
    }
}
