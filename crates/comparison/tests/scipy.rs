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
fn ranks_and_tests_are_those_of_exact_values_with_ties_and_zeros() {
    let mut compared = [0; 2];
    for (table, matrix) in tables() {
        let found = matrix.average_ranks();
        let same = found.iter().zip(&table.ranks).all(|(a, b)| is_near(*a, *b));
        assert!(same, "{:?}: {found:?}, {:?}", table.values, table.ranks);
        let friedman = Friedman::of(&matrix).map(|test| test.chi_square);
        let signed = Some(wilcoxon(&matrix.differences(0, 1)));
        let tests = [(friedman, table.chi_square), (signed, table.wilcoxon)];
        for (count, (found, expected)) in compared.iter_mut().zip(tests) {
            if let (Some(found), Some(expected)) = (found, expected) {
                assert!(
                    is_near(found, expected),
                    "{:?}: {found}, {expected}",
                    table.values
                );
                *count += 1;
            }
        }
    }
    assert!(compared[0] >= 20 && compared[1] > 80, "{compared:?}");
}
