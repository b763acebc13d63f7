//! The numbers of `/metrics`, each declared once, with its name and help, and updated in place; and whether the service
//! is ready.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use forest_model::{Learned, Model, TableTask, Unused, resident_bytes};
use online_forests::OnlineLearner as _;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric, Registry};

/// The number of rows of the recent metric.
const WINDOW: usize = 1000;

/// The number of classes that are counted separately; the others are counted together.
const MOST_CLASSES: usize = 50;

type Labels<const N: usize> = [(&'static str, String); N];

/// Numbers of the service, its model and its requests.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Labels<2>, Counter>,
    seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    learned: Counter,
    pub(super) predicted: Counter,
    pub(super) bad: Counter,
    left_out: Counter,
    pub(super) forgotten: Counter,
    checkpoints: Counter,
    failed_checkpoints: Counter,
    samples_seen: Gauge,
    unsaved: Gauge,
    nodes: Gauge,
    stored_samples: Gauge,
    model_bytes: Gauge,
    resident_bytes: Gauge,
    pub(super) waiting: Gauge,
    prequential: Family<Labels<2>, Gauge<f64, AtomicU64>>,
    class_rows: Family<Labels<1>, Gauge>,
    changes: Family<Labels<1>, Gauge>,
    state: Mutex<State>,
}

/// What is not a metric.
#[derive(Debug, Default)]
struct State {
    /// The losses of rows that were predicted just before they were learned: their sum, and the latest ones.
    loss: f64,
    losses: VecDeque<f64>,
    /// Whether the service is ending, or learning has failed by a fault of this program.
    has_ended: bool,
    /// Why nothing is learned for some time.
    refused: Option<String>,
}

/// Registers a metric under its name.
fn add<M: Metric + Clone + Default>(all: &mut Registry, name: &str, help: &str) -> M {
    let metric = M::default();
    all.register(name, help, metric.clone());
    metric
}

impl Metrics {
    /// Declares all metrics.
    pub(super) fn new() -> Self {
        let mut registry = Registry::with_prefix("online_forests");
        // From an eighth of a millisecond, each bucket twice as long, to a minute.
        let histogram: fn() -> Histogram =
            || Histogram::new(exponential_buckets(0.000_125, 2.0, 20));
        let seconds = Family::new_with_constructor(histogram);
        let all = &mut registry;
        all.register(
            "request_seconds",
            "Time from head to reply, by route",
            seconds.clone(),
        );
        Self {
            prequential: add(
                all,
                "prequential",
                "Metric of rows just before they were learned",
            ),
            learned: add(all, "rows_learned", "Rows learned"),
            predicted: add(all, "rows_answered", "Rows predicted and not learned"),
            bad: add(all, "rows_bad", "Rows that could not be used"),
            left_out: add(all, "rows_left_out", "Rows left out: missing values"),
            forgotten: add(all, "rows_forgotten", "Rows forgotten"),
            samples_seen: add(all, "samples_seen", "Rows learned by the model in all"),
            unsaved: add(all, "rows_unsaved", "Rows learned and not saved"),
            checkpoints: add(all, "checkpoints", "Times the model was saved"),
            failed_checkpoints: add(all, "checkpoints_failed", "Failures to save the model"),
            nodes: add(all, "model_nodes", "Nodes of all trees"),
            stored_samples: add(all, "model_stored_samples", "Rows that the learner keeps"),
            model_bytes: add(all, "model_bytes", "Memory of one copy of the learner"),
            resident_bytes: add(all, "resident_bytes", "Memory of the process"),
            waiting: add(all, "waiting_requests", "Requests that wait to be learned"),
            class_rows: add(all, "class_rows", "Rows of each class that were learned"),
            changes: add(all, "change_row", "First row after the last change"),
            requests: add(all, "requests", "Requests by route and status"),
            seconds,
            registry,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request that was replied to.
    pub(super) fn count_request(&self, route: &str, status: u16, time: Duration) {
        let seconds = self.seconds.get_or_create(&[("route", route.to_owned())]);
        seconds.observe(time.as_secs_f64());
        let labels = [("route", route.to_owned()), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
    }

    /// Counts the rows of a request, of which some may have been learned. The first classes of a model are counted
    /// separately.
    pub(super) fn count_learned<T: TableTask>(&self, learned: &Learned<T>, classes: &[String]) {
        let rows = learned.targets.len() as u64;
        let outcomes = learned.outcomes.iter();
        let dropped = outcomes
            .filter(|it| matches!(it, Err(Unused::Dropped)))
            .count() as u64;
        let bad = learned.outcomes.len() as u64 - rows - dropped;
        self.learned.inc_by(rows);
        self.left_out.inc_by(dropped);
        self.bad.inc_by(bad);
        if rows + dropped == 0 {
            // The model does not count them either.
            return;
        }
        self.samples_seen.inc_by(rows as i64);
        self.unsaved.inc_by(learned.outcomes.len() as i64);
        let mut state = self.state();
        for (values, target) in learned.predictions.iter().zip(&learned.targets) {
            let loss = T::loss(values, *target);
            state.loss += loss;
            state.losses.truncate(WINDOW - 1);
            state.losses.push_front(loss);
            if let Some(class) = T::class(*target) {
                let name = classes.get(class).filter(|_| class < MOST_CLASSES);
                let name = name.map_or("other classes", String::as_str).to_owned();
                self.class_rows.get_or_create(&[("class", name)]).inc();
            }
        }
        let judged = self.learned.get();
        // A pass over the window, so that rounding errors do not accumulate.
        let recent = state.losses.iter().sum::<f64>() / state.losses.len().max(1) as f64;
        let overall = state.loss / judged.max(1) as f64;
        for (rows, loss) in [("all".to_owned(), overall), (WINDOW.to_string(), recent)] {
            let labels = [("metric", T::METRIC.to_owned()), ("rows", rows)];
            let value = if judged > 0 { T::metric(loss) } else { 0.0 };
            self.prequential.get_or_create(&labels).set(value);
        }
    }

    /// Counts an attempt to save the model.
    pub(super) fn count_checkpoint(&self, is_saved: bool) {
        if is_saved {
            self.checkpoints.inc();
            self.unsaved.set(0);
        } else {
            self.failed_checkpoints.inc();
        }
    }

    /// Measures the model, of which `unsaved` rows are not saved. Takes a pass over every tree.
    pub(super) fn measure<T: TableTask>(&self, model: &Model<T>, unsaved: u64) {
        let footprint = model.footprint();
        self.samples_seen.set(model.samples_seen() as i64);
        self.unsaved.set(unsaved as i64);
        self.nodes.set(footprint.nodes as i64);
        self.stored_samples.set(footprint.stored_samples as i64);
        self.model_bytes.set(footprint.bytes as i64);
        for member in model.members() {
            if let Some(row) = member.changed {
                let labels = [("member", member.name)];
                self.changes.get_or_create(&labels).set(row as i64);
            }
        }
    }

    /// Returns all metrics as OpenMetrics text.
    pub(super) fn text(&self) -> String {
        self.resident_bytes.set(resident_bytes() as i64);
        let mut all = String::new();
        text::encode(&mut all, &self.registry).expect("a string takes every text");
        all
    }

    /// Records that the service is ending, or that learning has failed by a fault of this program.
    pub(super) fn end(&self) {
        self.state().has_ended = true;
    }

    /// Records that rows are learned, or why not.
    pub(super) fn set_refused(&self, reason: Option<String>) {
        self.state().refused = reason;
    }

    /// Returns the reason why rows cannot be predicted, or not be learned, now and for some time.
    pub(super) fn fault(&self) -> Option<String> {
        let state = self.state();
        if state.has_ended {
            return Some("the service is ending, or learns no more".to_owned());
        }
        state.refused.clone()
    }
}
