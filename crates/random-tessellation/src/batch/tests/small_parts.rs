//! Balls alone.

use forest_core::ndarray::Array2;
use forest_core::{Rows, TreeRng};

use crate::batch::leaf::ball_radius;
use crate::batch::model::Points;

/// Returns the radius for these points.
fn radius(points: &[Vec<f32>]) -> f64 {
    let d = points[0].len();
    let matrix = Array2::from_shape_fn((points.len(), d), |(i, j)| points[i][j]);
    let none = Array2::zeros((0, d));
    let check = |matrix| Rows::check(matrix, d).expect("finite values");
    let points = Points::new(d, &check(matrix.view()), &[], &check(none.view()));
    let ids: Vec<u32> = (0..points.len() as u32).collect();
    let fold = |f: fn(f32, f32) -> f32| {
        let rows = ids.iter().map(|&i| points.row(i).to_vec());
        rows.reduce(|a, b| a.iter().zip(b).map(|(a, b)| f(*a, b)).collect())
    };
    let corners = [f32::min, f32::max].map(|f| fold(f).expect("there are points"));
    ball_radius(&points, &ids, &corners[0], &corners[1])
}

#[test]
fn balls_are_almost_the_smallest() {
    assert_eq!(radius(&[vec![1.0, 2.0], vec![4.0, 6.0]]), 2.5);
    for d in [2, 3, 10, 30] {
        // The unit vectors: the ball around their mean has radius √((d − 1)/d).
        let axis = |i: usize| (0..d).map(|j| f32::from(u8::from(i == j))).collect();
        let smallest = ((d - 1) as f64 / d as f64).sqrt();
        let ratio = radius(&(0..d).map(axis).collect::<Vec<_>>()) / smallest;
        assert!((1.0 - 1e-6..1.02).contains(&ratio), "d = {d}: {ratio}");
    }
    let mut rng = TreeRng::new(6, 0);
    let on_sphere = |_| {
        let v: Vec<f64> = (0..3).map(|_| rng.normal()).collect();
        let length = v.iter().map(|c| c * c).sum::<f64>().sqrt();
        v.iter().map(|c| (c / length) as f32).collect()
    };
    let sphere: Vec<Vec<f32>> = (0..2_000).map(on_sphere).collect();
    assert!((0.99..1.02).contains(&radius(&sphere)));
}
