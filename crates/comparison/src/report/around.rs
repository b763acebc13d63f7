//! Tables of the metric before and after the changes of a stream.

use super::section::{Row, Section};
use super::table::Cell;

use crate::{AroundChange, number};

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
             {window} rows that begin {} rows after it; means over seeds.",
            self.setting.metric.name,
            number::count(Change::LATER as f64),
            window = Change::WINDOW,
        )
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
            let cell = |change: &Change| Cell::from(text(change, decimals));
            let mut cells = vec![row.name().into()];
            if result.around_changes.len() > MOST_COLUMNS {
                cells.push(cell(&Change::mean(result.around_changes.iter())));
            } else {
                cells.extend(result.around_changes.iter().map(cell));
            }
            Some((row, cells))
        })
    }
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
