//! The formula of each scaling, and its rules: outside the values fitted on, for constant features,
//! for values that are not finite, for results that `f32` cannot hold.

use approx::assert_abs_diff_eq;
use forest_core::registry::snapshot::{decode_value, encode_value};
use forest_core::{InputError, TreeRng, category};
use ndarray::{Array2, array};
use tables::preprocessing::FeatureScaling::{Minmax, Quantile, Robust, Standard};
use tables::preprocessing::{FeatureScaling, Line, Pca, Step};

const EVERY: [FeatureScaling; 4] = [Minmax, Standard, Robust, Quantile];

fn fit(scaling: FeatureScaling, rows: &Array2<f32>) -> Step {
    scaling.fit(rows.view()).unwrap().unwrap()
}

/// Uniform rows, the second feature around 1000.
fn uniform(rows: usize) -> Array2<f32> {
    let mut rng = TreeRng::new(3, 0);
    let draw = |(_, feature)| rng.uniform() as f32 + [0.0, 1000.0][feature];
    Array2::from_shape_fn((rows, 2), draw)
}

/// Returns one feature with these values.
fn column(values: &[f32]) -> Array2<f32> {
    Array2::from_shape_fn((values.len(), 1), |(row, _)| values[row])
}

/// Scales `values` by a scaling fitted on `fitted`.
fn scaled(scaling: FeatureScaling, fitted: &[f32], values: &[f32]) -> Vec<f32> {
    let scaler = fit(scaling, &column(fitted));
    let scaled = scaler.transform(column(values)).unwrap();
    scaled.into_iter().collect()
}

/// Values inside and outside of those fitted on, and what they become. Standard: the textbook's eight numbers, of mean
/// 5 and variance 4. Robust: quartiles 2 and 4, median 3; then quartiles that coincide; then between two values.
#[test]
fn every_scaling_follows_its_formula() {
    for case in [
        "Minmax | 2 6 3 | 2 6 4 0 10 | 0 1 0.5 -0.5 2",
        "Minmax | -3.4028235e38 3.4028235e38 | -3.4028235e38 3.4028235e38 0 | 0 1 0.5",
        "Standard | 2 4 4 4 5 5 7 9 | 5 7 1 25 | 0 1 -2 10",
        "Robust | 3 1 1e30 2 4 | 3 4 1 23 | 0 0.5 -1 10",
        "Robust | 0 0 0 0 0 0 8 | 0 4 -8 | 0 0.5 -1",
        "Robust | 1 2 3 4 | 2.5 4 | 0 1",
        "Quantile | 10 0 1 100 2 | 0 1 2 10 100 6 -5 1e9 | 0 0.25 0.5 0.75 1 0.625 0 1",
        "Quantile | 0 5 5 5 9 | 5 | 0.5",
    ] {
        let (scaling, numbers) = case.split_once(" | ").unwrap();
        let scaling = EVERY.into_iter().find(|it| format!("{it:?}") == scaling);
        let numbers = numbers.split(" | ").map(|part| {
            let numbers = part.split(' ').map(|number| number.parse().unwrap());
            numbers.collect::<Vec<f32>>()
        });
        let [fitted, values, expected] = &numbers.collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        assert_eq!(
            scaled(scaling.unwrap(), fitted, values),
            *expected,
            "{case}"
        );
    }
}

/// A sum of squares less the square of the sum would lose all digits here.
#[test]
fn standard_does_not_cancel() {
    let fitted = [1e7 - 1.0, 1e7, 1e7 + 1.0];
    let Step::Lines(lines) = fit(Standard, &column(&fitted)) else {
        panic!("standard scaling is linear");
    };
    let [Line { offset, unit }] = lines[..] else {
        panic!("one feature");
    };
    assert_eq!(offset, 1e7);
    assert_abs_diff_eq!(unit, (2f64 / 3.0).sqrt(), epsilon = 1e-9);
}

