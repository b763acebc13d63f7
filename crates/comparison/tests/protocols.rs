//! Which rows a learner sees, when, and with which features, recorded by a probe; and what becomes of runs.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use comparison::protocol::{Design, Order, Protocol};
use comparison::record::{Measured, Outcome, Record};
use comparison::{
    Comparison, Contender, Model, OwnBuild, Runner, Time, Training, charge, comparisons,
};
use datasets::{Dataset, Target, open};
use forest_core::{Batch, Footprint, OnlineLearner, Regression, Rows, Schema};
use ndarray::{Array2, ArrayView2};

/// What happened to a learner, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Learned(f64),
    /// Rows are identified by their feature.
    Asked(f32),
}

/// A learner of two functions: of a row, its target and its number, and of a row to be predicted. It says how many
/// bytes of each row it holds.
struct Own<L, P> {
    schema: Schema<Regression>,
    seen: u64,
    bytes: usize,
    learn: L,
    predict: P,
}

impl<L, P> OnlineLearner for Own<L, P>
where
    L: Fn(&[f32], f64, u64) + Send + Sync,
    P: Fn(&[f32]) -> f64 + Send + Sync,
{
    type Task = Regression;

    fn schema(&self) -> &Schema<Regression> {
        &self.schema
    }

    fn samples_seen(&self) -> u64 {
        self.seen
    }

    fn footprint(&self) -> Footprint {
        let bytes = self.bytes * self.seen as usize;
        Footprint {
            bytes,
            ..Footprint::default()
        }
    }

    fn learn_batch(&mut self, batch: &Batch<'_, Regression>) {
        for (row, target) in batch.iter() {
            self.seen += 1;
            (self.learn)(row, target, self.seen);
        }
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        // Before it has learned a row, it is not asked.
        let asked = rows.iter().zip(predictions).filter(|_| self.seen > 0);
        asked.for_each(|(row, prediction)| *prediction = (self.predict)(row));
    }
}

fn own<L, P>(name: &str, bytes: usize, learn: L, predict: P) -> Contender
where
    L: Fn(&[f32], f64, u64) + Clone + Send + Sync + 'static,
    P: Fn(&[f32]) -> f64 + Clone + Send + Sync + 'static,
{
    Contender::new(name, move |schema, _| {
        Ok(Own {
            schema,
            seen: 0,
            bytes,
            learn: learn.clone(),
            predict: predict.clone(),
        })
    })
}

/// Holds a mebibyte a row.
fn greedy() -> Contender {
    own("greedy", 1 << 20, |_, _, _| {}, |_| 0.0)
}

/// Returns rows in memory, a target each.
fn dataset(
    rows: usize,
    columns: usize,
    value: impl Fn(usize, usize) -> f32,
    values: Vec<f64>,
) -> Dataset {
    let features = Array2::from_shape_fn((rows, columns), |(row, column)| value(row, column));
    let names = (0..columns).map(|column| format!("x{column}")).collect();
    let target = Target::Values {
        values,
        noise_free: None,
    };
    Dataset::in_memory("rows", features, names, target).unwrap()
}

/// Returns rows of which row `i` has feature `i` and target `i`.
fn numbered(rows: usize) -> Dataset {
    let targets = (0..rows).map(|row| row as f64).collect();
    dataset(rows, 1, |row, _| row as f32, targets)
}

/// Returns what happened to a learner.
fn events(data: &Dataset, protocol: Protocol, design: &Design) -> Vec<Event> {
    let events = Arc::<Mutex<Vec<Event>>>::default();
    let learned = events.clone();
    let learn = move |_: &[f32], target, _| learned.lock().unwrap().push(Event::Learned(target));
    let asked = events.clone();
    let predict = move |row: &[f32]| {
        asked.lock().unwrap().push(Event::Asked(row[0]));
        0.0
    };
    measured(&run(data, protocol, design, &[own("probe", 0, learn, predict)])[0]);
    let events = events.lock().unwrap();
    events.clone()
}

fn run(
    data: &Dataset,
    protocol: Protocol,
    design: &Design,
    contenders: &[Contender],
) -> Vec<Record> {
    let comparison = Comparison::new(data, protocol, contenders, design).unwrap();
    Runner::new(3, 1).records(&[comparison])
}

fn measured(record: &Record) -> &Measured {
    match &record.outcome {
        Outcome::Measured(measured) => measured,
        Outcome::Failed { error } => panic!("{}: {error}", record.label),
    }
}

fn design(change: impl FnOnce(&mut Design)) -> Design {
    let mut design = Design::default();
    change(&mut design);
    design
}

