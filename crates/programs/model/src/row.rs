//! Rows as they arrive, and those that cannot be read: counted, and reported on standard error.

use tables::{Cell, Columns, Layout, Record, TableError};

use crate::console::{CommandError, Console};

/// Stands for the cells of a row that could not be read.
const UNREADABLE: &str = "\0unreadable";

/// A row as it arrived.
#[derive(Debug)]
pub struct Row(Arrived);

#[derive(Debug)]
enum Arrived {
    Record(Record),
    /// What a table held.
    Fault(TableError),
    /// What a client sent.
    Refused(u64, String),
}

/// The outcome of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Its values can be used.
    Taken,
    /// It is left out because a value is missing, as requested.
    Dropped,
    /// It cannot be learned, for this reason.
    Bad(String),
}

impl Row {
    /// Returns a row of a table.
    pub fn new(row: Result<Record, TableError>) -> Self {
        Self(row.map_or_else(Arrived::Fault, Arrived::Record))
    }

    /// Returns the record of something that a client sent and that is not a row, for this reason.
    pub fn refused(line: u64, reason: String) -> Self {
        Self(Arrived::Refused(line, reason))
    }

    /// Returns the line on which it begins.
    pub fn line(&self) -> u64 {
        match &self.0 {
            Arrived::Record(record) => record.line,
            Arrived::Fault(error) => error.line().unwrap_or_default(),
            Arrived::Refused(line, _) => *line,
        }
    }

    /// Returns the record, if it is one.
    pub fn record(&self) -> Option<&Record> {
        match &self.0 {
            Arrived::Record(record) => Some(record),
            _ => None,
        }
    }

    /// Returns the reason why it is not a record.
    pub fn error(&self) -> Option<&TableError> {
        match &self.0 {
            Arrived::Fault(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the record, or the reason why it is not one.
    fn readable(&self) -> Result<&Record, Outcome> {
        match &self.0 {
            Arrived::Record(record) => Ok(record),
            Arrived::Fault(error) => Err(Outcome::Bad(error.text().to_owned())),
            Arrived::Refused(_, reason) => Err(Outcome::Bad(reason.clone())),
        }
    }

    /// Returns the bytes of its text, and what a row takes besides.
    pub fn bytes(&self) -> usize {
        let text = self
            .record()
            .map_or(0, |record| record.cells.as_slice().len());
        size_of::<Self>() + text
    }

    /// Returns the cells, or a text that no cell holds if the row could not be read.
    pub fn cells(&self) -> Box<dyn Iterator<Item = &str> + '_> {
        match &self.0 {
            Arrived::Record(record) => Box::new(record.cells.iter()),
            _ => Box::new(std::iter::once(UNREADABLE)),
        }
    }

    /// Returns the error if the input itself failed, so that no row follows.
    pub fn into_failure(self) -> Result<Self, TableError> {
        match self.0 {
            Arrived::Fault(error) if error.ends_the_table() => Err(error),
            row => Ok(Self(row)),
        }
    }

    /// Returns whether the input itself failed here.
    pub fn is_failure(&self) -> bool {
        self.error().is_some_and(TableError::ends_the_table)
    }

    /// Appends the features to `out`, and counts cells whose category did not occur when columns were fitted.
    pub fn features(
        &self,
        columns: &Columns,
        layout: &Layout,
        out: &mut Vec<f32>,
        unseen: &mut u64,
    ) -> Outcome {
        match self
            .readable()
            .map(|record| columns.features(layout, record, out))
        {
            Ok(Ok(tables::Row::Encoded { unseen: cells })) => {
                *unseen += cells as u64;
                Outcome::Taken
            }
            Ok(Ok(tables::Row::Dropped)) => Outcome::Dropped,
            Ok(Err(error)) => Outcome::Bad(error.text().to_owned()),
            Err(outcome) => outcome,
        }
    }

    /// Returns the cell of the target.
    pub fn target(&self, columns: &Columns, layout: &Layout) -> Result<Cell<'_>, Outcome> {
        let record = self.readable()?;
        match columns.target(layout, record) {
            Ok(Some(cell)) => Ok(cell),
            Ok(None) => Err(Outcome::Dropped),
            Err(error) => Err(Outcome::Bad(error.text().to_owned())),
        }
    }
}

/// The number of bad rows that are reported if not all are.
const SHOWN: u64 = 5;

/// What to do with rows that cannot be read.
#[derive(Clone, Debug, clap::Args)]
pub struct BadRowOptions {
    /// Report line number and reason of every row that cannot be read on standard error [default: of the first five; all are
    /// counted]
    #[arg(long)]
    pub list_bad_rows: bool,

    /// Maximum share of bad rows, from 0 to 1. If it is exceeded, the exit code is 1; the other rows are learned or predicted
    /// nevertheless
    #[arg(long, value_name = "SHARE", default_value = "0.1", value_parser = share)]
    pub max_bad_rows: f64,

    /// Stop with an error at the first bad row
    #[arg(long)]
    pub strict: bool,
}

fn share(text: &str) -> Result<f64, &'static str> {
    let share = text
        .parse()
        .ok()
        .filter(|share| (0.0..=1.0).contains(share));
    share.ok_or("expected a share of the rows from 0 to 1, such as 0.1")
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
    pub fn add(&mut self, line: u64, reason: &str) -> Result<(), CommandError> {
        if self.options.strict {
            return Err(CommandError::new(format!(
                "line {line}: {reason}; without --strict, such rows are skipped"
            )));
        }
        self.count += 1;
        let all = self.options.list_bad_rows;
        if all || self.count <= SHOWN {
            self.console.say(&format!("line {line}: {reason}"));
        }
        if !all && self.count == SHOWN {
            let more = "more rows like these are only counted; --list-bad-rows reports all";
            self.console.say(more);
        }
        Ok(())
    }

    /// Checks that the share of bad rows is within the limit, once all rows were read.
    ///
    /// # Errors
    /// Returns an error if it is exceeded.
    pub fn check(&self, bad: u64, rows: u64, done: &str) -> Result<(), CommandError> {
        let most = self.options.max_bad_rows;
        if bad as f64 > most * rows as f64 {
            Err(CommandError::new(format!(
                "{bad} of {rows} rows are bad ({:.1} %), more than --max-bad-rows {most} allows; the others are {done}",
                100.0 * bad as f64 / rows as f64
            )))
        } else {
            Ok(())
        }
    }

    /// Returns `3 bad rows`, or nothing.
    pub fn summary(&self) -> Option<String> {
        (self.count > 0).then(|| counted(self.count, "bad row"))
    }
}

/// Returns `3 cells of new categories`, or nothing.
pub fn unseen_text(cells: u64) -> Option<String> {
    (cells > 0).then(|| {
        format!(
            "{} of categories that the rows fitted on did not have",
            counted(cells, "cell")
        )
    })
}

/// Returns `1 row`, `2 rows`.
pub fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
