//! Tables of the metric before and after the changes of a stream.

use datasets::TaskKind;

use super::section::{Row, Section};
use super::table::Cell;

use crate::{AroundChange, mean, number};

/// Maximum number of changes with a column each; of more, only the mean is shown, as a row has to fit on a page.
const MOST_COLUMNS: usize = 5;

type Change = AroundChange<f64>;

impl Section {
    /// Returns whether there is a table of changes.
    pub fn has_changes(&self) -> bool {
        !self.setting.changes.is_empty()
    }

    /// Explains the cells of the table.
    pub fn changes_caption(&self) -> String {
        format!(
            "Changes: {} over the {window} rows before a change → over the {window} rows from it on → over the \
             {window} rows that begin {} rows after it; means over seeds.{}",
            self.setting.metric.name,
            number::count(Change::LATER as f64),
            self.recovery_caption().unwrap_or_default(),
            window = Change::WINDOW,
        )
    }

    fn recovery_caption(&self) -> Option<String> {
        let mut rows = self.rows.iter().filter_map(|row| row.result.as_ref());
        let is_measured = rows.any(|result| !result.recoveries.is_empty());
        is_measured.then(|| {
            let loss = match self.setting.metric.task() {
                TaskKind::Classification => "share of wrong rows",
                TaskKind::Regression => self.setting.metric.title,
            };
            format!(
                " Behind them, rows until recovery: until the {loss} over the latest {} rows is within 5 % of that of a learner that began at \
                 the change; – if that did not happen before the next change in every run.",
                Change::WINDOW
            )
        })
    }

    /// Returns the names of its columns.
    pub fn changes_header(&self) -> Vec<String> {
        let changes = &self.setting.changes;
        let at = |row: &usize| format!("row {}", number::count(*row as f64));
        let mut header = vec!["algorithm".to_owned()];
        if changes.len() > MOST_COLUMNS {
            header.push(format!("mean of {} changes", changes.len()));
        } else {
            header.extend(changes.iter().map(at));
        }
        header
    }

    /// Returns the rows that have a result, each with its cells.
    pub fn changes_lines(&self) -> impl Iterator<Item = (&Row, Vec<Cell>)> {
        let decimals = self.decimals().saturating_sub(1);
        let rows = self.rows.iter();
        rows.filter_map(move |row| {
            let result = row.result.as_ref()?;
            let (changes, recoveries) = (&result.around_changes, &result.recoveries);
            let cell = |change: &Change, recovery: Option<&Option<f64>>| {
                let recovery = recovery.map(|rows| format!("; {}", rows_or_dash(*rows)));
                let around = text(change, decimals);
                Cell::from(format!("{around}{}", recovery.unwrap_or_default()))
            };
            let mut cells = vec![row.name().into()];
            if changes.len() > MOST_COLUMNS {
                let each: Vec<&[Option<f64>]> =
                    recoveries.iter().map(std::slice::from_ref).collect();
                let mean = mean::recoveries(each.into_iter());
                cells.push(cell(&Change::mean(changes.iter()), mean.first()));
            } else {
                let numbered = changes.iter().enumerate();
                cells.extend(numbered.map(|(at, change)| cell(change, recoveries.get(at))));
            }
            Some((row, cells))
        })
    }
}

fn rows_or_dash(rows: Option<f64>) -> String {
    rows.map_or_else(|| "–".to_owned(), number::count)
}

/// Formats a change: `0.912 → 0.455 → 0.880`.
fn text(change: &Change, decimals: usize) -> String {
    let number = |value: Option<f64>| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"))
    };
    let parts = [change.before, change.after, change.later].map(number);
    parts.join(" → ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_shows_before_after_and_later_and_unknown_values() {
        let (before, after, later) = (Some(0.75), Some(0.5), Some(1.0));
        let first = Change {
            row: 7,
            before,
            after,
            later,
        };
        let second = Change {
            before: None,
            later: None,
            ..first.clone()
        };
        assert_eq!(text(&first, 2), "0.75 → 0.50 → 1.00");
        assert_eq!(text(&second, 1), "– → 0.5 → –");
        let third = Change {
            before: Some(0.25),
            ..second
        };
        let mean = Change::mean([&first, &third].into_iter());
        assert_eq!(
            (mean.before, mean.after, mean.later),
            (Some(0.5), Some(0.5), Some(1.0))
        );
    }
}
