//! Progress on standard error: a bar on a terminal, else a line per run.

use std::io::Write as _;

use indicatif::{ProgressBar, ProgressStyle};

use super::record::{Outcome, Record};

const TEMPLATE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";

/// The bar counts rows. indicatif hides it where standard error is not a terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    runs: usize,
    finished_runs: usize,
    finished_rows: usize,
}

impl Progress {
    /// Of `runs` runs, which visit `rows` rows in all.
    pub fn new(runs: usize, rows: usize) -> Self {
        let bar = ProgressBar::new(rows as u64);
        bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
        Self {
            bar,
            runs,
            finished_runs: 0,
            finished_rows: 0,
        }
    }

    pub fn start_run(&self, name: String) {
        self.bar.set_message(name);
    }

    pub fn advance(&self, rows: usize) {
        self.bar.inc(rows as u64);
    }

    /// A run of `rows` rows is over. Sets the bar, since a run that failed did not visit all of them.
    pub fn finish_run(&mut self, rows: usize, record: &Record) {
        self.finished_runs += 1;
        self.finished_rows += rows;
        self.bar.set_position(self.finished_rows as u64);
        if self.bar.is_hidden() {
            let (run, runs) = (self.finished_runs, self.runs);
            print_line(&format!("[{run}/{runs}] {}", describe(record)));
        } else if let Outcome::Failed { .. } = record.outcome {
            self.bar.println(describe(record));
        }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

/// Prints on standard error. If that is closed, the comparison goes on.
pub fn print_line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn describe(record: &Record) -> String {
    let (setting, label, seed) = (&record.setting, &record.label, record.seed);
    let outcome = match &record.outcome {
        Outcome::Failed { error } => format!("failed: {error}"),
        Outcome::Measured(measured) => format!("{} {:.4}", setting.metric.name(), measured.value),
    };
    let (dataset, protocol) = (&setting.dataset, setting.protocol);
    format!("{dataset} {protocol} · {label} · seed {seed}: {outcome}")
}