fn named<const N: usize>(names: [&str; N]) -> [Contender; N] {
    names.map(|name| name.parse().unwrap())
}

#[test]
fn a_label_is_learned_after_as_many_rows_as_it_is_late() {
    for delay in [0, 1, 7, 58] {
        let design = design(|it| it.delay = Some(delay));
        let expected = (0..60).flat_map(|row: usize| {
            let arrived = row.checked_sub(delay).map(|row| Event::Learned(row as f64));
            let asked = (row > delay).then_some(Event::Asked(row as f32));
            asked.into_iter().chain(arrived)
        });
        let events = events(&numbered(60), Protocol::Delayed, &design);
        assert_eq!(events, expected.collect::<Vec<_>>(), "delay {delay}");
    }
}

#[test]
fn labels_that_are_not_late_give_the_bits_of_the_prequential_protocol() {
    let names = ["mondrian", "boundary-forest", "majority"];
    for (address, names) in [
        ("gaussian-mixture:n=300,test=0", names),
        ("friedman:n=300,test=0", ["mondrian", "stream-rf", "mean"]),
    ] {
        let data = open(address, &Default::default()).unwrap();
        let of = |protocol, delay| {
            let design = Design {
                delay: Some(delay),
                order: Some(Order::Shuffled),
                ..Design::default()
            };
            run(&data, protocol, &design, &named(names))
        };
        let prequential = of(Protocol::Prequential, 0);
        let late = of(Protocol::Delayed, 50);
        for ((a, b), late) in prequential.iter().zip(&of(Protocol::Delayed, 0)).zip(&late) {
            let [a, b, late] = [a, b, late].map(measured);
            assert_eq!((a.value, &a.metrics), (b.value, &b.metrics));
            let [one, other] = [a, b].map(|run| &run.curve.as_ref().unwrap().windowed);
            assert_eq!(one, other);
            assert_ne!(a.metrics, late.metrics);
        }
    }
}

/// More test rows than the 4,000 that are predicted at a time: 4,200, and folds of 7,000.
#[test]
fn a_large_test_part_is_compared_with_its_own_targets() {
    let perfect = [own("perfect", 0, |_, _, _| {}, |row| f64::from(row[0]))];
    let design = design(|it| it.folds = Some(2));
    for protocol in [Protocol::Holdout, Protocol::KFold] {
        let records = run(&numbered(14_000), protocol, &design, &perfect);
        assert_eq!(measured(&records[0]).value, 0.0, "{protocol}");
    }
}

#[test]
fn the_size_of_folds_is_their_mean() {
    let design = design(|it| it.folds = Some(3));
    let growing = [own("growing", 100, |_, _, _| {}, |_| 0.0)];
    let records = run(&numbered(11), Protocol::KFold, &design, &growing);
    // Folds of 3, 4 and 4 rows leave 8, 7 and 7.
    assert_eq!(measured(&records[0]).model_bytes, Some(2200 / 3));
}

#[test]
fn a_run_that_panics_or_takes_too_much_is_a_record_and_the_others_continue() {
    let data = numbered(2000);
    let [mean] = named(["mean"]);
    let faulty = |_: &[f32], _, seen| assert!(seen < 10, "the tenth row");
    let contenders = [own("faulty", 0, faulty, |_| 0.0), greedy(), mean];
    // The limit is shorter than a row, and only this learner runs under it: others may have to wait for a core.
    let sleep = |_: &[f32], _, _| std::thread::sleep(Duration::from_millis(2));
    let slow = [own("slow", 0, sleep, |_| 0.0)];
    for protocol in [Protocol::Holdout, Protocol::Prequential] {
        let records = |contenders: &[Contender], limit| {
            let design = Design::default();
            let comparison = Comparison::new(&data, protocol, contenders, &design).unwrap();
            let mut runner = Runner::new(1, 1);
            runner.request.max_memory = Some(100 << 20);
            runner.request.time_limit = limit;
            runner.records(&[comparison])
        };
        let measured = records(&contenders, None);
        assert!(!measured[2].failed());
        let slow = &records(&slow, Some(0.001))[0];
        for (record, expected) in [
            (&measured[0], "panicked: the tenth row"),
            (&measured[1], "more than the memory limit (100.00 MiB)"),
            (slow, "more than the time limit (0.001 s)"),
        ] {
            let Outcome::Failed { error } = &record.outcome else {
                panic!("{} did not fail", record.label);
            };
            assert!(error.contains(expected), "{error}");
        }
    }
}

