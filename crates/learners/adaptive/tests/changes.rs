//! Members since the last change.

use adaptive::{Adaptive, AdaptiveSettings, AdaptiveTask, MemberCopy, Window};
use forest_core::registry::snapshot;
use forest_core::{Classification, OnlineLearner, PredictionRows, Regression, Schema};
use forest_testing::conformance::{ConformanceTask, Stream};

use crate::common::{build_with_members, from_these_rows_alone};

const MEMBERS: &str =
    "mondrian@30@quantile+mondrian@change@quantile+mondrian@change@none+mondrian@50@none";

const CHANGE: usize = 700;
const ROWS: usize = 1200;

fn learner<T: AdaptiveTask>(schema: Schema<T>) -> Adaptive<T> {
    build_with_members(MEMBERS, AdaptiveSettings::default(), schema, 51)
}

/// Classes that change at row `CHANGE`.
fn changing() -> (Stream<Classification>, Schema<Classification>) {
    let mut stream = Stream::<Classification>::uniform(ROWS, 2, 52);
    for target in &mut stream.targets[CHANGE..] {
        *target = 2 - *target;
    }
    (stream, Schema::new(2).unwrap().with_classes(3).unwrap())
}

/// Numbers whose signs flip at row `CHANGE`.
fn turning() -> (Stream<Regression>, Schema<Regression>) {
    let mut stream = Stream::<Regression>::uniform(ROWS, 2, 53);
    for target in &mut stream.targets[CHANGE..] {
        *target = -*target - 3.0;
    }
    (stream, Schema::new(2).unwrap())
}

fn first_rows<T: AdaptiveTask>(learner: &Adaptive<T>) -> Vec<u64> {
    let copies = learner.copies().iter();
    let changing = copies.filter(|copy| copy.member().window == Window::SinceChange);
    changing.map(MemberCopy::first_row).collect()
}

/// Members restart near the change, not before it occurs, and are then the learners of the rows since.
fn members_begin_where_the_stream_changed<T: AdaptiveTask + ConformanceTask>(
    (stream, schema): (Stream<T>, Schema<T>),
) {
    let mut learner = learner(schema);
    stream.teach(&mut learner, 0, CHANGE).unwrap();
    assert_eq!(first_rows(&learner), [0; 4]);
    let mut members = learner.members().into_iter();
    assert!(members.all(|member| member.changed.is_none()));
    let ends = [CHANGE + 33, CHANGE + 160, CHANGE + 300, CHANGE + 433, ROWS];
    let mut seen = CHANGE;
    for end in ends {
        stream.teach(&mut learner, seen, end).unwrap();
        seen = end;
        assert_eq!(learner.check_invariants(), Ok(()));
        for copy in learner.copies() {
            let alone = from_these_rows_alone(copy, &stream, (schema, seen));
            let [held, alone] = [copy.learner(), &alone].map(|l| snapshot::to_bytes(l).unwrap());
            assert!(held == alone, "{} after {seen} rows", copy.member());
        }
    }
    let near = |&first: &u64| first.abs_diff(CHANGE as u64) <= 60;
    let first = first_rows(&learner);
    assert!(first.iter().all(near), "{first:?}");
    assert_eq!(learner.members()[1].changed, Some(first[0]));
}

#[test]
fn members_begin_again_where_the_stream_changed() {
    members_begin_where_the_stream_changed(changing());
    members_begin_where_the_stream_changed(turning());
}

fn predictions(batch: usize) -> (PredictionRows, Vec<u8>) {
    let (stream, schema) = changing();
    let mut learner = learner(schema);
    let mut all = PredictionRows::default();
    for start in (0..ROWS).step_by(batch) {
        let (features, targets) = stream.part(start, ROWS.min(start + batch));
        let predictions = learner.predict_then_learn(features, targets).unwrap();
        for row in predictions.iter() {
            all.push(row.len()).copy_from_slice(row);
        }
    }
    (all, snapshot::encode_value(&learner).unwrap())
}

/// A change is detected at the same row, and predictions are equal, however the stream is split into batches.
#[test]
fn changes_do_not_depend_on_batches() {
    let one_by_one = predictions(1);
    for batch in [7, 32, 50, 1000, ROWS] {
        assert!(predictions(batch) == one_by_one, "batches of {batch}");
    }
}

/// Saved while evidence grows, and after a member has restarted, a mixture resumes as if it had never stopped.
#[test]
fn a_snapshot_keeps_the_evidence() {
    let (stream, schema) = changing();
    let mut whole = learner(schema);
    let mut saved = Vec::new();
    for start in (0..ROWS).step_by(40) {
        saved.push((start, snapshot::encode_value(&whole).unwrap()));
        stream.teach(&mut whole, start, start + 40).unwrap();
    }
    let end = snapshot::encode_value(&whole).unwrap();
    for (start, bytes) in saved {
        if (640..=1000).contains(&start) {
            let mut loaded: Adaptive<_> = snapshot::decode_value(&bytes).unwrap();
            stream.teach(&mut loaded, start, ROWS).unwrap();
            assert!(snapshot::encode_value(&loaded).unwrap() == end, "{start}");
        }
    }
}