#[test]
fn quantiles_of_many_rows_are_uniform_and_few_and_keep_the_order() {
    let squares = uniform(10_000).mapv(|x| x * x);
    let scaler = fit(Quantile, &squares);
    assert!(matches!(&scaler, Step::Quantiles(kept) if kept[0].len() == 257));
    for feature in scaler.transform(squares).unwrap().columns() {
        for level in [0.1, 0.25, 0.5, 0.9] {
            let below = feature.iter().filter(|x| **x <= level).count() as f32 / 1e4;
            // Within an interval of quantiles, 1/256, the order of rows is not kept.
            assert_abs_diff_eq!(below, level, epsilon = 0.004);
        }
    }
    let steps = uniform(300).column(0).mapv(|x| (x * 20.0).floor()).to_vec();
    let mut sorted = steps.clone();
    sorted.sort_by(f32::total_cmp);
    assert!(scaled(Quantile, &steps, &sorted).is_sorted());
}

#[test]
fn a_constant_feature_maps_to_0_everywhere() {
    for scaling in EVERY {
        for constant in [0.1, -3e38, 0.0] {
            let scaled_values = scaled(scaling, &[constant; 3], &[constant, 7.0, f32::MAX]);
            assert_eq!(scaled_values, [0.0; 3], "{scaling:?} of {constant}");
        }
    }
}

/// The values fitted on differ by the smallest steps that `f32` has; the others are far away.
#[test]
fn finite_rows_stay_finite() {
    let tiny = f32::from_bits(1);
    let far = [f32::MAX, f32::MIN, 1.0, tiny];
    for scaling in EVERY {
        let values = scaled(scaling, &[0.0, tiny, 2.0 * tiny], &far);
        assert!(values.iter().all(|x| x.is_finite()), "{values:?}");
        let largest = if scaling == Quantile { 1.0 } else { f32::MAX };
        assert_eq!(values[0], largest, "{scaling:?}");
    }
    let pca = Step::Pca(Pca::fit(array![[0.0, 0.0], [1.0, 1.0]].view(), 1).unwrap());
    let far = pca.transform(array![[f32::MAX, f32::MAX]]).unwrap();
    assert_eq!(far, array![[f32::MAX]]);
}

#[test]
fn what_no_step_takes_is_refused_with_its_place() {
    let bad = array![[0.0, 1.0], [2.0, f32::INFINITY], [3.0, 4.0]];
    for scaling in EVERY {
        let error = scaling.fit(bad.view()).unwrap_err().to_string();
        assert!(error.contains("row 1, feature 1"), "{error}");
        let step = fit(scaling, &uniform(9));
        let refused = step.transform(bad.clone()).unwrap_err().to_string();
        assert!(refused.contains("row 1, feature 1"), "{refused}");
        let error = scaling.fit(Array2::zeros((0, 3)).view()).unwrap_err();
        assert!(error.to_string().ends_with("got 0 rows of 3 features"));
        let error = step.transform(Array2::zeros((1, 3)));
        assert_eq!(error.map(drop), InputError::check_width(3, 2));
    }
}

/// Missing values and categories are left out when a scale is fitted, and stay as they are, to the bit.
#[test]
fn missing_values_and_categories_are_not_scaled() {
    for scaling in EVERY {
        let numbers = fit(scaling, &column(&[1.0, 2.0, 4.0]));
        let with_others = column(&[1.0, f32::NAN, 2.0, category(7), 4.0]);
        let scaler = fit(scaling, &with_others);
        assert_eq!(scaler, numbers);
        let scaled = scaler.transform(with_others.clone()).unwrap();
        for (before, after) in with_others.iter().zip(&scaled) {
            assert!(!before.is_nan() || before.to_bits() == after.to_bits());
        }
        let none = column(&[f32::NAN, category(1)]);
        assert!(fit(scaling, &none).is_sound());
    }
}

#[test]
fn every_step_comes_back_with_the_same_bits() {
    let rows = uniform(40).mapv(|x| (x * 8.0).round());
    let scalers = EVERY.map(|scaling| fit(scaling, &rows));
    let mut steps: Vec<Step> = scalers.into();
    steps.push(Step::Pca(Pca::fit(rows.view(), 1).unwrap()));
    let queries = uniform(10) * 9.0;
    for step in steps {
        let bytes = encode_value(&step).unwrap();
        let loaded: Step = decode_value(&bytes).unwrap();
        assert_eq!(loaded, step);
        let transformed = |step: &Step| step.transform(queries.clone());
        assert_eq!(transformed(&loaded), transformed(&step));
    }
}
