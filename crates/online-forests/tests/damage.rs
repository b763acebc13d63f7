//! Damaged and crafted snapshots: an error or a sound learner, never a panic, never a huge allocation.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use common::bytes::{crafted, payload_start};
use common::{every, learned};
use forest_core::TreeRng;
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::snapshot::{self, SnapshotError};
use online_forests::{AnyLearner, Classification, NamedTask, OnlineLearner, Regression};

/// A small snapshot of every algorithm.
fn snapshots<T: NamedTask + ConformanceTask>() -> Vec<Vec<u8>> {
    let full = [
        "mondrian:pause=never,max_nodes=9",
        "obsp:min_points=1,max_nodes=5",
    ];
    let full = full.map(|text| text.parse().unwrap());
    let algorithms = every::<T>().into_iter().chain(full);
    let learners = algorithms.map(|algorithm| learned::<T>(&algorithm, 12));
    let saved = |learner: AnyLearner<T>| snapshot::to_bytes(&learner).unwrap();
    learners.map(saved).collect()
}

fn open<T: NamedTask>(bytes: &[u8]) -> Result<AnyLearner<T>, SnapshotError> {
    snapshot::from_bytes(bytes)
}

fn every_truncation_is_an_error<T: NamedTask + ConformanceTask>() {
    for bytes in snapshots::<T>() {
        for length in 0..bytes.len() {
            let error = open::<T>(&bytes[..length]).unwrap_err();
            assert!(
                matches!(error, SnapshotError::Truncated { .. }),
                "{length}: {error}"
            );
        }
    }
}

fn every_flip_is_an_error<T: NamedTask + ConformanceTask>() {
    for bytes in snapshots::<T>() {
        for place in 0..bytes.len() {
            for flip in [1, 0x10, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[place] ^= flip;
                assert!(open::<T>(&damaged).is_err(), "byte {place} ^ {flip}");
            }
        }
    }
}

/// A learner that came out of a crafted file must answer and learn without a panic.
fn use_it<T: ConformanceTask>(mut learner: impl OnlineLearner<Task = T>) {
    let features = learner.schema().features();
    if features <= 64 && learner.schema().width() <= 4096 {
        let stream = Stream::<T>::uniform(30, features, 5);
        learner.predict(stream.features.view()).unwrap();
        // Refused, if the crafted schema knows fewer classes; never a panic.
        let _ = learner.learn(stream.features.view(), &stream.targets);
        learner.predict(stream.features.view()).unwrap();
    }
}

fn crafted_payloads_are_errors_or_sound<T: NamedTask + ConformanceTask>(rounds: usize) {
    let mut rng = TreeRng::new(1, 0);
    for bytes in snapshots::<T>() {
        let payload = payload_start(&bytes);
        for _ in 0..rounds {
            let crafted = crafted(&bytes, |content| vandalise(content, payload, &mut rng));
            if let Ok(learner) = open::<T>(&crafted) {
                use_it(learner);
            }
        }
    }
}

/// Overwrites one to three stretches of the payload with bytes that matter to a decoder.
fn vandalise(content: &mut [u8], payload: usize, rng: &mut TreeRng) {
    const TELLING: [u8; 12] = [0, 1, 2, 3, 127, 128, 250, 251, 252, 253, 254, 255];
    for _ in 0..1 + rng.below(3) {
        let place = payload + rng.below(content.len() - payload);
        let end = content.len().min(place + 1 + rng.below(9));
        for byte in &mut content[place..end] {
            *byte = match rng.below(3) {
                0 => rng.bits() as u8,
                _ => TELLING[rng.below(TELLING.len())],
            };
        }
    }
}

#[test]
fn every_truncation_of_a_snapshot_is_an_error() {
    every_truncation_is_an_error::<Classification>();
    every_truncation_is_an_error::<Regression>();
}

#[test]
fn every_flip_in_a_snapshot_is_an_error() {
    every_flip_is_an_error::<Classification>();
    every_flip_is_an_error::<Regression>();
}

#[test]
fn crafted_payloads_never_panic() {
    crafted_payloads_are_errors_or_sound::<Classification>(1000);
    crafted_payloads_are_errors_or_sound::<Regression>(1000);
}
