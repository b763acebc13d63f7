//! Prequential k-fold validation: which rows each learner learns, and that each is predicted before.

use comparison::Contender;
use comparison::protocol::{Design, Validation};
use comparison::record::Protocol;

use super::{Event, events, measured, numbered, run};

const ROWS: usize = 400;
const FOLDS: usize = 5;

fn design(validation: Validation) -> Design {
    Design {
        folds: FOLDS,
        validation,
        ..Design::default()
    }
}

/// Returns how often each learner learns each row, after checks of the order of its rows.
fn copies(validation: Validation) -> Vec<Vec<usize>> {
    let data = numbered(ROWS);
    let events = events(&data, Protocol::PrequentialKFold, &design(validation));
    let learners = events.split(|event| *event == Event::Built).skip(1);
    learners.map(of_learner).collect()
}

fn of_learner(events: &[Event]) -> Vec<usize> {
    let mut copies = vec![0; ROWS];
    let mut asked = vec![0; ROWS];
    let (mut first, mut latest) = (None, 0);
    for event in events {
        match event {
            Event::Learned(target) => {
                let row = *target as usize;
                assert!(latest <= row, "rows are learned in their order");
                // A learner without rows is not asked.
                let first = *first.get_or_insert(row);
                assert!(
                    row == first || asked[row] == 1,
                    "row {row} is predicted first"
                );
                (latest, copies[row]) = (row, copies[row] + 1);
            }
            Event::Asked(row) => {
                let row = *row as usize;
                assert_eq!(
                    copies[row], 0,
                    "row {row} is predicted before it is learned"
                );
                assert!(latest < row, "later rows have not been learned");
                asked[row] += 1;
            }
            Event::Built => {}
        }
    }
    assert!(asked[first.unwrap() + 1..].iter().all(|times| *times == 1));
    copies
}

/// Returns how many learners learn each row.
fn learners_of_rows(copies: &[Vec<usize>]) -> Vec<usize> {
    (0..ROWS)
        .map(|row| copies.iter().filter(|learner| learner[row] > 0).count())
        .collect()
}

#[test]
fn a_row_is_learned_once_by_all_but_one_or_by_one() {
    for (validation, learners) in [(Validation::Cross, FOLDS - 1), (Validation::Split, 1)] {
        let copies = copies(validation);
        assert_eq!(copies.len(), FOLDS);
        assert_eq!(learners_of_rows(&copies), [learners; ROWS], "{validation}");
        assert!(copies.iter().flatten().all(|copies| *copies < 2));
        let learned: Vec<usize> = copies.iter().map(|learner| learner.iter().sum()).collect();
        let expected = ROWS * learners / FOLDS;
        // Four standard deviations of a binomial number.
        assert!(
            learned.iter().all(|rows| rows.abs_diff(expected) < 32),
            "{learned:?}"
        );
    }
}

#[test]
fn a_bootstrap_learns_copies_of_rows() {
    let copies = copies(Validation::Bootstrap);
    let shares = [0, 1, 2, 3].map(|times| {
        let same = copies.iter().flatten().filter(|copies| **copies == times);
        same.count() as f64 / (ROWS * FOLDS) as f64
    });
    for (share, poisson) in shares.into_iter().zip([0.368, 0.368, 0.184, 0.061]) {
        // Four standard deviations of a share of 2000.
        assert!(
            (share - poisson).abs() < 4.0 * (poisson / 2000.0_f64).sqrt(),
            "{shares:?}"
        );
    }
    assert_ne!(copies[0], copies[1]);
}

#[test]
fn metrics_are_means_over_learners_with_standard_errors_over_them() {
    let data = datasets::open(
        "gaussian-mixture:n=400,test=0",
        &datasets::OpenOptions::default(),
    )
    .unwrap();
    let algorithms = ["no-change", "mondrian"].map(|name| name.parse::<Contender>().unwrap());
    let records = run(
        &data,
        Protocol::PrequentialKFold,
        &design(Validation::Split),
        &algorithms,
    );
    for record in &records {
        let measured = measured(record);
        assert_eq!(measured.metrics["accuracy"], measured.value);
        assert!(
            measured.standard_errors["accuracy"] > 0.0
                && measured.standard_errors["accuracy"] < 0.1
        );
        let curve = measured.curve.as_ref().unwrap();
        assert!((curve.cumulative.last().unwrap() - measured.value).abs() < 1e-12);
        assert_eq!(record.setting.folds, Some(FOLDS));
        assert_eq!(record.setting.validation, Some(Validation::Split));
    }
    // κ_T compares with the class of the row before, also where another learner learned it: no-change learned another row.
    assert!(measured(&records[0]).metrics["kappa_t"] != 0.0);
}
