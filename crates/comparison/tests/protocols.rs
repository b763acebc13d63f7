//! Which rows a learner sees, and when, recorded by a probe.

mod folded;
mod preprocessed;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use comparison::protocol::{Design, Order, Preprocessing, Splitting};
use comparison::record::{Measured, Outcome, Protocol, Record};
use comparison::{Comparison, Contender, Limits, Runner};
use datasets::{Dataset, OpenOptions, open};
use forest_core::{Batch, Footprint, OnlineLearner, Regression, Rows, Schema};

/// What happened to a learner, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Event {
    Built,
    Learned(f64),
    /// Rows are identified by their feature.
    Asked(f32),
}

type Events = Arc<Mutex<Vec<Event>>>;

/// A learner of two functions: of a row, its target and its number, and of a row to be predicted. It says how many bytes of each row it holds.
pub(crate) struct Own<L, P> {
    schema: Schema<Regression>,
    seen: u64,
    bytes: usize,
    learn: L,
    predict: P,
}

impl<L, P> Own<L, P>
where
    L: Fn(&[f32], f64, u64) + Send + Sync,
    P: Fn(&[f32]) -> f64 + Send + Sync,
{
    fn new(schema: Schema<Regression>, bytes: usize, learn: L, predict: P) -> Self {
        let seen = 0;
        Self {
            schema,
            seen,
            bytes,
            learn,
            predict,
        }
    }
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
        Footprint {
            bytes: self.bytes * self.seen as usize,
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

fn own(
    name: &str,
    bytes: usize,
    learn: fn(&[f32], f64, u64),
    predict: fn(&[f32]) -> f64,
) -> Contender {
    Contender::new(name, move |schema, _| {
        Ok(Own::new(schema, bytes, learn, predict))
    })
}

/// Holds a mebibyte a row.
fn greedy() -> Contender {
    own("greedy", 1 << 20, |_, _, _| {}, |_| 0.0)
}

/// Returns rows of which row `i` has feature `i` and target `i`.
fn numbered(rows: usize) -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("numbered.csv");
    let lines: String = (0..rows).map(|row| format!("{row},{row}\n")).collect();
    std::fs::write(&path, format!("x,y\n{lines}")).unwrap();
    let options = OpenOptions {
        task: Some(datasets::TaskKind::Regression),
        ..OpenOptions::default()
    };
    open(path.to_str().unwrap(), &options).unwrap()
}

/// Returns the part of a data set that a probe sees.
fn events(data: &Dataset, protocol: Protocol, design: &Design) -> Vec<Event> {
    let events = Events::default();
    let own = events.clone();
    let probe = Contender::new("probe", move |schema, _| {
        let note = |events: &Events, event| events.lock().unwrap().push(event);
        note(&own, Event::Built);
        let (learned, asked) = (own.clone(), own.clone());
        let learn = move |_: &[f32], target, _| note(&learned, Event::Learned(target));
        let predict = move |row: &[f32]| {
            note(&asked, Event::Asked(row[0]));
            0.0
        };
        Ok(Own::new(schema, 0, learn, predict))
    });
    let records = run(data, protocol, design, &[probe]);
    measured(&records[0]);
    let events = events.lock().unwrap();
    events.clone()
}

fn run(
    data: &Dataset,
    protocol: Protocol,
    design: &Design,
    algorithms: &[Contender],
) -> Vec<Record> {
    let comparison = Comparison::new(data, protocol, algorithms, design).unwrap();
    Runner::new(3, 1).records(&[comparison])
}

fn measured(record: &Record) -> &Measured {
    match &record.outcome {
        Outcome::Measured(measured) => measured,
        Outcome::Failed { error } => panic!("{}: {error}", record.label),
    }
}

#[test]
fn k_fold_tests_every_row_once_and_by_a_learner_that_has_not_seen_it() {
    let (data, folds) = (numbered(23), 4);
    let design = Design {
        folds,
        ..Design::default()
    };
    let events = events(&data, Protocol::KFold, &design);
    let learners: Vec<&[Event]> = events
        .split(|event| *event == Event::Built)
        .skip(1)
        .collect();
    assert_eq!(learners.len(), folds);
    let mut all = Vec::new();
    for events in learners {
        let learned = events.iter().filter_map(|event| match event {
            Event::Learned(target) => Some(*target as usize),
            _ => None,
        });
        let asked = events.iter().filter_map(|event| match event {
            Event::Asked(row) => Some(*row as usize),
            _ => None,
        });
        let (learned, asked): (Vec<_>, Vec<_>) = (learned.collect(), asked.collect());
        assert_eq!(learned.len() + asked.len(), 23);
        assert!(asked.iter().all(|row| !learned.contains(row)));
        all.extend(asked);
    }
    all.sort_unstable();
    assert_eq!(all, (0..23).collect::<Vec<_>>());
}

#[test]
fn a_label_is_learned_after_as_many_rows_as_it_is_late() {
    let data = numbered(60);
    for delay in [0, 1, 7, 58] {
        let design = Design {
            delay,
            ..Design::default()
        };
        let expected = (0..60).flat_map(|row: usize| {
            let arrived = row.checked_sub(delay).map(|row| Event::Learned(row as f64));
            let asked = (row > delay).then_some(Event::Asked(row as f32));
            asked.into_iter().chain(arrived)
        });
        let events = events(&data, Protocol::Delayed, &design);
        assert_eq!(events[1..], expected.collect::<Vec<_>>(), "delay {delay}");
    }
}

#[test]
fn labels_that_are_not_late_give_the_bits_of_the_prequential_protocol() {
    let options = OpenOptions::default();
    for (address, names) in [
        (
            "gaussian-mixture:n=300,test=0",
            ["mondrian", "boundary-forest", "majority"],
        ),
        ("friedman:n=300,test=0", ["mondrian", "stream-rf", "mean"]),
    ] {
        let data = open(address, &options).unwrap();
        let algorithms: Vec<Contender> = names.map(|name| name.parse().unwrap()).into();
        let design = |delay| Design {
            delay,
            order: Some(Order::Shuffled),
            ..Design::default()
        };
        let prequential = run(&data, Protocol::Prequential, &design(0), &algorithms);
        let delayed = run(&data, Protocol::Delayed, &design(0), &algorithms);
        let late = run(&data, Protocol::Delayed, &design(50), &algorithms);
        for ((a, b), late) in prequential.iter().zip(&delayed).zip(&late) {
            let ((a, b), late) = ((measured(a), measured(b)), measured(late));
            assert_eq!((a.value, &a.metrics), (b.value, &b.metrics));
            let curves = (a.curve.as_ref().unwrap(), b.curve.as_ref().unwrap());
            assert_eq!(curves.0.windowed, curves.1.windowed);
            assert_ne!(a.metrics, late.metrics);
        }
    }
}

/// More test rows than are predicted at a time.
#[test]
fn a_large_test_part_is_compared_with_its_own_targets() {
    let perfect = [own("perfect", 0, |_, _, _| {}, |row| f64::from(row[0]))];
    for protocol in [Protocol::Holdout, Protocol::KFold] {
        let records = run(&numbered(9000), protocol, &Design::default(), &perfect);
        assert_eq!(measured(&records[0]).value, 0.0, "{protocol}");
    }
}

/// Seven rows in two folds: one learner holds three rows, the other four.
#[test]
fn the_size_of_folds_is_their_mean() {
    let greedy = [greedy()];
    let design = Design {
        folds: 2,
        ..Design::default()
    };
    let bytes = |rows: usize, design: &Design, protocol| {
        let records = run(&numbered(rows), protocol, design, &greedy);
        measured(&records[0]).model_bytes.unwrap()
    };
    // What it holds of no rows is the same in all runs.
    let frame = bytes(8, &design, Protocol::KFold) - (4 << 20);
    assert_eq!(bytes(7, &design, Protocol::KFold), (7 << 19) + frame);
}

#[test]
fn a_repeated_split_is_another_one_for_every_seed_where_a_standard_one_exists_too() {
    let data = open("friedman:n=80,test=20", &OpenOptions::default()).unwrap();
    let values = |splitting| {
        let design = Design {
            splitting,
            ..Design::default()
        };
        let algorithms = ["mean".parse().unwrap()];
        let comparison = Comparison::new(&data, Protocol::Holdout, &algorithms, &design).unwrap();
        let records = Runner::new(1, 2).records(&[comparison]);
        let tested = records[0].setting.n_test;
        (
            tested,
            [0, 1].map(|run: usize| measured(&records[run]).value),
        )
    };
    let (tested, [first, second]) = values(Splitting::Standard);
    assert!(tested == 20 && first == second);
    let (tested, [first, second]) = values(Splitting::Repeated);
    assert!(tested == 30 && first != second);
}

#[test]
fn every_metric_of_the_task_is_in_the_record_and_the_main_one_is_its_value() {
    let data = open("friedman:n=200,test=100", &OpenOptions::default()).unwrap();
    let algorithms = ["mean", "mondrian-2016"].map(|name| name.parse().unwrap());
    let records = run(&data, Protocol::Holdout, &Design::default(), &algorithms);
    let [mean, gaussian] = [0, 1].map(|run: usize| measured(&records[run]));
    assert_eq!(mean.metrics["rmse"], mean.value);
    assert_eq!(
        mean.metrics.keys().collect::<Vec<_>>(),
        ["faded_rmse", "mae", "r2", "rmse"]
    );
    assert!(gaussian.metrics["width_90"] > 0.0);
    assert!((0.5..=1.0).contains(&gaussian.metrics["coverage_90"]));
    assert!(mean.standard_errors["rmse"] > 0.0);
}

#[test]
fn a_run_that_panics_or_takes_too_much_is_a_record_and_the_others_continue() {
    let data = numbered(2000);
    let algorithms = [
        own(
            "faulty",
            0,
            |_, _, seen| assert!(seen < 10, "the tenth row"),
            |_| 0.0,
        ),
        greedy(),
        own(
            "slow",
            0,
            |_, _, _| std::thread::sleep(Duration::from_millis(1)),
            |_| 0.0,
        ),
        "mean".parse().unwrap(),
    ];
    for protocol in [Protocol::Holdout, Protocol::Prequential] {
        let design = Design::default();
        let comparison = Comparison::new(&data, protocol, &algorithms, &design).unwrap();
        let limits = Limits {
            bytes: Some(100 << 20),
            time: Some(Duration::from_millis(500)),
        };
        let runner = Runner {
            limits,
            ..Runner::new(1, 1)
        };
        let records = runner.records(&[comparison]);
        let said: Vec<&str> = records
            .iter()
            .map(|record| match &record.outcome {
                Outcome::Failed { error } => error.as_str(),
                Outcome::Measured(_) => "",
            })
            .collect();
        assert_eq!(said[0], "panicked: the tenth row");
        assert!(
            said[1].contains("more than the memory limit (100.00 MiB)"),
            "{said:?}"
        );
        assert!(
            said[2].contains("more than the time limit (0.5 s)"),
            "{said:?}"
        );
        assert_eq!(said[3], "");
    }
}

/// Of a stream, the first row is nobody's: its error would be 1000 for every learner.
#[test]
fn rows_before_anything_is_learned_are_not_scored() {
    let values = (0..60).map(|row| 1000.0 + f64::from(row % 2)).collect();
    let noise_free = None;
    let target = datasets::Target::Values { values, noise_free };
    let rows = ndarray::Array2::from_shape_fn((60, 1), |(row, _)| row as f32);
    let data = Dataset::in_memory("far", rows, vec!["x".to_owned()], target).unwrap();
    for protocol in [
        Protocol::Prequential,
        Protocol::Delayed,
        Protocol::PrequentialKFold,
    ] {
        let design = Design {
            folds: 3,
            delay: 25,
            ..Design::default()
        };
        let contenders = ["mean", "no-change"].map(|name| name.parse().unwrap());
        for record in run(&data, protocol, &design, &contenders) {
            let measured = measured(&record);
            assert!(measured.value <= 1.0, "{protocol}: {}", measured.value);
            let curve = measured.curve.as_ref().unwrap();
            assert!(curve.windowed.iter().all(|value| *value <= 1.0));
            assert_eq!(curve.rows.last(), Some(&60));
        }
    }
}

/// Values that are there are scaled, those that are not stay; who takes none is left out, and baselines stay.
#[test]
fn missing_values_are_for_those_who_take_them() {
    let value = |row: usize, column: usize| match (row + column) % 5 {
        0 => f32::NAN,
        _ => (row * (column + 3) % 17) as f32,
    };
    let rows = ndarray::Array2::from_shape_fn((80, 2), |(row, column)| value(row, column));
    let classes = (0..80).map(|row| (row % 3 == 0).to_string()).collect();
    let target = datasets::Target::classes(classes).unwrap();
    let names = ["a", "b"].map(str::to_owned).to_vec();
    let data = Dataset::in_memory("holes", rows, names, target).unwrap();
    let design = Design {
        preprocessing: Preprocessing {
            scaling: tables::preprocessing::FeatureScaling::Minmax,
            ..Preprocessing::default()
        },
        ..Design::default()
    };
    let names = ["residual-forest", "mondrian", "majority", "batch-urtf"];
    let contenders = names.map(|name| name.parse::<Contender>().unwrap());
    for protocol in [Protocol::Holdout, Protocol::Prequential] {
        let records = run(&data, protocol, &design, &contenders);
        let labels: Vec<&str> = records.iter().map(|run| run.label.as_str()).collect();
        assert_eq!(labels, ["residual-forest", "majority"]);
        for record in &records {
            assert!(measured(record).value > 0.4, "{}", record.label);
        }
    }
    let said = comparison::remarks(&[data], &contenders, &[Protocol::Holdout], &design);
    let is_left_out = |remark: &&String| remark.contains("takes no missing values");
    assert_eq!(said.iter().filter(is_left_out).count(), 2, "{said:?}");
}
