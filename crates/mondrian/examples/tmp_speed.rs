use forest_core::{OnlineLearner, Schema, TreeRng, ndarray::Array2, threads::with_threads};
use mondrian::*;
use std::time::Instant;
fn main() {
    let args: Vec<usize> = std::env::args()
        .skip(1)
        .map(|a| a.parse().unwrap())
        .collect();
    let (n, d, trees) = (args[0], args[1], args[2]);
    let mut rng = TreeRng::new(9, 0);
    let rows = Array2::from_shape_fn((n, d), |_| rng.uniform() as f32);
    let targets: Vec<f64> = (0..n).map(|_| rng.uniform()).collect();
    with_threads(1, || {
        for _ in 0..3 {
            let mut f = MondrianRegressor::new(
                Schema::new(d).unwrap(),
                MondrianSettings {
                    pause: tessellation_tree::Pause::Never,
                    ..fixed(f64::INFINITY)
                },
                trees,
                1,
            )
            .unwrap();
            let t = Instant::now();
            f.learn(rows.view(), &targets).unwrap();
            let l = t.elapsed().as_secs_f64();
            let t = Instant::now();
            let p = f.predict(rows.view()).unwrap();
            let q = t.elapsed().as_secs_f64();
            let u = 1e6 / (n * trees) as f64;
            println!(
                "n {n} d {d}: learn {:.3} predict {:.3} us/row/tree, {:.1} bytes/row/tree {}",
                l * u,
                q * u,
                (f.footprint().bytes - n * (4 * d + 8)) as f64 / (n * trees) as f64,
                p[[0, 0]] > -1.0
            );
        }
    })
    .unwrap();
}
