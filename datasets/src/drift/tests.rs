use forest_testing::statistics::same_probability;

use super::*;
use crate::{OpenOptions, open};

fn opened(address: &str) -> Dataset {
    open(address, &OpenOptions::default()).unwrap()
}

/// Rows of `sine` and of `sine` turned: the curve shows which of the two a row comes from.
const BOTH: &str = "sine:n=20000,every=30000; sine:n=20000,every=30000,seed=2+flip=1+from=1";

fn is_of_second(data: &Dataset) -> Vec<bool> {
    let Target::Classes { labels, .. } = &data.target else {
        panic!("classes")
    };
    let rows = data.features.rows().into_iter().zip(labels);
    rows.map(|(row, label)| (f64::from(row[1]) < f64::from(row[0]).sin()) != (*label == 1))
        .collect()
}

#[test]
fn a_gradual_change_follows_the_sigmoid() {
    let data = opened(&format!("drift({BOTH}; at=10000; width=4000)"));
    assert!(data.changes.is_empty() && data.best_accuracy == Some(1.0));
    let second = is_of_second(&data);
    for (from, to) in [
        (0, 4000),
        (8000, 9000),
        (9500, 10_500),
        (11_000, 12_000),
        (16_000, 20_000),
    ] {
        let share = |row: usize| 1.0 / (1.0 + (-4.0 * (row as f64 - 10_000.0) / 4000.0).exp());
        let expected = (from..to).map(share).sum::<f64>() / (to - from) as f64;
        let found = second[from..to].iter().filter(|second| **second).count();
        assert!(
            same_probability(found, to - from, expected) > 1e-4,
            "{from}: {found} {expected}"
        );
    }
}

#[test]
fn without_width_everything_changes_at_once_and_rows_keep_their_order() {
    let data = opened(&format!("drift({BOTH}; at=50)"));
    let (one, other) = (
        opened("sine:n=20000,every=30000"),
        opened("sine:n=20000,every=30000,seed=2+flip=1+from=1"),
    );
    assert_eq!((data.changes.clone(), data.rows()), (vec![50], 50 + 19_999));
    assert_eq!(data.features.row(49), one.features.row(49));
    assert_eq!(data.features.row(50), other.features.row(0));
    assert_eq!(data.features.row(60), other.features.row(10));
}

#[test]
fn concepts_recur_and_addresses_are_nested() {
    let data = opened(&format!("recur({BOTH}; every=100)+from=100"));
    let second = is_of_second(&data);
    assert!((0..1000).all(|row| second[row] == (row / 100 % 2 == 0)));
    let nested = opened(
        "drift(drift(sea:n=100; agrawal:n=9; at=5) ; sea:n=80; at=40; width=10)"
            .replace("agrawal:n=9", "sea:n=90,seed=9")
            .as_str(),
    );
    assert!(nested.rows() > 80);
    let numbers =
        opened("drift(friedman:n=100,test=0; friedman:n=100,seed=2,test=0; at=50; width=20)");
    assert!(matches!(
        numbers.target,
        Target::Values {
            noise_free: Some(_),
            ..
        }
    ));
}

#[test]
fn what_does_not_fit_is_refused() {
    for (address, says) in [
        ("drift(sea; led; at=5)", "3 features and the classes 0, 1"),
        (
            "drift(sea; friedman:d=5; at=5)",
            "5 features and numbers as targets",
        ),
        ("drift(sea; sea)", "write `drift(A; B; at=ROW; width=ROWS)`"),
        (
            "recur(sea; sea; every=0)",
            "write `drift(A; B; at=ROW; width=ROWS)`",
        ),
        (
            "drift(sea; sea; at=x)",
            "write `drift(A; B; at=ROW; width=ROWS)`",
        ),
        ("drift(sea; sea; at=5; where=x1<1)", "write `drift("),
        ("drift(see; sea; at=5)", "did you mean `sea`"),
    ] {
        let error = open(address, &OpenOptions::default())
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{address}: {error}");
    }
}
