//! The numbers of `/metrics`: each is declared once, with its name and help, and updated in place.

use std::collections::VecDeque;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use forest_model::{Metric, Model, TableTask};
use online_forests::OnlineLearner as _;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::{Metric as Registered, Registry};

/// The number of rows of the recent metric.
const WINDOW: usize = 1000;

/// The number of classes that are counted separately; the others are counted together.
const MOST_CLASSES: usize = 50;

/// Bucket limits: from an eighth of a millisecond, each twice as long, to a minute.
const FIRST_BUCKET: f64 = 0.000_125;
const BUCKETS: u16 = 20;

type Labels<const N: usize> = [(&'static str, String); N];
type Number = Gauge<f64, AtomicU64>;

/// Numbers of the service, its model and its requests.
#[derive(Debug)]
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Labels<2>, Counter>,
    seconds: Family<Labels<1>, Histogram, fn() -> Histogram>,
    learned: Counter,
    predicted: Counter,
    pub(super) bad: Counter,
    left_out: Counter,
    pub(super) forgotten: Counter,
    checkpoints: Counter,
    failed_checkpoints: Counter,
    samples_seen: Gauge,
    unsaved: Gauge,
    judged: Gauge,
    nodes: Gauge,
    stored_samples: Gauge,
    model_bytes: Gauge,
    resident_bytes: Gauge,
    pub(super) waiting: Gauge,
    metric: Metric,
    judged_losses: Mutex<Losses>,
    prequential: Family<Labels<2>, Number>,
    class_rows: Family<Labels<1>, Gauge>,
    changes: Family<Labels<1>, Gauge>,
}

/// The losses of rows that were predicted just before they were learned.
#[derive(Debug, Default)]
struct Losses {
    rows: u64,
    total: f64,
    /// The latest ones.
    recent: VecDeque<f64>,
}

impl Losses {
    fn add(&mut self, losses: &[f64]) {
        for loss in losses {
            self.rows += 1;
            self.total += loss;
            self.recent.truncate(WINDOW - 1);
            self.recent.push_front(*loss);
        }
    }
}

/// Registers metrics under their names.
struct Declared(Registry);

impl Declared {
    fn add<M: Registered + Default + Clone>(&mut self, name: &str, help: &str) -> M {
        self.keep(name, help, M::default())
    }

    fn keep<M: Registered + Clone>(&mut self, name: &str, help: &str, metric: M) -> M {
        self.0.register(name, help, metric.clone());
        metric
    }
}

impl Metrics {
    /// Declares all metrics, of a model that is judged by `metric`.
    pub(super) fn new(metric: Metric) -> Self {
        let mut all = Declared(Registry::with_prefix("online_forests"));
        let histogram: fn() -> Histogram =
            || Histogram::new(exponential_buckets(FIRST_BUCKET, 2.0, BUCKETS));
        let seconds = Family::new_with_constructor(histogram);
        Self {
            metric,
            judged_losses: Mutex::default(),
            prequential: all.add("prequential", "Metric of predictions made just before their rows were learned, over all rows and over the latest"),
            learned: all.add("rows_learned", "Rows learned"),
            predicted: all.add("rows_answered", "Rows predicted, besides those that were learned"),
            bad: all.add("rows_bad", "Rows that could not be predicted or learned"),
            left_out: all.add("rows_left_out", "Rows not learned because a value was missing"),
            forgotten: all.add("rows_forgotten", "Rows forgotten"),
            judged: all.add("rows_judged", "Rows predicted just before they were learned"),
            samples_seen: all.add("samples_seen", "Rows that the model has learned in all"),
            unsaved: all.add("rows_unsaved", "Rows learned since the model was saved"),
            checkpoints: all.add("checkpoints", "Times the model was saved"),
            failed_checkpoints: all.add("checkpoints_failed", "Times the model could not be saved"),
            nodes: all.add("model_nodes", "Nodes of all trees"),
            stored_samples: all.add("model_stored_samples", "Rows that the learner keeps"),
            model_bytes: all.add("model_bytes", "Memory of one copy of the learner"),
            resident_bytes: all.add("resident_bytes", "Memory of the process"),
            waiting: all.add("waiting_requests", "Requests that wait to be learned"),
            class_rows: all.add("class_rows", "Rows of each class that were learned"),
            changes: all.add("change_row", "First row after the last change of the stream that a member has found"),
            requests: all.add("requests", "Requests by route and status"),
            seconds: all.keep("request_seconds", "Time from the head of a request to its reply, by route", seconds),
            registry: all.0,
        }
    }

    /// Counts a request that was replied to.
    pub(super) fn count_request(&self, route: &str, status: u16, time: Duration) {
        let route = || ("route", route.to_owned());
        let labels = [route(), ("status", status.to_string())];
        self.requests.get_or_create(&labels).inc();
        let seconds = self.seconds.get_or_create(&[route()]);
        seconds.observe(time.as_secs_f64());
    }

    /// Counts predicted rows, of which `bad` could not be.
    pub(super) fn count_predicted(&self, rows: usize, bad: usize) {
        self.predicted.inc_by((rows - bad) as u64);
        self.bad.inc_by(bad as u64);
    }

    /// Counts learned rows by their losses, and the rows of a request that were not learned.
    pub(super) fn count_learned(&self, losses: &[f64], left_out: u64, bad: u64) {
        let rows = losses.len() as u64;
        self.learned.inc_by(rows);
        self.left_out.inc_by(left_out);
        self.bad.inc_by(bad);
        self.samples_seen.inc_by(rows as i64);
        self.unsaved.inc_by((rows + left_out + bad) as i64);
        let mut judged = self
            .judged_losses
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        judged.add(losses);
        self.judged.set(judged.rows as i64);
        // A pass over the window, so that rounding errors do not accumulate.
        let recent = judged.recent.iter().sum::<f64>() / judged.recent.len().max(1) as f64;
        let overall = judged.total / judged.rows.max(1) as f64;
        for (rows, loss) in [("all".to_owned(), overall), (WINDOW.to_string(), recent)] {
            let labels = [("metric", self.metric.name().to_owned()), ("rows", rows)];
            let value = if judged.rows > 0 {
                self.metric.of(loss)
            } else {
                0.0
            };
            self.prequential.get_or_create(&labels).set(value);
        }
    }

    /// Counts a learned row of a class. The first classes of a model are counted separately.
    pub(super) fn count_class(&self, class: usize, names: &[String]) {
        let name = names.get(class).filter(|_| class < MOST_CLASSES);
        let name = name.map_or("other classes", String::as_str);
        self.class_rows
            .get_or_create(&[("class", name.to_owned())])
            .inc();
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
        self.resident_bytes.set(resident_bytes());
        let mut all = String::new();
        text::encode(&mut all, &self.registry).expect("a string takes every text");
        all
    }
}

/// Returns the memory of this process in bytes; 0 if the system does not report it (Linux does).
fn resident_bytes() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    kilobytes.map_or(0, |text| text.parse().unwrap_or(0) * 1024)
}
