//! What a snapshot's labels say is checked, and each contradiction has its own error.

use crate::common::bytes::{
    CODEC, LABEL, LABEL_LENGTH, PAYLOAD_LENGTH, TASK, VERSION, crafted, payload_start,
};
use crate::common::{learned, prediction_bits};
use online_forests::snapshot::{self, SnapshotError};
use online_forests::{Algorithm, AnyClassifier, AnyRegressor, Classification, Regression};

/// Returns a snapshot of `mean`.
fn mean() -> Vec<u8> {
    let mean = learned::<Regression>(&"mean".parse().unwrap(), 5);
    snapshot::to_bytes(&mean).unwrap()
}

fn error(bytes: &[u8]) -> SnapshotError {
    snapshot::from_bytes::<AnyRegressor>(bytes).unwrap_err()
}

fn with_byte(place: usize, value: u8) -> Vec<u8> {
    crafted(&mean(), |content| content[place] = value)
}

#[test]
fn each_label_is_checked() {
    for (bytes, said) in [
        (b"name,age\nAda,36\n".to_vec(), "does not start like one"),
        (Vec::new(), "cut off after 0 bytes"),
        (
            with_byte(VERSION, 7),
            "format version 7, but this program reads versions up to 1",
        ),
        (with_byte(TASK, 9), "task 9 or"),
        (with_byte(CODEC, 9), "codec 9 is unknown"),
        (
            with_byte(TASK, 1),
            "holds mean for classification, not a learner for regression",
        ),
        (
            with_byte(LABEL, b'l'),
            "unknown algorithm `lean` (did you mean `mean`?)",
        ),
        ([mean(), vec![0]].concat(), "bytes but has"),
    ] {
        let error = error(&bytes).to_string();
        assert!(error.contains(said), "{error}");
    }
    for field in [LABEL_LENGTH, PAYLOAD_LENGTH] {
        let huge = crafted(&mean(), |content| content[field..field + 8].fill(0xff));
        assert!(error(&huge).to_string().contains("cut off"));
    }
}

#[test]
fn a_payload_that_continues_is_an_error() {
    let longer = crafted(&mean(), |content| {
        content.push(0);
        content[PAYLOAD_LENGTH] += 1;
    });
    assert!(error(&longer).to_string().contains("left over"));
}

/// Returns a snapshot of `majority`, its schema altered to these classes known and this cap.
fn with_classes(known: u32, cap: u32) -> Vec<u8> {
    let majority = learned::<Classification>(&"majority".parse().unwrap(), 0);
    let bytes = snapshot::to_bytes(&majority).unwrap();
    let classes = payload_start(&bytes) + 2;
    crafted(&bytes, |content| {
        let written = content[classes..classes + 4].to_vec();
        assert_eq!(written, [0, 251, 0, 16], "0 classes known, 4096 at most");
        let wide = |count: u32| [[252].as_slice(), &count.to_le_bytes()].concat();
        content.splice(classes..classes + 4, [wide(known), wide(cap)].concat());
        content[PAYLOAD_LENGTH] += 6;
    })
}

#[test]
fn a_crafted_class_count_does_not_become_an_allocation() {
    let open = |bytes: &[u8]| snapshot::from_bytes::<AnyClassifier>(bytes).unwrap_err();
    for altered in [
        with_classes(u32::MAX, u32::MAX),
        with_classes(70_000, 65_536),
    ] {
        let refused = open(&altered);
        let found = matches!(refused, SnapshotError::Inconsistent(_));
        assert!(found, "{refused}");
    }
}

/// The `/` of a list was once taken for that of a pipeline.
#[test]
fn a_list_in_a_label_is_not_a_pipeline() {
    let weighted: Algorithm = "wurtf:weights=1/0.5".parse().unwrap();
    let learner = learned::<Regression>(&weighted, 20);
    let bytes = snapshot::to_bytes(&learner).unwrap();
    let loaded: AnyRegressor = snapshot::from_bytes(&bytes).unwrap();
    assert_eq!(prediction_bits(&loaded), prediction_bits(&learner));
}
