//! The tables of one section: its algorithms, and the changes of its stream.

use std::collections::BTreeSet;

use super::names;
use super::section::{Section, SectionRow};
use super::table::{Cell, Table, TableRow};
use crate::metric::Metric;
use crate::number::{self, counted};
use crate::protocol::Protocol;
use crate::record::{AroundChange, Reference, task_name};

/// Changes that have a column each.
const MOST_CHANGES: usize = 5;

/// The rule of standings, for readers.
pub(super) const RULE: &str = "Best: the best mean among the algorithms (baselines do not compete), all that have it; \
                               tie: the 95 % interval of its difference from the best, seed by seed, includes 0 (with \
                               one seed: no interval)";

pub(super) fn legend() -> String {
    format!(
        "±: the 95 % interval of the mean over n seeds, by Student's t; it covers seeds (shuffles and random trees), \
         not the choice of test rows, whose standard error is \"test s.e.\", nor that of learned rows in prequential \
         k-fold validation, whose standard error over folds is \"fold s.e.\" (folds share rows, so it may be too \
         small); where it reaches beyond the values that a metric can have, such as 0 to 1, it ends there, and its \
         ends are in brackets. {RULE}. Stored: samples that the learner keeps. Times are microseconds of processor \
         time per row (of records without it, of wall time), of all trees and threads together, without the conversion \
         of rows for learners of other languages; test+learn predicts a row and then learns it, in one call. Offline: \
         sees all training rows at once, learns in one fit. –: the learner does not report it."
    )
}

impl Section {
    /// Returns the decimals that all values of its first metric are printed with.
    pub(super) fn decimals(&self) -> usize {
        let values = self.rows.iter().filter_map(|row| row.value);
        number::decimals_of(values.map(|value| value.mean.abs()).fold(0.0, f64::max))
    }

    /// Returns the table of its algorithms, and the table of the changes of its stream, if there are any.
    pub(super) fn tables(&self) -> Vec<Table> {
        let header = self.header();
        let rows = self.rows.iter().map(|row| self.line(row, header.len()));
        let mut tables = vec![Table {
            title: self.title(),
            about: self.description(),
            rows: rows.collect(),
            header,
            notes: self.notes(),
        }];
        if !self.setting.changes.is_empty() {
            tables.push(self.changes());
        }
        tables
    }

    fn description(&self) -> String {
        let setting = &self.setting;
        let count = |rows: usize| number::count(rows as f64);
        let train = count(setting.n_train);
        let test = count(setting.n_test);
        let mut text = task_name(setting.task).to_owned();
        if let Some(target) = &setting.target {
            text += &format!(" of {target}");
        }
        text += &match setting.protocol {
            Protocol::Holdout => format!(": {train} rows learned, {test} tested"),
            Protocol::KFold => format!(": {train} rows learned in each part, {test} tested in all"),
            Protocol::PrequentialKFold => {
                format!(": {train} rows tested, then learned by some of the learners")
            }
            _ => format!(": {train} rows tested, then learned"),
        };
        text += &format!(" ({}", names::rows_of(setting));
        if let Some(window) = setting.window {
            text += &format!(", windows of {} rows", count(window));
        }
        if let Some(delay) = setting.delay {
            text += &format!(", labels {} rows late", count(delay));
        }
        text += &format!("); {}", counted(setting.n_features, "feature"));
        if let Some(classes) = setting.n_classes {
            text += &format!(", {classes} classes");
        }
        text += &format!("; {}", setting.preprocessing);
        if setting.preprocessing != Default::default() {
            text += if setting.protocol.is_stream() {
                ", fitted on the first window"
            } else {
                ", fitted on the training rows"
            };
        }
        if let Some(trees) = names::trees([self]) {
            text += &format!("; {trees}");
        }
        if let Some(best) = setting.best_accuracy {
            text += &format!("; best possible accuracy {}", number::short(best));
        }
        text
    }

