//! Rows as they arrive, and those that cannot be read: counted, and reported on standard error.

use anyhow::{bail, ensure};
use tables::{Cell, Columns, Layout, Record, TableError};

use crate::console::Console;
use crate::task::TableTask;

/// A row as it arrived.
#[derive(Debug)]
pub struct Row {
    /// The line on which it begins.
    pub line: u64,
    /// The record, or the reason why it is not one.
    pub record: Result<Record, String>,
}

/// Why a row is not learned or predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unused {
    /// A value is missing, and the model leaves such rows out, as requested.
    Dropped,
    /// It cannot be read, for this reason.
    Bad(String),
}

impl Unused {
    /// Returns the reason in words.
    pub fn reason(&self) -> &str {
        match self {
            Self::Dropped => "a value is missing, and the model was trained with --missing drop",
            Self::Bad(reason) => reason,
        }
    }
}

impl From<TableError> for Unused {
    fn from(error: TableError) -> Self {
        Self::Bad(error.text().to_owned())
    }
}

impl Row {
    /// Returns a row of a table.
    pub fn new(row: Result<Record, TableError>) -> Self {
        match row {
            Ok(record) => Self {
                line: record.line,
                record: Ok(record),
            },
            Err(error) => Self::bad(error.line().unwrap_or_default(), error.text().to_owned()),
        }
    }

    /// Returns what arrived on this line and is not a row, for this reason.
    pub fn bad(line: u64, reason: String) -> Self {
        Self {
            line,
            record: Err(reason),
        }
    }

    fn readable(&self) -> Result<&Record, Unused> {
        let record = self.record.as_ref();
        record.map_err(|reason| Unused::Bad(reason.clone()))
    }

    /// Returns the bytes of its text, and what a row takes besides.
    pub fn bytes(&self) -> usize {
        let text = self.record.as_ref().map(|it| it.cells.as_slice().len());
        size_of::<Self>() + text.unwrap_or(0)
    }

    /// Appends the features to `out`, and returns the number of cells whose category did not occur when columns were
    /// fitted.
    ///
    /// # Errors
    /// Returns why the row is not used; then `out` is unchanged.
    pub fn features(
        &self,
        columns: &Columns,
        layout: &Layout,
        out: &mut Vec<f32>,
    ) -> Result<u64, Unused> {
        let unseen = columns.features(layout, self.readable()?, out)?;
        unseen.map(|cells| cells as u64).ok_or(Unused::Dropped)
    }

    /// Appends the features to `out`, and returns the cell of the target and the number of cells of unseen categories.
    ///
    /// # Errors
    /// As [`Row::features`], and for a cell that is not a target.
    pub fn labelled<T: TableTask>(
        &self,
        columns: &Columns,
        layout: &Layout,
        out: &mut Vec<f32>,
    ) -> Result<(Cell<'_>, u64), Unused> {
        let before = out.len();
        let unseen = self.features(columns, layout, out)?;
        let cell = match columns.target(layout, self.readable()?) {
            Ok(Some(cell)) => match T::check_cell(&cell) {
                Ok(()) => Ok(cell),
                Err(reason) => Err(Unused::Bad(reason)),
            },
            Ok(None) => Err(Unused::Dropped),
            Err(error) => Err(error.into()),
        };
        if cell.is_err() {
            out.truncate(before);
        }
        Ok((cell?, unseen))
    }
}

/// The number of bad rows that are reported if not all are.
const SHOWN: u64 = 5;

/// What to do with rows that cannot be read.
#[derive(Clone, Debug, clap::Args)]
pub struct BadRowOptions {
    /// Report line number and reason of every row that cannot be read on standard error [default: of the first five;
    /// all are counted]
    #[arg(long)]
    pub list_bad_rows: bool,

    /// Maximum share of bad rows, from 0 to 1. If it is exceeded, the exit code is 1; the other rows are learned or
    /// predicted nevertheless
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    pub max_bad_rows: f64,

    /// Stop with an error at the first bad row
    #[arg(long)]
    pub strict: bool,
}

fn share(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(share @ 0.0..=1.0) => Ok(share),
        _ => Err("expected a share of the rows from 0 to 1, such as 0.1"),
    }
}

/// The rows that could not be read so far.
#[derive(Debug)]
pub struct BadRows {
    options: BadRowOptions,
    count: u64,
    console: Console,
}

impl BadRows {
    /// Begins to count.
    pub fn new(options: &BadRowOptions, console: &Console) -> Self {
        Self {
            options: options.clone(),
            count: 0,
            console: console.clone(),
        }
    }

    /// Records a row that cannot be read.
    ///
    /// # Errors
    /// Returns the row's error if the command is strict.
    pub fn add(&mut self, line: u64, reason: &str) -> anyhow::Result<()> {
        if self.options.strict {
            bail!("line {line}: {reason}; without --strict, such rows are skipped");
        }
        self.count += 1;
        let all = self.options.list_bad_rows;
        if all || self.count <= SHOWN {
            self.console.say(&format!("line {line}: {reason}"));
        }
        if !all && self.count == SHOWN {
            self.console
                .say("more rows like these are only counted; --list-bad-rows reports all");
        }
        Ok(())
    }

    /// Checks that the share of `bad` rows is within the limit, once all `rows` were read. The message states what was
    /// `done` with the others: `learned` or `predicted`.
    ///
    /// # Errors
    /// Returns an error if it is exceeded.
    pub fn check(&self, bad: u64, rows: u64, done: &str) -> anyhow::Result<()> {
        let most = self.options.max_bad_rows;
        ensure!(
            bad as f64 <= most * rows as f64,
            "{bad} of {rows} rows are bad ({:.1} %), more than --max-bad-rows {most} allows; the others are {done}",
            100.0 * bad as f64 / rows as f64
        );
        Ok(())
    }

    /// Returns `3 bad rows`, or nothing.
    pub fn summary(&self) -> Option<String> {
        (self.count > 0).then(|| counted(self.count, "bad row"))
    }
}

/// Returns `1 row`, `2 rows`.
pub fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
