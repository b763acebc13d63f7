//! Footprints are what is allocated, and no more is allocated than is needed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::threads::with_threads;
use forest_core::{Classification, Forest, OnlineLearner, OnlineTree, Regression, Schema};
use forest_testing::conformance::{self, ConformanceTask, Stream};
use stream_rf::{FringeLimit, SaffariSettings, SaffariTree, StreamSettings, StreamTree};

/// Uniform rows; class `i` of `classes` comes as often as any other.
fn labelled(rows: usize, width: usize, classes: usize) -> Stream<Classification> {
    let mut stream = Stream::<Classification>::uniform(rows, width, 3);
    for (row, label) in stream.targets.iter_mut().enumerate() {
        *label = (row * 7919 % classes) as u32;
    }
    stream
}

/// Returns the result of `make`, and the bytes that it leaves allocated. What other threads allocate is not counted.
fn allocated<R: Send>(make: impl FnOnce() -> R + Send) -> (R, f64) {
    let count = || {
        let mut made = None;
        let counted = allocation_counter::measure(|| made = Some(make()));
        (made.unwrap(), counted.bytes_current as f64)
    };
    with_threads(1, count).unwrap()
}

/// A forest that learns the stream twice reports what it holds within 3 %, and holds little more
/// than a copy that has never grown.
#[track_caller]
fn check<K: OnlineTree<Task: ConformanceTask>>(settings: &K::Settings, stream: &Stream<K::Task>) {
    let schema = Schema::new(stream.features.ncols()).unwrap();
    let mut forest = conformance::forests::<K>(5, settings.clone())(schema, 1);
    let ((), held) = allocated(|| {
        for _ in 0..2 {
            stream.teach(&mut forest, 0, stream.len()).unwrap();
        }
    });
    let reported = forest.footprint().bytes as f64;
    assert!((reported / held - 1.0).abs() < 0.03, "{reported} of {held}");
    let bytes = encode_value(&forest).unwrap();
    let (copy, needed) = allocated(|| decode_value::<Forest<K>>(&bytes).unwrap());
    drop(copy);
    assert!(held < 1.25 * needed, "{held} bytes where {needed} would do");
}

/// One test, since it is the whole process whose memory is counted.
#[test]
fn footprints_are_what_is_allocated() {
    let (wide, narrow) = (labelled(6000, 784, 10), labelled(8000, 16, 26));
    let numbers = Stream::<Regression>::uniform(8000, 16, 3);
    let mut bounded = StreamSettings::default();
    bounded.fringe = FringeLimit::AtMost(50);
    for settings in [StreamSettings::default(), bounded] {
        check::<StreamTree<_>>(&settings, &wide);
        check::<StreamTree<_>>(&settings, &narrow);
        check::<StreamTree<_>>(&settings, &numbers);
    }
    // Leaves at the depth limit drop their tests.
    let shallow = SaffariSettings {
        max_depth: 8,
        min_samples: 10,
        min_gain: 0.0,
        ..SaffariSettings::default()
    };
    check::<SaffariTree<_>>(&SaffariSettings::default(), &narrow);
    check::<SaffariTree<_>>(&shallow, &narrow);
    check::<SaffariTree<_>>(&SaffariSettings::default(), &numbers);
}