    /// Returns the names of the columns. Only a hold-out has a time for predictions.
    fn header(&self) -> Vec<Cell> {
        let over_seeds = |metric: &Metric| Cell::new(format!("{} ± over seeds", metric.title));
        let first = over_seeds(&self.metrics[0]);
        let mut header = vec![Cell::new("algorithm"), first, Cell::new("")];
        if self.has_test_errors() {
            let is_folded = self.setting.protocol == Protocol::PrequentialKFold;
            header.push(Cell::new(if is_folded { "fold s.e." } else { "test s.e." }));
        }
        header.extend(self.metrics[1..].iter().map(over_seeds));
        let mut names = vec!["n", "learn µs", "predict µs", "nodes", "stored", "size"];
        if self.setting.protocol.is_stream() {
            names.splice(1..3, ["test+learn µs"]);
        }
        header.extend(names.into_iter().map(Cell::new));
        header
    }

    fn has_test_errors(&self) -> bool {
        self.rows.iter().any(|row| self.test_error(row).is_some())
    }

    /// Returns the standard error of the first metric over test rows, if there is one.
    fn test_error(&self, row: &SectionRow) -> Option<f64> {
        row.mean(|run| run.standard_errors.get(self.metrics[0].name).copied())
    }

    fn line(&self, row: &SectionRow, columns: usize) -> TableRow {
        let mark = row.mark;
        let mut cells = vec![Cell::new(row.name())];
        let Some(value) = &row.value else {
            let has_failed = !row.errors().is_empty();
            cells.push(Cell::new(if has_failed { "failed" } else { "–" }));
            cells.resize(columns, Cell::default());
            return TableRow { mark, cells };
        };
        let decimals = self.decimals();
        let mean = Cell::interval(self.metrics[0], value, decimals);
        cells.extend([mean, Cell::new(mark.word())]);
        if self.has_test_errors() {
            let error = |error| format!("{error:.decimals$}");
            cells.push(Cell::or_dash(self.test_error(row), error));
        }
        for &metric in &self.metrics[1..] {
            cells.push(match row.metric(metric) {
                Some(mean) => Cell::interval(metric, &mean, 4),
                None => Cell::new("–"),
            });
        }
        cells.push(Cell::number(value.n.to_string(), value.n as f64));
        for us in row.microseconds().into_iter().flatten() {
            cells.push(Cell::number(number::short(us), us));
        }
        let texts: [fn(f64) -> String; 3] = [number::count, number::count, number::bytes];
        for (size, text) in row.footprint().into_iter().zip(texts) {
            cells.push(Cell::or_dash(size, text));
        }
        cells.resize(columns, Cell::default());
        TableRow { mark, cells }
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.setting.reference == Reference::NoiseFree {
            notes.push("rmse is measured against the true function, without noise".to_owned());
        }
        if let Some(row) = self.unbeaten_baseline() {
            notes.push(format!("no algorithm beats the baseline {}", row.label));
        }
        let counted_seeds = self.results().filter_map(|row| Some(row.value?.n));
        if counted_seeds.max() == Some(1) {
            notes.push("one seed: no interval, and nothing can be called a tie".to_owned());
        }
        if self.surplus > 0 {
            let runs = counted(self.surplus, "run");
            notes.push(format!(
                "{runs} left out: a seed counts once, by its first result"
            ));
        }
        let runs = self.rows.iter().flat_map(|row| &row.runs);
        let seeds: BTreeSet<u64> = runs.map(|run| run.seed).collect();
        if self.rows.iter().any(|row| row.runs.len() < seeds.len()) {
            let words = "runs missing: some algorithms lack seeds that others of this set have; column n has the \
                         numbers";
            notes.push(words.to_owned());
        }
        let (mut revisions, mut machines) = (BTreeSet::new(), BTreeSet::new());
        for run in self.rows.iter().flat_map(|row| &row.runs) {
            revisions.insert(run.host.revision.clone());
            let threads = counted(run.threads, "thread");
            machines.insert(format!("{}, {threads}", run.host.cpu));
        }
        for (words, names, by) in [
            ("the runs are of different revisions", revisions, ", "),
            ("times are means over different machines", machines, "; "),
        ] {
            if names.len() > 1 {
                let names: Vec<String> = names.into_iter().collect();
                notes.push(format!("{words}: {}", names.join(by)));
            }
        }
        let failed = self.failed_seeds().len();
        if failed > 0 {
            let seeds = counted(failed, "seed");
            notes.push(format!("{seeds} left out of the ranks, since a run failed"));
        }
        for row in &self.rows {
            for error in row.errors() {
                notes.push(format!("{} failed: {error}", row.label));
            }
        }
        notes
    }

