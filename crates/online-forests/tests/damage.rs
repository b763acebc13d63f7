//! Damaged and crafted snapshots: an error or a sound learner, never a panic, never a huge allocation.

use crate::common::bytes::{crafted, payload_start};
use crate::common::{every, learned};
use forest_core::{Task, TreeRng};
use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::snapshot::{self, SnapshotError};
use online_forests::{Algorithm, AnyLearner, Classification, OnlineLearner, Regression};

/// Returns a small snapshot of every algorithm.
fn snapshots<T: ConformanceTask>() -> Vec<Vec<u8>> {
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

fn open<T: Task>(bytes: &[u8]) -> Result<AnyLearner<T>, SnapshotError> {
    snapshot::from_bytes(bytes)
}

/// A learner that came out of a crafted file must predict and learn without a panic.
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

/// `FORGED` forged files of each learner, 300 by default.
fn crafted_payloads_are_errors_or_sound<T: ConformanceTask>() {
    let rounds = std::env::var("FORGED").map_or(300, |count| count.parse().unwrap());
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

/// Truncated files, and files with a flipped bit, are refused.
fn damage_is_an_error<T: ConformanceTask>() {
    for algorithm in Algorithm::all().filter(Algorithm::supports::<T>) {
        let mut bytes = snapshot::to_bytes(&learned::<T>(&algorithm, 12)).unwrap();
        for length in 0..bytes.len() {
            let error = open::<T>(&bytes[..length]).unwrap_err();
            let truncated = error.to_string().contains("cut off") || length == 0;
            assert!(truncated, "{algorithm}, {length} bytes: {error}");
        }
        for place in 0..8 * bytes.len() {
            let byte = place / 8;
            let bit = 1 << (place % 8);
            bytes[byte] ^= bit;
            assert!(open::<T>(&bytes).is_err(), "{algorithm}, bit {place}");
            bytes[byte] ^= bit;
        }
    }
}

#[test]
fn every_truncation_and_every_flipped_bit_is_an_error() {
    damage_is_an_error::<Classification>();
    damage_is_an_error::<Regression>();
}

#[test]
fn crafted_payloads_of_classifiers_never_panic() {
    crafted_payloads_are_errors_or_sound::<Classification>();
}

#[test]
fn crafted_payloads_of_regressors_never_panic() {
    crafted_payloads_are_errors_or_sound::<Regression>();
}
