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
    assert_eq!(error(b"name,age\nAda,36\n"), SnapshotError::NotASnapshot);
    assert_eq!(error(b"").to_string(), error(&mean()[..0]).to_string());
    let (found, newest) = (7, 1);
    assert_eq!(
        error(&with_byte(VERSION, 7)),
        SnapshotError::UnknownVersion { found, newest }
    );
    assert_eq!(
        error(&with_byte(TASK, 9)),
        SnapshotError::Unknown {
            what: "task",
            code: 9
        }
    );
    assert_eq!(
        error(&with_byte(CODEC, 9)),
        SnapshotError::Unknown {
            what: "codec",
            code: 9
        }
    );
    assert!(matches!(
        error(&with_byte(TASK, 1)),
        SnapshotError::WrongTask { .. }
    ));
    assert!(matches!(
        error(&with_byte(LABEL, b'l')),
        SnapshotError::Algorithm(_)
    ));
}

#[test]
fn lengths_are_checked_before_anything_is_read() {
    for field in [LABEL_LENGTH, PAYLOAD_LENGTH] {
        let huge = crafted(&mean(), |content| content[field..field + 8].fill(0xff));
        assert!(matches!(error(&huge), SnapshotError::Truncated { .. }));
    }
    let mut longer = mean();
    longer.push(0);
    assert!(matches!(error(&longer), SnapshotError::TooLong { .. }));
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
    let classes = payload_start(&bytes) + 1;
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
        assert!(
            matches!(refused, SnapshotError::Inconsistent(_)),
            "{refused}"
        );
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
