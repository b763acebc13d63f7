//! Weights from labels: against a computation from the definitions, and at the edges.

use approx::assert_abs_diff_eq;
use forest_core::{Regression, TreeRng};
use ndarray::{Array1, Array2, ArrayView1, array};
use tables::preprocessing::{label_weights, value_weights};

const BINS: usize = 20;

/// Returns the rows of each bin by the definition: O(n²), and no sorting.
fn rows_of_bins(column: ArrayView1<'_, f32>) -> Vec<Vec<usize>> {
    let n = column.len();
    let mut rows = vec![Vec::new(); BINS];
    for (row, value) in column.iter().enumerate() {
        let below = column.iter().filter(|other| *other < value).count();
        rows[(0..BINS).rfind(|bin| bin * n <= BINS * below).unwrap()].push(row);
    }
    rows
}

/// Uncertainty of all rows less the mean of that in the bins.
fn gain(column: ArrayView1<'_, f32>, uncertainty: impl Fn(&[usize]) -> f64) -> f64 {
    let all: Vec<usize> = (0..column.len()).collect();
    let inside = rows_of_bins(column)
        .into_iter()
        .filter(|rows| !rows.is_empty());
    let inside = inside.map(|rows| rows.len() as f64 / all.len() as f64 * uncertainty(&rows));
    uncertainty(&all) - inside.sum::<f64>()
}

fn weights(rows: &Array2<f32>, uncertainty: impl Fn(&[usize]) -> f64) -> Vec<f64> {
    let gains = rows
        .columns()
        .into_iter()
        .map(|column| gain(column, &uncertainty));
    let roots: Vec<f64> = gains.map(|gain| gain.max(0.0).sqrt()).collect();
    let largest = roots.iter().copied().fold(0.0, f64::max);
    if largest < 1e-6 {
        return vec![1.0; roots.len()]; // nothing but rounding
    }
    let floored = Array1::from_vec(roots).mapv(|root| f64::max(root, 0.02 * largest));
    (&floored / floored.mean().unwrap()).to_vec()
}

/// In nats, by definition.
fn entropy(labels: &[u32], rows: &[usize]) -> f64 {
    let share = |class| {
        let of_class = rows.iter().filter(|row| labels[**row] == class).count();
        of_class as f64 / rows.len() as f64
    };
    let terms = (0..50).map(share).filter(|share| *share > 0.0);
    terms.map(|share| -share * share.ln()).sum()
}

fn variance(values: &[f64], rows: &[usize]) -> f64 {
    let values: Array1<f64> = rows.iter().map(|row| values[*row]).collect();
    values.var(0.0)
}

/// Continuous, tied (one value for half of the rows), of three values, constant, noise.
fn rows(n: usize, rng: &mut TreeRng) -> Array2<f32> {
    Array2::from_shape_fn((n, 5), |(_, feature)| {
        let u = rng.uniform() as f32;
        match feature {
            0 => 100.0 * u,
            1 => f32::max(u, 0.5),
            2 => (3.0 * u).floor(),
            3 => -4.0,
            _ => u,
        }
    })
}

#[test]
fn weights_are_those_of_the_definition() {
    let mut rng = TreeRng::new(7, 0);
    for n in [1, 2, 7, 19, 20, 21, 100, 333] {
        let rows = rows(n, &mut rng);
        let signal = |row: usize| {
            let x = rows.row(row);
            f64::from(x[0] / 25.0 + 4.0 * x[1] + 2.0 * x[2])
        };
        let values: Vec<f64> = (0..n).map(|row| signal(row) + rng.uniform()).collect();
        let labels: Vec<u32> = values.iter().map(|value| *value as u32).collect();
        let found = [
            label_weights(rows.view(), &labels).unwrap(),
            value_weights(rows.view(), &values).unwrap(),
        ];
        let expected = [
            weights(&rows, |rows| entropy(&labels, rows)),
            weights(&rows, |rows| variance(&values, rows)),
        ];
        for (found, expected) in found.iter().zip(&expected) {
            assert_abs_diff_eq!(found.as_slice(), expected.as_slice(), epsilon = 1e-9);
            assert_abs_diff_eq!(found.iter().sum::<f64>(), 5.0, epsilon = 1e-9);
        }
    }
}

#[test]
fn a_constant_feature_gets_the_floor_exactly() {
    let rows = Array2::from_shape_fn((1000, 2), |(row, feature)| [row as f32, 0.1][feature]);
    let values: Vec<f64> = (0..1000).map(|row| 1e6 + 0.1 * f64::from(row)).collect();
    let labels: Vec<u32> = (0..1000).map(|row| row / 300).collect();
    for weights in [
        value_weights(rows.view(), &values).unwrap(),
        label_weights(rows.view(), &labels).unwrap(),
    ] {
        assert_eq!(weights, [1.0 / 0.51, 0.02 / 0.51]);
    }
}

#[test]
fn where_nothing_is_explained_all_weights_are_one() {
    let constant = Array2::<f32>::from_elem((3, 2), 0.3);
    let varying = array![[1., 2.], [3., 2.], [5., 2.]];
    for weights in [
        value_weights(constant.view(), &[0.1, 0.2, 0.7]),
        label_weights(constant.view(), &[0, 1, 9]),
        value_weights(varying.view(), &[0.1; 3]),
        label_weights(varying.view(), &[4; 3]),
    ] {
        assert_eq!(weights.unwrap(), [1.0, 1.0]);
    }
}

#[test]
fn the_largest_targets_and_classes_are_accepted() {
    let rows = array![[0., 1.], [1., 1.], [2., 1.]];
    let largest = Regression::LARGEST_TARGET;
    let weights = value_weights(rows.view(), &[-largest, 0.0, largest]).unwrap();
    assert!(
        weights.iter().all(|weight| weight.is_finite()),
        "{weights:?}"
    );
    label_weights(rows.view(), &[u32::MAX, 0, 1]).unwrap();
}

#[test]
fn invalid_targets_are_refused() {
    let rows = array![[0.], [1.]];
    let infinite = array![[0.], [f32::INFINITY]];
    for (weights, says) in [
        (value_weights(rows.view(), &[1.0, f64::NAN]), "row 1"),
        (label_weights(rows.view(), &[1]), "1 target for 2 rows"),
        (
            label_weights(Array2::ones((0, 1)).view(), &[]),
            "got 0 rows",
        ),
        (label_weights(infinite.view(), &[0, 1]), "row 1, feature 0"),
    ] {
        let error = weights.unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn golden_weights() {
    let rows = rows(50, &mut TreeRng::new(9, 0));
    let labels: Vec<u32> = (0..50)
        .map(|row| u32::from(rows[[row, 0]] > 30.0))
        .collect();
    let weights = label_weights(rows.view(), &labels).unwrap();
    // Not to the last bit: the logarithm is the platform's.
    let expected = [
        2.3097941113430207,
        1.2442870526594494,
        0.2552601527254247,
        0.04619588222686042,
        1.1444628010452447,
    ];
    assert_abs_diff_eq!(weights.as_slice(), expected.as_slice(), epsilon = 1e-9);
}
