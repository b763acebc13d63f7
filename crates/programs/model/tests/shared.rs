//! A forest that learns while threads ask it.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use forest_model::shared::{Reader, Writer};
use ndarray::{Array2, ArrayView2, s};
use online_forests::{Algorithm, AnyRegressor, ForestSettings, OnlineLearner, Regression, Schema};

const BATCH: usize = 50;
const BATCHES: usize = 20;

fn rows() -> (Array2<f32>, Vec<f64>) {
    let features = Array2::from_shape_fn((BATCH * BATCHES, 2), |(row, column)| {
        ((row * [37, 53][column]) % 101) as f32 / 101.0
    });
    let targets = features.rows().into_iter();
    let targets = targets.map(|row| f64::from(row[0] * row[1])).collect();
    (features, targets)
}

fn forest() -> AnyRegressor {
    let trees = ForestSettings::default().with_trees(5).with_seed(3);
    let algorithm: Algorithm = "mondrian:budget=10".parse().unwrap();
    let forest = algorithm.build::<Regression>(Schema::new(2).unwrap(), trees);
    forest.unwrap()
}

fn batches<'a>(
    features: &'a Array2<f32>,
    targets: &'a [f64],
) -> impl Iterator<Item = (ArrayView2<'a, f32>, &'a [f64])> {
    let part = |batch: usize| batch * BATCH..(batch + 1) * BATCH;
    (0..BATCHES).map(move |batch| (features.slice(s![part(batch), ..]), &targets[part(batch)]))
}

/// Returns predictions after every number of batches, of a forest that is not shared.
fn expected(features: &Array2<f32>, targets: &[f64]) -> Vec<Array2<f64>> {
    let mut forest = forest();
    let questions = features.slice(s![..20, ..]);
    let mut predictions = vec![forest.predict(questions).unwrap()];
    for (features, targets) in batches(features, targets) {
        forest.learn(features, targets).unwrap();
        predictions.push(forest.predict(questions).unwrap());
    }
    predictions
}

/// Predicts until it is stopped; every prediction must be that after a whole number of batches, and not older than the
/// previous one.
fn ask(
    reader: &Reader<AnyRegressor>,
    questions: ArrayView2<'_, f32>,
    expected: &[Array2<f64>],
    asked: &AtomicUsize,
    stop: &AtomicBool,
) {
    let mut before = 0;
    while !stop.load(Ordering::Relaxed) {
        let model = reader.model();
        let seen = model.samples_seen() as usize;
        assert!(seen.is_multiple_of(BATCH) && seen >= before);
        assert_eq!(model.predict(questions).unwrap(), expected[seen / BATCH]);
        before = seen;
        asked.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn every_prediction_is_that_of_the_forest_after_whole_batches() {
    let (features, targets) = rows();
    let expected = expected(&features, &targets);
    let mut writer = Writer::new(forest());
    let reader = writer.reader().clone();
    let asked = AtomicUsize::new(0);
    let stop = AtomicBool::new(false);
    let questions = features.slice(s![..20, ..]);
    thread::scope(|scope| {
        let ask = || ask(&reader, questions, &expected, &asked, &stop);
        let readers = [scope.spawn(ask), scope.spawn(ask), scope.spawn(ask)];
        for (features, targets) in batches(&features, &targets) {
            let learned = writer.update(|forest| forest.learn(features, targets));
            learned.unwrap();
            // Wait for at least one prediction between two batches, unless a reader has failed.
            let before = asked.load(Ordering::Relaxed);
            while asked.load(Ordering::Relaxed) == before
                && !readers.iter().any(thread::ScopedJoinHandle::is_finished)
            {
                thread::yield_now();
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert_eq!(
        reader.model().predict(questions).unwrap(),
        expected[BATCHES]
    );
    assert!(asked.into_inner() >= BATCHES);
}

#[test]
fn a_reader_predicts_in_the_middle_of_a_batch() {
    let mut writer = Writer::new(0);
    let reader = writer.reader().clone();
    let begun = Barrier::new(2);
    let predicted = Barrier::new(2);
    thread::scope(|scope| {
        scope.spawn(|| {
            begun.wait();
            assert_eq!(*reader.model(), 0);
            predicted.wait();
        });
        let mut first = true;
        let change = |value: &mut i32| -> Result<(), Infallible> {
            if std::mem::take(&mut first) {
                begun.wait();
                predicted.wait();
            }
            *value += 1;
            Ok(())
        };
        writer.update(change).unwrap();
    });
    assert_eq!(*reader.model(), 1);
}

/// A change that failed halfway is in neither copy: not in the one that readers have, nor, after the
/// next changes, in the one that had it. Sees a refused change that is kept, without loom.
#[test]
fn a_change_that_is_refused_half_done_is_undone_in_both_copies() {
    let mut writer = Writer::new(vec![1]);
    let reader = writer.reader().clone();
    let mut expected = vec![1];
    for value in 2..6 {
        let refused = writer.update(|values| {
            values.push(-value);
            Err("refused")
        });
        assert_eq!(refused, Err("refused"));
        assert_eq!(*reader.model(), expected);
        let change = |values: &mut Vec<i32>| -> Result<(), Infallible> {
            values.push(value);
            Ok(())
        };
        writer.update(change).unwrap();
        expected.push(value);
        assert_eq!(*reader.model(), expected);
    }
}

#[test]
fn readers_survive_a_writer_that_panics() {
    for panics_at in [1, 2] {
        let mut writer = Writer::new(vec![1]);
        let reader = writer.reader().clone();
        let mut applied = 0;
        let change = |values: &mut Vec<i32>| -> Result<(), Infallible> {
            applied += 1;
            values.push(2);
            assert!(
                applied != panics_at,
                "the change panics where the test requests it"
            );
            Ok(())
        };
        catch_unwind(AssertUnwindSafe(|| writer.update(change))).unwrap_err();
        let whole: &[i32] = if panics_at == 1 { &[1] } else { &[1, 2] };
        assert_eq!(*reader.model(), whole);
    }
}
