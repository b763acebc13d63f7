//! Rows that cannot be read: counted, and reported on standard error.

use crate::console::Console;
use crate::error::CommandError;

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
    let text = format!(
        "{} of categories that the rows fitted on did not have",
        counted(cells, "cell")
    );
    (cells > 0).then_some(text)
}

/// Returns `1 row`, `2 rows`.
pub fn counted(count: u64, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}
