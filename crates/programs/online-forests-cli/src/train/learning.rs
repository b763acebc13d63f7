//! The training loop.

use forest_model::{
    BadRows, Batch, CommandError, Completion, Console, End, Memory, Model, Outcome, Row, Saving,
    Source, Start, TableTask, Taken, interrupt, report,
};
use online_forests::OnlineLearner;
use tables::Layout;

/// State of the training loop.
#[derive(Debug)]
pub(super) struct Learning<T: TableTask> {
    model: Model<T>,
    layout: Layout,
    source: Source,
    bad_rows: BadRows,
    saving: Saving,
    console: Console,
    most: usize,
    memory: Memory,
}

impl<T: TableTask> Learning<T> {
    pub(super) fn new(
        model: Model<T>,
        start: Start<'_>,
        saving: Saving,
    ) -> Result<Self, CommandError> {
        Ok(Self {
            layout: start.layout(&model)?,
            bad_rows: start.bad_rows(&model)?,
            model,
            source: start.source,
            saving,
            console: start.console,
            most: start.options.batch as usize,
            memory: Memory::new(start.options.max_memory, 1),
        })
    }

    /// Learns all rows, and saves the model regularly and at the end.
    pub(super) fn run(mut self) -> Result<Completion, CommandError> {
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
            let Some(row) = self.source.checked(row)? else {
                break;
            };
            if let Outcome::Bad(reason) = self.model.read(&self.layout, &row, batch) {
                self.bad_rows.add(row.line(), &reason)?;
            }
        }
        Ok(self.model.learn_batch(batch)?)
    }

    fn save(&mut self) -> Result<(), CommandError> {
        self.bad_rows.sync()?;
        self.saving.save(&self.model)
    }
}
