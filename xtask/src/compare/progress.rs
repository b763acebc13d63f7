//! Progress on standard error: a bar on a terminal, else a line per run.

use std::sync::atomic::{AtomicUsize, Ordering};

use comparison::Observer;
use comparison::notice::print_line;
use comparison::record::{Outcome, Record};
use indicatif::{ProgressBar, ProgressStyle};

use super::interrupt;

const TEMPLATE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";

/// The bar, which counts rows. indicatif hides it if standard error is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    runs: AtomicUsize,
    finished_runs: AtomicUsize,
    finished_rows: AtomicUsize,
}

impl Progress {
    /// Returns a bar of no runs.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
        Self {
            bar,
            runs: AtomicUsize::new(0),
            finished_runs: AtomicUsize::new(0),
            finished_rows: AtomicUsize::new(0),
        }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Observer for Progress {
    fn plan(&self, runs: &[usize]) {
        self.runs.store(runs.len(), Ordering::Relaxed);
        self.bar.set_length(runs.iter().sum::<usize>() as u64);
    }

    fn start_run(&self, name: &str) {
        interrupt::running(name);
        self.bar.set_message(name.to_owned());
    }

    fn advance(&self, rows: usize) {
        self.bar.inc(rows as u64);
    }

    /// Sets the bar, since a run that failed did not visit all of its rows.
    fn finish_run(&self, rows: usize, record: &Record) {
        let run = 1 + self.finished_runs.fetch_add(1, Ordering::Relaxed);
        let finished = rows + self.finished_rows.fetch_add(rows, Ordering::Relaxed);
        self.bar.set_position(finished as u64);
        if self.bar.is_hidden() {
            let runs = self.runs.load(Ordering::Relaxed);
            print_line(&format!("[{run}/{runs}] {}", describe(record)));
        } else if let Outcome::Failed { .. } = record.outcome {
            self.bar.println(describe(record));
        }
    }

    fn is_stopped(&self) -> bool {
        interrupt::is_requested()
    }
}

fn describe(record: &Record) -> String {
    let (setting, label, seed) = (&record.setting, &record.label, record.seed);
    let outcome = match &record.outcome {
        Outcome::Failed { error } => format!("failed: {error}"),
        Outcome::Measured(measured) => format!("{} {:.4}", setting.metric.name, measured.value),
    };
    let (dataset, protocol) = (&setting.dataset, setting.protocol);
    format!("{dataset} {protocol} · {label} · seed {seed}: {outcome}")
}
