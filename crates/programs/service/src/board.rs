//! Counts what the service does.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use forest_model::Metric;

use crate::figures::{Change, Class, Figures, Latency, ModelFigures};
use crate::history::{History, Point};
use crate::latencies::Latencies;
use crate::prequential::Prequential;

/// The number of rows of the recent metric.
const WINDOW: usize = 1000;

/// The number of classes that are counted separately; the others are counted together.
const MOST_CLASSES: usize = 50;

/// The kinds of requests whose time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Route {
    /// Predicting.
    Predict,
    /// Learning, with predictions or without.
    Learn,
}

/// The outcome of the rows of a learned request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Learned {
    /// The loss of each row that was learned.
    pub losses: Vec<f64>,
    /// The class of each row.
    pub classes: Vec<usize>,
    /// The number of rows left out.
    pub left_out: u64,
    /// The number of rows that cannot be learned.
    pub bad: u64,
}

/// Running counts, and the history of the metric.
#[derive(Debug)]
pub(crate) struct Board(Mutex<State>);

#[derive(Debug)]
struct State {
    started: Instant,
    prequential: Prequential,
    history: History,
    learned: u64,
    left_out: u64,
    bad: u64,
    predicted: u64,
    forgotten: u64,
    class_names: Vec<String>,
    class_rows: Vec<u64>,
    changes: Vec<Change>,
    model: ModelFigures,
    waiting: u64,
    checkpoints: u64,
    failed_checkpoints: u64,
    /// The reason why nothing is learned now.
    refused: Option<String>,
    predicting: Latencies,
    learning: Latencies,
}

impl Board {
    /// Starts at zero.
    pub(crate) fn new(metric: Metric) -> Self {
        Self(Mutex::new(State {
            started: Instant::now(),
            prequential: Prequential::new(metric, WINDOW),
            history: History::default(),
            learned: 0,
            left_out: 0,
            bad: 0,
            predicted: 0,
            forgotten: 0,
            class_names: Vec::new(),
            class_rows: Vec::new(),
            changes: Vec::new(),
            model: ModelFigures::default(),
            waiting: 0,
            checkpoints: 0,
            failed_checkpoints: 0,
            refused: None,
            predicting: Latencies::default(),
            learning: Latencies::default(),
        }))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts predicted rows, of which `bad` could not be.
    pub(crate) fn count_predicted(&self, rows: usize, bad: usize) {
        let mut state = self.state();
        state.predicted += (rows - bad) as u64;
        state.bad += bad as u64;
    }

    /// Counts learned rows.
    pub(crate) fn learned(&self, learned: &Learned) {
        let mut state = self.state();
        state.learned(learned);
        let rows = learned.losses.len() as u64;
        state.model.samples_seen += rows;
        state.model.unsaved += rows + learned.left_out + learned.bad;
    }

    /// Counts rows of a request of which none could be learned.
    pub(crate) fn refused(&self, rows: usize) {
        self.state().bad += rows as u64;
    }

    /// Counts a row that was forgotten.
    pub(crate) fn count_forgotten(&self) {
        self.state().forgotten += 1;
    }

    /// Records the time of a request.
    pub(crate) fn record_time(&self, route: Route, time: Duration) {
        let mut state = self.state();
        match route {
            Route::Predict => state.predicting.add(time),
            Route::Learn => state.learning.add(time),
        }
    }

    /// Records the size of the model.
    pub(crate) fn model(&self, model: ModelFigures, class_names: &[String], changes: Vec<Change>) {
        let mut state = self.state();
        state.model = model;
        state.changes = changes;
        if state.class_names.len() != class_names.len() {
            state.class_names = class_names.to_vec();
        }
    }

    /// Counts a request that waits to be learned.
    pub(crate) fn count_queued(&self) {
        self.state().waiting += 1;
    }

    /// Counts a request that waits no more.
    pub(crate) fn count_taken(&self) {
        self.state().waiting -= 1;
    }

    /// Records that the model was saved.
    pub(crate) fn record_saved(&self) {
        let mut state = self.state();
        state.checkpoints += 1;
        state.model.unsaved = 0;
    }

    /// Records that the model could not be saved.
    pub(crate) fn record_not_saved(&self) {
        self.state().failed_checkpoints += 1;
    }

    /// Records that rows are learned, or why not.
    pub(crate) fn learns(&self, refused: Option<String>) {
        self.state().refused = refused;
    }

    /// Returns the reason why nothing is learned now, though it should be.
    pub(crate) fn refusal_reason(&self) -> Option<String> {
        self.state().refused.clone()
    }

    /// Returns the metric over time.
    pub(crate) fn history(&self) -> Vec<Point> {
        self.state().history.points().to_vec()
    }

    /// Returns all figures.
    pub(crate) fn figures(&self) -> Figures {
        let resident_bytes = resident_bytes();
        self.state().figures(resident_bytes)
    }
}

impl State {
    fn learned(&mut self, learned: &Learned) {
        self.learned += learned.losses.len() as u64;
        self.left_out += learned.left_out;
        self.bad += learned.bad;
        for class in &learned.classes {
            if self.class_rows.len() <= *class {
                self.class_rows.resize(class + 1, 0);
            }
            self.class_rows[*class] += 1;
        }
        for loss in &learned.losses {
            self.prequential.add(*loss);
            if self.history.is_due(self.prequential.rows()) {
                self.history.extend(&self.prequential);
            }
        }
    }

    fn figures(&self, resident_bytes: u64) -> Figures {
        Figures {
            metric: self.prequential.metric().name(),
            judged: self.prequential.rows(),
            overall: self.prequential.overall(),
            recent: self.prequential.recent(),
            window: WINDOW,
            learned: self.learned,
            left_out: self.left_out,
            bad: self.bad,
            predicted: self.predicted,
            forgotten: self.forgotten,
            classes: self.classes(),
            changes: self.changes.clone(),
            model: self.model,
            resident_bytes,
            waiting: self.waiting,
            checkpoints: self.checkpoints,
            failed_checkpoints: self.failed_checkpoints,
            latencies: self.latencies(),
            uptime: self.started.elapsed().as_secs_f64(),
        }
    }

    /// Returns the most frequent classes first.
    fn classes(&self) -> Vec<Class> {
        let named = self.class_names.iter().zip(&self.class_rows);
        let mut classes: Vec<Class> = named
            .filter(|(_, rows)| **rows > 0)
            .map(|(name, rows)| Class {
                name: name.clone(),
                rows: *rows,
            })
            .collect();
        classes.sort_by_key(|class| std::cmp::Reverse(class.rows));
        if classes.len() > MOST_CLASSES {
            let others = classes.split_off(MOST_CLASSES);
            classes.push(Class {
                name: format!("{} other classes", others.len()),
                rows: others.iter().map(|class| class.rows).sum(),
            });
        }
        classes
    }

    fn latencies(&self) -> Vec<Latency> {
        let kinds = [("predict", &self.predicting), ("learn", &self.learning)];
        let known = kinds.into_iter().filter_map(|(route, latencies)| {
            let [p50, p99] = latencies.p50_and_p99()?;
            Some(Latency { route, p50, p99 })
        });
        known.collect()
    }
}

impl History {
    fn extend(&mut self, prequential: &Prequential) {
        if let (Some(overall), Some(recent)) = (prequential.overall(), prequential.recent()) {
            let rows = prequential.rows();
            self.add(Point {
                rows,
                overall,
                recent,
            });
        }
    }
}

/// Returns the memory of this process in bytes, if the system reports it (Linux).
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes.map_or(0, |text| text.parse().unwrap_or(0) * 1024)
}