/// The error of the first row of this stream would be 1000 for every learner.
#[test]
fn rows_before_anything_is_learned_are_not_scored() {
    let values = (0..60).map(|row| 1000.0 + f64::from(row % 2)).collect();
    let data = dataset(60, 1, |row, _| row as f32, values);
    use Protocol::{Delayed, Prequential, PrequentialKFold};
    for protocol in [Prequential, Delayed, PrequentialKFold] {
        let design = Design {
            folds: Some(3),
            delay: Some(25),
            ..Design::default()
        };
        for record in run(&data, protocol, &design, &named(["mean", "no-change"])) {
            let measured = measured(&record);
            assert!(measured.value <= 1.0, "{protocol}: {}", measured.value);
            let curve = measured.curve.as_ref().unwrap();
            assert!(curve.windowed.iter().all(|value| *value <= 1.0));
            assert_eq!(curve.rows.last(), Some(&60));
        }
    }
}

/// Known values are scaled and missing ones stay missing; baselines take part, as they ignore features.
#[test]
fn learners_that_do_not_take_missing_values_are_left_out_with_a_remark() {
    let value = |row: usize, column: usize| match (row + column) % 5 {
        0 => f32::NAN,
        _ => (row * (column + 3) % 17) as f32,
    };
    let mut data = dataset(80, 2, value, (0..80).map(f64::from).collect());
    data.target = Target::classes((0..80).map(|row| (row % 3 == 0).to_string()).collect()).unwrap();
    let scaling = tables::preprocessing::FeatureScaling::Minmax;
    let design = design(|it| it.preprocessing.scaling = scaling);
    let contenders = named(["residual-forest", "mondrian", "majority", "batch-urtf"]);
    for protocol in [Protocol::Holdout, Protocol::Prequential] {
        let records = run(&data, protocol, &design, &contenders);
        let labels: Vec<&str> = records.iter().map(|run| run.label.as_str()).collect();
        assert_eq!(labels, ["residual-forest", "majority"]);
        assert!(records.iter().all(|record| measured(record).value > 0.4));
    }
    let error = Comparison::new(&data, Protocol::Holdout, &contenders[1..2], &design).unwrap_err();
    let words = "no listed algorithm can learn `rows` (`mondrian` takes no missing values and no categories)";
    assert!(error.to_string().contains(words), "{error}");
    let said = comparison::remarks(&[data], &contenders, &[Protocol::Holdout], &design);
    let is_left_out = |remark: &&String| remark.contains("takes no missing values");
    assert_eq!(said.iter().filter(is_left_out).count(), 2, "{said:?}");
}

/// A caller's own learner of the mean, which sees all training rows at once, and says that it takes two seconds to fit
/// and three to predict.
#[test]
fn an_own_offline_learner_takes_part_where_rows_are_held_out_and_its_time_is_what_it_measured() {
    let data = ["friedman:n=300,test=100", "sea:n=100"];
    let data = data.map(|address| open(address, &Default::default()).unwrap());
    let seconds = |wall| Time {
        wall: Duration::from_secs(wall),
        processor: Duration::from_secs(2 * wall),
    };
    let fit = move |training: &Training<'_, Regression>, _: forest_core::ForestSettings| {
        charge(seconds(2));
        let mean = training.targets.iter().sum::<f64>() / training.targets.len() as f64;
        let predict = move |rows: ArrayView2<'_, f32>| {
            [1, 2].map(seconds).into_iter().for_each(charge);
            Ok(Array2::from_elem((rows.nrows(), 1), mean))
        };
        Ok(Model::new(predict, 0, None))
    };
    let own = Contender::own("own mean").with(OwnBuild::Offline(Arc::new(fit)));
    let contenders = [own, "mean".parse().unwrap(), "majority".parse().unwrap()];
    let protocols = [Protocol::Holdout, Protocol::Prequential, Protocol::KFold];
    let planned = comparisons(&data, &contenders, &protocols, &Design::default()).unwrap();
    let records = Runner::new(3, 1).records(&planned);
    let of =
        |label: &str| -> Vec<&Record> { records.iter().filter(|run| run.label == label).collect() };
    let own = of("own mean");
    let protocols: Vec<Protocol> = own.iter().map(|run| run.setting.protocol).collect();
    assert_eq!(protocols, [Protocol::Holdout, Protocol::KFold]);
    assert!(own.iter().all(|run| run.offline));
    let own = measured(own[0]);
    let ours = measured(of("mean")[0]);
    assert!((own.value - ours.value).abs() < 1e-9 && ours.learn_seconds < 2.0);
    assert_eq!((own.learn_seconds, own.predict_seconds), (2.0, Some(3.0)));
    let processor = [own.learn_processor_seconds, own.predict_processor_seconds];
    assert_eq!(processor, [Some(4.0), Some(6.0)]);
}
