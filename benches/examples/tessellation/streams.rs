//! Streams of various kinds of points.

use datasets::{OpenOptions, open};
use forest_core::TreeRng;

/// The shape of the points of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stream {
    Uniform,
    Sorted,
    Cauchy,
    RandomWalk,
    Clustered,
    Binary,
}

impl Stream {
    pub(crate) const ALL: [Self; 6] = [
        Self::Uniform,
        Self::Sorted,
        Self::Cauchy,
        Self::RandomWalk,
        Self::Clustered,
        Self::Binary,
    ];

    /// Returns the first `n` rows in `d` dimensions.
    pub(crate) fn rows(self, n: usize, d: usize) -> Vec<Vec<f32>> {
        let mut rng = TreeRng::new(17, 0);
        let mut rows: Vec<Vec<f32>> = Vec::with_capacity(n);
        for _ in 0..n {
            let last = rows.last();
            let cell = |feature| self.cell(last.map(|row| row[feature]), &mut rng) as f32;
            rows.push((0..d).map(cell).collect());
        }
        match self {
            Self::Sorted => rows.sort_by(|a, b| a[0].total_cmp(&b[0])),
            Self::Clustered => gather(&mut rows, &mut rng),
            _ => {}
        }
        rows
    }

    fn cell(self, last: Option<f32>, rng: &mut TreeRng) -> f64 {
        match self {
            Self::Uniform | Self::Sorted | Self::Clustered => rng.uniform(),
            Self::Cauchy => (std::f64::consts::PI * (rng.uniform() - 0.5)).tan(),
            Self::RandomWalk => f64::from(last.unwrap_or(0.0)) + rng.normal(),
            Self::Binary => f64::from(u8::from(rng.uniform() < 0.3)),
        }
    }
}

/// Moves every point close to one of ten centres.
fn gather(rows: &mut [Vec<f32>], rng: &mut TreeRng) {
    let centers: Vec<Vec<f32>> = rows[..10].to_vec();
    for row in rows {
        let center = &centers[rng.below(10)];
        let cells = row.iter_mut().zip(center);
        cells.for_each(|(cell, center)| *cell = center + 0.01 * *cell);
    }
}

/// Returns the rows of a data set in file order, if it is available.
pub(crate) fn real(name: &str) -> Option<Vec<Vec<f32>>> {
    let options = OpenOptions {
        data_dir: Some(datasets::data_folder()),
        ..OpenOptions::default()
    };
    let data = open(name, &options).ok()?;
    Some(data.features.outer_iter().map(|row| row.to_vec()).collect())
}
