//! Rows until a learner is as good as one that began at the change.

use evaluation::OwnAlgorithm;
use evaluation::protocol::Design;
use evaluation::record::Protocol;
use forest_core::{Regression, RowLearner};

use super::{measured, numbered, run};

/// Errs by 1, but by 10 in its rows 1000 to 1299.
#[derive(Default)]
struct Disturbed;

impl RowLearner<Regression> for Disturbed {
    fn learn(&mut self, _: &[f32], _: f64, _: u64) {}

    fn predict(&self, row: &[f32], seen: u64, prediction: &mut [f64]) {
        let error = if (1000..1300).contains(&seen) {
            10.0
        } else {
            1.0
        };
        prediction[0] = f64::from(row[0]) + error;
    }
}

fn recoveries(rows: usize, changes: &[usize], protocol: Protocol) -> Vec<Option<f64>> {
    let mut data = numbered(rows);
    data.changes = changes.to_vec();
    let own = [OwnAlgorithm::by_row::<_, Disturbed>("disturbed").into()];
    let design = Design {
        folds: 2,
        ..Design::default()
    };
    let records = run(&data, protocol, &design, &own);
    measured(&records[0]).recoveries.clone()
}

#[test]
fn a_learner_has_recovered_when_its_window_is_as_good_as_that_of_a_new_one() {
    let of = |rows, changes: &[usize]| recoveries(rows, changes, Protocol::Prequential);
    // 300 rows of large errors, and a window after them. The first row is not compared.
    assert_eq!(of(1900, &[1000]), [Some(800.0)]);
    assert_eq!(of(1799, &[1000]), [None]);
    // The window may not reach beyond the next change, and begins after the change before.
    assert_eq!(of(2600, &[1000, 1600]), [None, Some(501.0)]);
    assert_eq!(of(1900, &[1399]), [Some(501.0)]);
    assert_eq!(of(1900, &[1400]), [None]);
    assert_eq!(of(1900, &[]), []);
}

#[test]
fn a_stream_with_folds_has_recoveries_and_one_with_late_labels_has_not() {
    // Of two learners each learns about half of the rows, so the large errors come later: after all rows of this stream.
    let folded = recoveries(1900, &[1000], Protocol::PrequentialKFold);
    assert_eq!(folded, [Some(501.0)]);
    assert_eq!(recoveries(1900, &[1000], Protocol::Delayed), []);
}
