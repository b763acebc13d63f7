//! The formula of each scaler, and its rules: outside the values fitted on, for constant features,
//! for values that are not finite, for results that `f32` cannot hold.
#![allow(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

use approx::assert_abs_diff_eq;
use forest_core::{InputError, TreeRng};
use ndarray::{Array2, Axis, array};
use preprocessing::{
    FitError, MinMaxScaler, OneHotEncoder, Pca, QuantileScaler, RobustScaler, Scaling,
    StandardScaler, Step,
};
use registry::snapshot::{decode_value, encode_value};

const EVERY: [Scaling; 4] = [
    Scaling::MinMax,
    Scaling::Standard,
    Scaling::Robust,
    Scaling::Quantile,
];

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
fn scaled(scaling: Scaling, fitted: &[f32], values: &[f32]) -> Vec<f32> {
    let step = scaling.fit(column(fitted).view()).unwrap();
    step.transform(column(values))
        .unwrap()
        .into_iter()
        .collect()
}

#[test]
fn min_max_spans_the_unit_interval_and_continues_outside() {
    let fitted = [2.0, 6.0, 3.0];
    let expected = [0.0, 1.0, 0.5, -0.5, 2.0];
    assert_eq!(
        scaled(Scaling::MinMax, &fitted, &[2.0, 6.0, 4.0, 0.0, 10.0]),
        expected
    );
}

#[test]
fn the_widest_range_does_not_overflow() {
    let fitted = [f32::MIN, f32::MAX];
    assert_eq!(
        scaled(Scaling::MinMax, &fitted, &[f32::MIN, f32::MAX, 0.0]),
        [0.0, 1.0, 0.5]
    );
}

#[test]
fn standard_has_mean_0_and_variance_1_and_continues_outside() {
    // Mean 5, variance 4 (the textbook's eight numbers).
    let fitted = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
    assert_eq!(
        scaled(Scaling::Standard, &fitted, &[5.0, 7.0, 1.0, 25.0]),
        [0.0, 1.0, -2.0, 10.0]
    );
    let rows = uniform(500);
    let scaled = Scaling::Standard
        .fit(rows.view())
        .unwrap()
        .transform(rows)
        .unwrap();
    let scaled = scaled.mapv(f64::from);
    for feature in scaled.columns() {
        assert_abs_diff_eq!(feature.mean().unwrap(), 0.0, epsilon = 1e-6);
        assert_abs_diff_eq!(feature.var(0.0), 1.0, epsilon = 1e-6);
    }
}

/// A sum of squares less the square of the sum would lose all digits here.
#[test]
fn standard_does_not_cancel() {
    let fitted = [1e7 - 1.0, 1e7, 1e7 + 1.0];
    let scaler = StandardScaler::fit(column(&fitted).view()).unwrap();
    let feature = &scaler.features()[0];
    assert_eq!((feature.count(), feature.mean()), (3, 1e7));
    assert_abs_diff_eq!(
        feature.standard_deviation(),
        (2f64 / 3.0).sqrt(),
        epsilon = 1e-9
    );
}

#[test]
fn robust_ignores_outliers_and_continues_outside() {
    // Quartiles 2 and 4, median 3.
    let fitted = [3.0, 1.0, 1e30, 2.0, 4.0];
    assert_eq!(
        scaled(Scaling::Robust, &fitted, &[3.0, 4.0, 1.0, 23.0]),
        [0.0, 0.5, -1.0, 10.0]
    );
}

#[test]
fn robust_interpolates_between_two_values() {
    let scaler = RobustScaler::fit(column(&[1.0, 2.0, 3.0, 4.0]).view()).unwrap();
    let feature = &scaler.features()[0];
    assert_eq!((feature.median(), feature.spread()), (2.5, 1.5));
}

#[test]
fn robust_divides_by_the_range_where_the_quartiles_coincide() {
    let fitted = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 8.0];
    assert_eq!(
        scaled(Scaling::Robust, &fitted, &[0.0, 4.0, -8.0]),
        [0.0, 0.5, -1.0]
    );
}

#[test]
fn quantiles_are_places_among_the_values_and_clamped_outside() {
    let fitted = [10.0, 0.0, 1.0, 100.0, 2.0];
    let values = [0.0, 1.0, 2.0, 10.0, 100.0, 6.0, -5.0, 1e9];
    let expected = [0.0, 0.25, 0.5, 0.75, 1.0, 0.625, 0.0, 1.0];
    assert_eq!(scaled(Scaling::Quantile, &fitted, &values), expected);
}

#[test]
fn a_value_shared_by_quantiles_is_in_the_middle_of_their_levels() {
    let fitted = [0.0, 5.0, 5.0, 5.0, 9.0];
    let values = [4.999_999_5, 5.0, 5.000_001];
    let places = scaled(Scaling::Quantile, &fitted, &values);
    for (place, level) in places.iter().zip([0.25, 0.5, 0.75]) {
        assert_abs_diff_eq!(*place, level, epsilon = 1e-6);
    }
}