    fn changes(&self) -> Table {
        let changes = &self.setting.changes;
        let has_columns = changes.len() <= MOST_CHANGES;
        let mut header = vec![Cell::new("algorithm")];
        if has_columns {
            let rows = changes.iter().map(|row| number::count(*row as f64));
            header.extend(rows.map(|row| Cell::new(format!("row {row}"))));
        } else {
            header.push(Cell::new(format!("mean of {} changes", changes.len())));
        }
        let mut rows = Vec::new();
        for row in self.results() {
            let runs = row.measured().map(|(_, run)| &run.around_changes[..]);
            let mut around = AroundChange::means(runs);
            if !has_columns {
                around = vec![AroundChange::mean(around.iter())];
            }
            let mut cells = vec![Cell::new(row.name())];
            cells.extend(around.iter().map(|change| self.change(change)));
            cells.resize(header.len(), Cell::new("–"));
            let mark = row.mark;
            rows.push(TableRow { mark, cells });
        }
        let about = format!(
            "Changes: {} over the {window} rows before a change → over the {window} rows from it on → over the \
             {window} rows that begin {} rows after it; means over seeds.",
            self.setting.metric.name,
            number::count(AroundChange::LATER as f64),
            window = AroundChange::WINDOW,
        );
        Table {
            about,
            header,
            rows,
            ..Table::default()
        }
    }

    /// Formats a change: `0.912 → 0.455 → 0.880`.
    fn change(&self, change: &AroundChange) -> Cell {
        let decimals = self.decimals().saturating_sub(1);
        let parts = [change.before, change.after, change.later].map(|value| match value {
            Some(value) => format!("{value:.decimals$}"),
            None => "–".to_owned(),
        });
        Cell::new(parts.join(" → "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Outcome;
    use crate::report::sections;
    use crate::report::testing::record;

    #[test]
    fn a_table_of_changes_has_their_values_or_means_and_a_dash_for_what_is_unknown() {
        let change = |before, later| AroundChange {
            row: 7,
            before,
            after: Some(0.5),
            later,
        };
        let known = change(Some(0.75), Some(1.0));
        let unknown = change(None, None);
        for (around, changes, expected) in [
            (
                vec![known.clone(), unknown.clone()],
                2,
                "a|0.750 → 0.500 → 1.000|– → 0.500 → – b|–|–",
            ),
            (
                [vec![known; 3], vec![unknown; 3]].concat(),
                6,
                "a|0.750 → 0.500 → 1.000 b|– → – → –",
            ),
        ] {
            let mut runs = ["a", "b"].map(|label| record("one", "accuracy", label, 0, 0.5));
            runs.iter_mut()
                .for_each(|run| run.setting.changes = vec![7; changes]);
            if let Outcome::Measured(measured) = &mut runs[0].outcome {
                measured.around_changes = around;
            }
            let table = sections(&runs)[0].tables().remove(1);
            let rows = table
                .rows
                .iter()
                .map(|row| row.cells.iter().map(|cell| &cell.text[..]));
            let rows = rows.map(|row| row.collect::<Vec<_>>().join("|"));
            assert_eq!(rows.collect::<Vec<_>>().join(" "), expected);
        }
    }
}
