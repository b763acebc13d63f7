//! Progress on standard error, a bar on a terminal, else a line per run; and Ctrl-C.
//!
//! The first Ctrl-C ends the comparison after the current batch, the second at once; both write the report.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result};
use comparison::Observer;
use comparison::host::print_line;
use comparison::record::{Outcome, Record};
use indicatif::{ProgressBar, ProgressStyle};

use super::output::Output;
use crate::terminal::in_words;

const TEMPLATE: &str = "{bar:30} {percent:>3} % · {eta} left · {msg}";

/// Exit code of a program that was ended by Ctrl-C.
pub(super) const INTERRUPTED: u8 = 130;

static STOP: AtomicBool = AtomicBool::new(false);

/// The current run, which Ctrl-C has to wait for.
static RUNNING: Mutex<String> = Mutex::new(String::new());

pub(super) fn listen(output: Output) -> Result<()> {
    ctrlc::set_handler(move || on_signal(&output)).context("cannot listen for Ctrl-C")
}

fn on_signal(output: &Output) {
    if !STOP.swap(true, Relaxed) {
        let name = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        print_line(&format!(
            "interrupted: waiting for the current batch of {name}; Ctrl-C again writes the report without it"
        ));
        return;
    }
    if let Err(error) = output.write_what_is_there() {
        print_line(&format!("error: {}", in_words(&error)));
    }
    std::process::exit(i32::from(INTERRUPTED));
}

/// The bar, which counts rows. indicatif hides it if standard error is not a terminal.
pub(super) struct Progress {
    pub bar: ProgressBar,
    runs: AtomicUsize,
    finished_runs: AtomicUsize,
    /// Rows of the finished runs.
    finished_rows: AtomicUsize,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new(0);
        bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("the template is a constant"));
        Self {
            bar,
            runs: AtomicUsize::default(),
            finished_runs: AtomicUsize::default(),
            finished_rows: AtomicUsize::default(),
        }
    }
}

impl Observer for Progress {
    fn plan(&self, runs: &[usize]) {
        self.runs.store(runs.len(), Relaxed);
        self.bar.set_length(runs.iter().sum::<usize>() as u64);
    }

    fn start_run(&self, name: &str) {
        name.clone_into(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner));
        self.bar.set_message(name.to_owned());
    }

    fn advance(&self, rows: usize) {
        self.bar.inc(rows as u64);
    }

    /// Sets the bar, since a run that failed did not visit all of its rows.
    fn finish_run(&self, rows: usize, record: &Record) {
        let run = 1 + self.finished_runs.fetch_add(1, Relaxed);
        let position = rows + self.finished_rows.fetch_add(rows, Relaxed);
        self.bar.set_position(position as u64);
        let setting = &record.setting;
        let outcome = match &record.outcome {
            Outcome::Failed { error } => format!("failed: {error}"),
            Outcome::Measured(measured) => format!("{} {:.4}", setting.metric.name, measured.value),
        };
        let set = format!("{} {}", setting.dataset, setting.protocol);
        let line = format!("{set} · {} · seed {}: {outcome}", record.label, record.seed);
        if self.bar.is_hidden() {
            print_line(&format!("[{run}/{}] {line}", self.runs.load(Relaxed)));
        } else if record.failed() {
            self.bar.println(line);
        }
    }

    fn is_stopped(&self) -> bool {
        STOP.load(Relaxed)
    }
}
