//! The loop that learns.

use online_forests::OnlineLearner;
use tables::Layout;

use super::ending::{Completion, End, report};
use super::memory::Memory;
use super::saving::Saving;
use crate::CommandError;
use crate::bad_rows::BadRows;
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
            return end.without_rows(self.source.name(), &self.bad_rows, &self.console);
        }
        self.save()?;
        let mut said = report(&self.model, before, &self.bad_rows, batch.unseen);
        said.push(end.text("model", self.saving.path()));
        self.console.say(&said.join("; "));
        end.completion(&self.model, &self.bad_rows, &self.console)
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

    fn save(&mut self) -> Result<(), CommandError> {
        self.bad_rows.sync()?;
        self.saving.save(&self.model)
    }
}
