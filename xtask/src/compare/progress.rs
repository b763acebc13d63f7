//! How far it is: a bar where someone watches, a line per run where a file does.

use std::io::Write as _;

use indicatif::{ProgressBar, ProgressStyle};

use super::record::{Outcome, Record};

const LOOK: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";

/// Progress on standard error. The bar hides itself where that is no terminal.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    runs: usize,
}

impl Progress {
    /// Nothing done of `runs` runs, which visit `rows` rows in all.
    pub fn new(runs: usize, rows: usize) -> Self {
        let bar = ProgressBar::new(rows as u64);
        bar.set_style(ProgressStyle::with_template(LOOK).expect("the template is a constant"));
        Self { bar, runs }
    }

    /// Says what runs now.
    pub fn begin(&self, what: String) {
        self.bar.set_message(what);
    }

    /// Some rows later.
    pub fn advance(&self, rows: usize) {
        self.bar.inc(rows as u64);
    }

    /// Run number `done` is over, at row `rows` of all: failed runs leave no gap in the bar.
    pub fn finished(&self, done: usize, rows: usize, record: &Record) {
        self.bar.set_position(rows as u64);
        if self.bar.is_hidden() {
            say(&format!("[{done}/{}] {}", self.runs, line(record)));
        } else if let Outcome::Failed { .. } = record.outcome {
            self.bar.println(line(record));
        }
    }

    /// Takes the bar away.
    pub fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A line on standard error; if nobody can read it any more, that is no reason to stop.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn line(record: &Record) -> String {
    let Record {
        setting,
        label,
        seed,
        ..
    } = record;
    let place = format!(
        "{} {} · {label} · seed {seed}",
        setting.dataset, setting.protocol
    );
    match &record.outcome {
        Outcome::Failed { error } => format!("{place}: failed: {error}"),
        Outcome::Measured(measured) => {
            format!("{place}: {} {:.4}", setting.metric.name(), measured.value)
        }
    }
}
