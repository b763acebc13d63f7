//! How learning ends and how this is reported.

use std::path::Path;

use online_forests::OnlineLearner as _;

use crate::bad_rows::{BadRows, counted, unseen_text};
use crate::console::Console;
use crate::error::CommandError;
use crate::model::Model;
use crate::table_task::TableTask;

/// The reason why learning ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// The end of the data.
    Complete,
    /// A signal.
    Interrupted,
}

/// The reason why no more rows are learned.
pub enum End {
    /// The table has ended.
    NoMoreRows,
    /// A signal.
    Signal,
    /// More rows could exceed the memory limit; the text explains how.
    Memory(String),
}

impl End {
    /// Says where `what` was saved: `model in houses.model`.
    pub fn text(&self, what: &str, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::NoMoreRows => format!("{what} in {path}"),
            Self::Signal => format!("interrupted; {what} so far in {path}; continue with --resume"),
            Self::Memory(_) => format!("stopped; {what} so far in {path}; continue with --resume"),
        }
    }

    /// Returns the exit code of a command that has learned rows, which are saved.
    pub fn completion<T: TableTask>(
        self,
        model: &Model<T>,
        bad_rows: &BadRows,
        console: &Console,
    ) -> Result<Completion, CommandError> {
        let position = model.position();
        let share = bad_rows.check(position.bad, position.rows(), "learned");
        match (self, share) {
            (Self::Memory(reason), _) => Err(CommandError::new(reason)),
            (Self::NoMoreRows, share) => share.map(|()| Completion::Complete),
            (Self::Signal, Ok(())) => Ok(Completion::Interrupted),
            (Self::Signal, Err(error)) => {
                console.say(&format!("warning: {error}"));
                Ok(Completion::Interrupted)
            }
        }
    }

    /// Returns the error of a command that has learned no row of `data`.
    pub fn without_rows(
        self,
        data: &str,
        bad_rows: &BadRows,
        console: &Console,
    ) -> Result<Completion, CommandError> {
        if matches!(self, Self::Signal) {
            console.say("interrupted before the first row was learned; nothing is saved");
            return Ok(Completion::Interrupted);
        }
        Err(nothing_learned(data, bad_rows.summary()))
    }
}

/// Returns the error of a command that could learn no row of `data`, with the reason if one is known.
pub fn nothing_learned(data: &str, reason: Option<String>) -> CommandError {
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    CommandError::new(format!(
        "no row of {data} could be learned, so nothing is saved{reason}"
    ))
}

/// Returns the parts of a sentence about the rows that a model has learned since it had learned `before`.
pub fn report<T: TableTask>(
    model: &Model<T>,
    before: u64,
    bad_rows: &BadRows,
    unseen: u64,
) -> Vec<String> {
    let rows = model.samples_seen() - before;
    let dropped = model.position().dropped;
    let mut parts = vec![format!("learned {}", counted(rows, "row"))];
    if before > 0 {
        parts.push(format!("{} before", counted(before, "row")));
    }
    if dropped > 0 {
        parts.push(format!(
            "{} with missing values left out",
            counted(dropped, "row")
        ));
    }
    parts.extend(bad_rows.summary());
    parts.extend(unseen_text(unseen));
    parts
}
