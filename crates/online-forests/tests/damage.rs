//! Damaged and crafted snapshots: an error or a sound learner, never a panic, never a huge allocation.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod common;

use common::{every, learned};
use forest_core::TreeRng;
use forest_core::laws::{LawTask, Stream};
use online_forests::snapshot::{self, Codec, SnapshotError};
use online_forests::{Classification, Facade, OnlineLearner, Regression};

const CODECS: [Codec; 2] = [Codec::Bincode, Codec::Postcard];

/// Where the container's fields stand (docs/snapshot-format.md).
const VERSION: usize = 8;
const CODEC: usize = 10;
const TASK: usize = 11;
const ALGORITHM_LENGTH: usize = 12;
const PAYLOAD_LENGTH: usize = 20;
const ALGORITHM: usize = 28;

/// A small snapshot of every algorithm in every codec.
fn snapshots<T: Facade + LawTask>() -> Vec<Vec<u8>> {
    let learners = every::<T>()
        .into_iter()
        .map(|algorithm| learned::<T>(&algorithm, 12));
    let saved = |learner: T::Any| CODECS.map(|codec| snapshot::to_bytes(&learner, codec).unwrap());
    learners.flat_map(saved).collect()
}

/// `change`d, with a checksum that fits again: what a crafted file looks like.
fn crafted(bytes: &[u8], change: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut content = bytes[..bytes.len() - 4].to_vec();
    change(&mut content);
    content.extend(crc32fast::hash(&content).to_le_bytes());
    content
}

fn open<T: Facade>(bytes: &[u8]) -> Result<T::Any, SnapshotError> {
    snapshot::from_bytes(bytes)
}

fn every_truncation_is_an_error<T: Facade + LawTask>() {
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

fn every_flip_is_an_error<T: Facade + LawTask>() {
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

/// A learner that came out of a crafted file must answer without a panic.
fn use_it<T: LawTask>(learner: impl OnlineLearner<Task = T>) {
    let features = learner.schema().features();
    if features <= 64 && learner.schema().width() <= 4096 {
        let stream = Stream::<T>::uniform(30, features, 5);
        learner.predict(stream.features.view()).unwrap();
        learner.check_invariants().unwrap();
    }
}

fn crafted_payloads_are_errors_or_sound<T: Facade + LawTask>(rounds: usize) {
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

fn payload_start(bytes: &[u8]) -> usize {
    let length = bytes[ALGORITHM_LENGTH..][..8].try_into().unwrap();
    ALGORITHM + u64::from_le_bytes(length) as usize
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
    crafted_payloads_are_errors_or_sound::<Classification>(3000);
    crafted_payloads_are_errors_or_sound::<Regression>(3000);
}

/// A snapshot of `mean`.
fn mean() -> Vec<u8> {
    let mean = learned::<Regression>(&"mean".parse().unwrap(), 5);
    snapshot::to_bytes(&mean, Codec::Bincode).unwrap()
}

fn error(bytes: &[u8]) -> SnapshotError {
    open::<Regression>(bytes).unwrap_err()
}

fn with_byte(place: usize, value: u8) -> Vec<u8> {
    crafted(&mean(), |content| content[place] = value)
}

#[test]
fn each_label_is_checked() {
    assert_eq!(error(b"name,age\nAda,36\n"), SnapshotError::NotASnapshot);
    assert_eq!(error(b"").to_string(), error(&mean()[..0]).to_string());
    let (found, newest) = (7, 1);
    assert_eq!(
        error(&with_byte(VERSION, 7)),
        SnapshotError::UnknownVersion { found, newest }
    );
    assert_eq!(
        error(&with_byte(CODEC, 9)),
        SnapshotError::UnknownCodec { code: 9 }
    );
    assert_eq!(
        error(&with_byte(TASK, 9)),
        SnapshotError::UnknownTask { code: 9 }
    );
    assert!(matches!(
        error(&with_byte(TASK, 1)),
        SnapshotError::WrongTask { .. }
    ));
    assert!(matches!(
        error(&with_byte(ALGORITHM, b'l')),
        SnapshotError::Algorithm(_)
    ));
}

#[test]
fn lengths_are_checked_before_anything_is_read() {
    for field in [ALGORITHM_LENGTH, PAYLOAD_LENGTH] {
        let huge = crafted(&mean(), |content| content[field..field + 8].fill(0xff));
        assert!(matches!(error(&huge), SnapshotError::Truncated { .. }));
    }
    let mut longer = mean();
    longer.push(0);
    assert!(matches!(error(&longer), SnapshotError::TooLong { .. }));
}

#[test]
fn a_payload_that_goes_on_is_an_error() {
    let longer = crafted(&mean(), |content| {
        content.push(0);
        content[PAYLOAD_LENGTH] += 1;
    });
    assert!(error(&longer).to_string().contains("left over"));
}

/// A class count of four milliards must not become an allocation at the first question.
#[test]
fn a_crafted_class_count_is_refused() {
    let majority = learned::<Classification>(&"majority".parse().unwrap(), 0);
    let bytes = snapshot::to_bytes(&majority, Codec::Bincode).unwrap();
    let known = payload_start(&bytes) + 2;
    let crafted = crafted(&bytes, |content| {
        assert_eq!(
            content[known], 0,
            "variant, features, then the classes known"
        );
        content.splice(known..=known, [252, 0xff, 0xff, 0xff, 0xff]);
        content[PAYLOAD_LENGTH] += 4;
    });
    let error = open::<Classification>(&crafted).unwrap_err();
    assert!(
        matches!(error, SnapshotError::TooManyClasses { .. }),
        "{error}"
    );
}