#[test]
fn quantiles_of_many_rows_are_uniform_and_few() {
    let squares = uniform(10_000).mapv(|x| x * x);
    let scaler = QuantileScaler::fit(squares.view()).unwrap();
    assert_eq!(scaler.features()[0].values().len(), 257);
    let mut scaled = squares;
    scaler.transform(&mut scaled).unwrap();
    for feature in scaled.columns() {
        for level in [0.1, 0.25, 0.5, 0.9] {
            let below = feature.iter().filter(|x| **x <= level).count() as f32 / 1e4;
            // Within an interval of quantiles, 1/256, the order of rows is not kept.
            assert_abs_diff_eq!(below, level, epsilon = 0.004);
        }
    }
}

#[test]
fn quantile_scaling_keeps_the_order() {
    let mut values: Vec<f32> = uniform(300)
        .column(0)
        .iter()
        .map(|x| (x * 20.0).floor())
        .collect();
    let fitted = values.clone();
    values.sort_by(f32::total_cmp);
    assert!(scaled(Scaling::Quantile, &fitted, &values).is_sorted());
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
    for scaling in EVERY {
        let scaled_values = scaled(
            scaling,
            &[0.0, tiny, 2.0 * tiny],
            &[f32::MAX, f32::MIN, 1.0, tiny],
        );
        assert!(
            scaled_values.iter().all(|x| x.is_finite()),
            "{scaling:?}: {scaled_values:?}"
        );
        let highest = if scaling == Scaling::Quantile {
            1.0
        } else {
            f32::MAX
        };
        assert_eq!(scaled_values[0], highest, "{scaling:?}");
    }
    let pca = Pca::fit(array![[0.0, 0.0], [1.0, 1.0]].view(), 1).unwrap();
    let far = pca.transform(array![[f32::MAX, f32::MAX]].view()).unwrap();
    assert_eq!(far, array![[f32::MAX]]);
}

#[test]
fn what_is_not_finite_is_refused_with_its_place() {
    let is_place = |error: &InputError| {
        matches!(
            error,
            InputError::NotFinite {
                row: 1,
                feature: 1,
                ..
            }
        )
    };
    for value in [f32::NAN, f32::INFINITY] {
        let bad = array![[0.0, 1.0], [2.0, value], [3.0, 4.0]];
        for scaling in EVERY {
            let Err(FitError::Input(error)) = scaling.fit(bad.view()) else {
                panic!("{scaling:?} was fitted to {value}");
            };
            assert!(is_place(&error), "{error}");
            let step = scaling.fit(uniform(9).view()).unwrap();
            assert!(is_place(&step.transform(bad.clone()).unwrap_err()));
        }
    }
}

#[test]
fn refused_rows_are_unchanged() {
    let scaler = MinMaxScaler::fit(uniform(9).view()).unwrap();
    let bad = array![[0.5, 1000.5], [0.5, f32::INFINITY]];
    let mut rows = bad.clone();
    assert!(scaler.transform(&mut rows).is_err());
    assert_eq!(rows, bad);
    let mut running = MinMaxScaler::running(2);
    assert!(running.observe(&[1.0, f32::NAN]).is_err());
    assert_eq!(running, MinMaxScaler::running(2));
}

#[test]
fn wrong_shapes_are_errors() {
    for scaling in EVERY {
        for (rows, features) in [(0, 3), (3, 0)] {
            let empty = scaling.fit(Array2::zeros((rows, features)).view());
            assert_eq!(empty, Err(FitError::Empty { rows, features }));
        }
        let step = scaling.fit(Array2::zeros((2, 3)).view()).unwrap();
        let (expected, got) = (3, 2);
        let error = step.transform(Array2::zeros((1, 2)));
        assert_eq!(error, Err(InputError::WrongWidth { expected, got }));
    }
}

/// Row by row or all at once: the same numbers, and before the first row 0.
#[test]
fn a_running_scaler_is_that_of_the_rows_so_far() {
    let rows = uniform(50);
    let (mut extremes, mut moments) = (MinMaxScaler::running(2), StandardScaler::running(2));
    let mut first = rows.slice(ndarray::s![..1, ..]).to_owned();
    moments.transform(&mut first).unwrap();
    assert_eq!(first, array![[0.0, 0.0]]);
    for (count, row) in rows.rows().into_iter().enumerate() {
        extremes.observe(&row.to_vec()).unwrap();
        moments.observe(&row.to_vec()).unwrap();
        let so_far = rows.slice_axis(Axis(0), (..=count).into());
        assert_eq!(extremes, MinMaxScaler::fit(so_far).unwrap());
        assert_eq!(moments, StandardScaler::fit(so_far).unwrap());
    }
}

#[test]
fn every_step_comes_back_with_the_same_bits() {
    let rows = uniform(40).mapv(|x| (x * 8.0).round());
    let mut steps: Vec<Step> = EVERY
        .map(|scaling| scaling.fit(rows.view()).unwrap())
        .to_vec();
    steps.extend(EVERY.map(Step::from));
    steps.push(Pca::fit(rows.view(), 1).unwrap().into());
    steps.push(OneHotEncoder::fit(rows.view(), &[0]).unwrap().into());
    steps.push(Step::RunningMinMax(MinMaxScaler::running(2)));
    steps.push(Step::RunningStandard(StandardScaler::running(2)));
    let queries = uniform(10) * 9.0;
    for step in steps {
        let bytes = encode_value(&step).unwrap();
        let loaded: Step = decode_value(&bytes).unwrap();
        assert_eq!(loaded, step);
        assert_eq!(
            loaded.transform(queries.clone()),
            step.transform(queries.clone())
        );
    }
}
