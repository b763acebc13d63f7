//! What learns, once the data are open and there is a model.

use super::Args;
use super::ending::Completion;
use super::learning::Learning;
use super::memory::Memory;
use super::saving::Saving;
use crate::CommandError;
use crate::bad_rows::{BadRows, counted};
use crate::console::Console;
use crate::input::{Row, Source};
use crate::model::Model;
use crate::table_task::TableTask;

/// What learns all rows into a model: this process alone, or several.
pub(crate) trait Learn {
    /// Called now and then while rows that were learned before are passed over.
    fn wait(&mut self) {}

    /// Learns all rows that come.
    ///
    /// # Errors
    /// What cannot be read, learned or written.
    fn learn<T: TableTask>(
        self,
        model: Model<T>,
        start: Start<'_>,
    ) -> Result<Completion, CommandError>;
}

/// This process alone.
pub struct Here(pub Saving);

impl Learn for Here {
    fn learn<T: TableTask>(
        self,
        model: Model<T>,
        start: Start<'_>,
    ) -> Result<Completion, CommandError> {
        let layout = start.layout(&model)?;
        Learning {
            bad_rows: start.bad_rows(&model)?,
            model,
            layout,
            source: start.source,
            saving: self.0,
            console: start.console,
            most: start.args.batch as usize,
            memory: Memory::new(start.args.max_memory),
        }
        .run()
    }
}

/// What is there before the first row is learned.
pub(crate) struct Start<'a> {
    pub(crate) args: &'a Args,
    pub(crate) console: Console,
    pub(crate) source: Source,
}

impl Start<'_> {
    /// A signal has come before there were enough rows to fit on: the model is made of these.
    pub(super) fn cut(&mut self, rows: &[Row]) {
        let count = counted(rows.len() as u64, "row");
        self.console.say(&format!(
            "interrupted before the first --fit-rows rows were there: columns and scale are fitted on {count}"
        ));
        self.source.cut();
    }

    /// Where the model's columns stand in the data.
    pub(crate) fn layout<T: TableTask>(
        &self,
        model: &Model<T>,
    ) -> Result<tables::Layout, CommandError> {
        let layout = model.columns.layout(self.source.header());
        layout.map_err(|fault| self.source.wrong(fault))
    }

    /// Where rows go that cannot be learned, behind those that the model knows of.
    pub(crate) fn bad_rows<T: TableTask>(&self, model: &Model<T>) -> Result<BadRows, CommandError> {
        BadRows::after(model.position.bad, &self.args.bad_rows, &self.console)
    }
}
