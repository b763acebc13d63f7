use forest_testing::statistics::same_probability;
use ndarray::s;

use crate::{Dataset, OpenOptions, Target, open};

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
    for part in [
        0..4000,
        8000..9000,
        9500..10_500,
        11_000..12_000,
        16_000..20_000,
    ] {
        let rows = part.len();
        let share = |row: usize| 1.0 / (1.0 + (-4.0 * (row as f64 - 10_000.0) / 4000.0).exp());
        let expected = part.clone().map(share).sum::<f64>() / rows as f64;
        let found = part.clone().filter(|row| second[*row]).count();
        let p = same_probability(found, rows, expected);
        assert!(p > 1e-4, "{part:?}: {found} {expected}");
    }
}

#[test]
fn without_width_everything_changes_at_once_and_rows_keep_their_order() {
    let data = opened(&format!("drift({BOTH}; at=50)"));
    let [one, other] = &BOTH.split("; ").map(opened).collect::<Vec<_>>()[..] else {
        panic!("two data sets")
    };
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
    let nested = "drift(drift(sea:n=100; sea:n=90,seed=9; at=5) ; sea:n=80; at=40; width=10)";
    assert!(opened(nested).rows() > 80);
    let numbers = "drift(friedman:n=100,test=0; friedman:n=100,seed=2,test=0; at=50; width=20)";
    let target = opened(numbers).target;
    assert!(matches!(
        target,
        Target::Values {
            noise_free: Some(_),
            ..
        }
    ));
}

#[test]
fn what_does_not_fit_is_refused() {
    for case in [
        "drift(sea; led; at=5)|3 features and the classes 0, 1",
        "drift(sea; friedman:d=5; at=5)|5 features and numbers as targets",
        "drift(sea; sea)|write `drift(A; B; at=ROW; width=ROWS)`",
        "recur(sea; sea; every=0)|write `drift(A; B; at=ROW; width=ROWS)`",
        "recur(sea; sea; every=5; width=1)|write `drift(A; B; at=ROW; width=ROWS)`",
        "drift(sea; sea; at=x)|write `drift(A; B; at=ROW; width=ROWS)`",
        "drift(sea; sea; at=5; where=x1<1)|write `drift(",
        "drift(see; sea; at=5)|did you mean `sea`",
        "drift(sea:n=2000; sea:n=2000,seed=2; at=5000)|the change never comes, since the first data set ends after 2000 rows",
        "recur(sea:n=20; sea:n=20; every=30)|after 20 rows",
        "drift(sea:n=20; sea:n=20; at=900; width=3)|after 20 rows",
        "sea:n=9+flip=x|write `+flip=ROW`",
        "sea:n=9+flip=-1|write `+flip=ROW`",
        "sea:n=9+flip=0|choose one from 1 to 8",
        "sea:n=9+from=9|there are 9 rows",
        "sea:n=9+from=8|1 row(s), but at least 2",
        "sea:n=9+flop=3|`9+flop=3`",
        "nothing+flip=3|unknown data set `nothing`",
        "a+b.csv|`a+b.csv` does not exist",
    ] {
        let (address, says) = case.split_once('|').unwrap();
        let error = open(address, &OpenOptions::default()).unwrap_err();
        assert!(error.to_string().contains(says), "{address}: {error}");
    }
}

fn labels(data: &Dataset) -> &[u32] {
    match &data.target {
        Target::Classes { labels, .. } => labels,
        Target::Values { .. } => panic!("classes"),
    }
}

#[test]
fn a_flip_makes_every_later_class_the_next() {
    let plain = opened("hypercube:n=90");
    let flipped = opened("hypercube:n=90+flip=40");
    assert_eq!(flipped.features, plain.features);
    assert_eq!(labels(&flipped)[..40], labels(&plain)[..40]);
    let mut pairs = labels(&plain).iter().zip(labels(&flipped)).skip(40);
    assert!(pairs.all(|(label, flipped)| *flipped == (label + 1) % 10));
    assert_eq!((&flipped.changes, flipped.split), (&vec![40], Some(90)));
    assert_eq!(flipped.name, "hypercube:n=90+flip=40");
    assert_ne!(flipped.sha256, plain.sha256);
}

#[test]
fn a_flip_mirrors_numbers_at_their_mean() {
    let address = "friedman:n=50,test=0";
    let both = |address: &str| match opened(address).target {
        Target::Values { values, noise_free } => (values, noise_free.unwrap()),
        Target::Classes { .. } => panic!("numbers"),
    };
    let (before, _) = both(address);
    let (after, truths) = both(&format!("{address}+flip=20"));
    let mean = before.iter().sum::<f64>() / 50.0;
    for row in 0..50 {
        let mirrored = 2.0 * mean - before[row];
        assert_eq!(after[row], if row < 20 { before[row] } else { mirrored });
    }
    // The truth is mirrored, too.
    assert!((0..50).all(|row| (after[row] - truths[row]).abs() < 5.0));
}

#[test]
fn a_stream_can_begin_at_a_change() {
    let all = opened("sea:n=60,every=20+flip=30");
    assert_eq!(all.changes, [20, 30, 40]);
    let part = opened("sea:n=60,every=20+flip=30+from=30");
    assert_eq!(part.features, all.features.slice(s![30.., ..]));
    assert_eq!(labels(&part), &labels(&all)[30..]);
    assert_eq!(part.changes, [0, 10]);
    assert_eq!(part.best_accuracy, Some(0.9));
    let split = |from: usize| opened(&format!("hypercube:n=9,test=9+from={from}")).split;
    assert_eq!([split(4), split(9), split(12)], [Some(5), None, None]);
}
