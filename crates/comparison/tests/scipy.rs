//! Compares ranks and tests over data sets with scipy: `tables.json` is written by `make_tables.py`.

use comparison::statistics::{Friedman, Matrix, wilcoxon};
use serde::Deserialize;

/// Random accuracies, set by set, many of them equal up to rounding, and scipy's results for them.
#[derive(Deserialize)]
struct Table {
    values: Vec<Vec<f64>>,
    ranks: Vec<f64>,
    chi_square: Option<f64>,
    /// The p-value of the first algorithm and the second.
    wilcoxon: Option<f64>,
}

fn tables() -> Vec<(Table, Matrix)> {
    let tables: Vec<Table> = serde_json::from_str(include_str!("scipy/tables.json")).unwrap();
    let with_matrix = |table: Table| {
        let algorithms = (0..table.ranks.len()).map(|number| number.to_string());
        let mut matrix = Matrix::new("accuracy".parse().unwrap(), algorithms.collect());
        for (set, values) in table.values.iter().enumerate() {
            matrix.push(&set.to_string(), values.clone());
        }
        (table, matrix)
    };
    tables.into_iter().map(with_matrix).collect()
}

fn is_near(found: f64, expected: f64) -> bool {
    (found - expected).abs() < 1e-9 * expected.abs().max(1.0)
}

#[test]
fn ranks_are_those_of_exact_values() {
    for (table, matrix) in tables() {
        let found = matrix.average_ranks();
        let same = found.iter().zip(&table.ranks).all(|(a, b)| is_near(*a, *b));
        assert!(same, "{:?}: {found:?}, {:?}", table.values, table.ranks);
    }
}

#[test]
fn friedmans_statistic_has_the_correction_for_ties() {
    let mut compared = 0;
    for (table, matrix) in tables() {
        if let (Some(found), Some(expected)) = (Friedman::of(&matrix), table.chi_square) {
            assert!(is_near(found.chi_square, expected), "{found:?}, {expected}");
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}

#[test]
fn wilcoxons_test_counts_signs_with_ties_and_zeros() {
    let compared = tables().into_iter().filter_map(|(table, matrix)| {
        let (found, expected) = (wilcoxon(&matrix.differences(0, 1)), table.wilcoxon?);
        assert!(
            is_near(found.p, expected),
            "{:?}: {found:?}, {expected}",
            table.values
        );
        Some(())
    });
    assert!(compared.count() > 80);
}
