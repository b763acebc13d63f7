//! What the experiments share: data with labels, and where results go.
#![allow(dead_code, reason = "each experiment uses its part")]
#![allow(clippy::panic, reason = "an experiment may panic")]

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use datasets::{Dataset, OpenOptions, Target};
use forest_core::TreeRng;
use ndarray::{Array2, ArrayView2, Axis, s};

/// A data set cut into training and test rows.
pub struct Split {
    data: Dataset,
    train: usize,
}

impl Split {
    /// The data of this address. Named sets are looked for in the folder that `FOREST_DATA` names,
    /// or in `../shared/data` beside the repository.
    pub fn open(address: &str) -> Self {
        let data_dir = datasets::data_folder();
        let options = OpenOptions {
            data_dir: Some(data_dir),
            ..OpenOptions::default()
        };
        let data = datasets::open(address, &options).expect("the data are there");
        let train = data.split.expect("the set has test rows");
        Self { data, train }
    }

    pub fn train(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        (
            self.data.features.slice(s![..self.train, ..]),
            &self.labels()[..self.train],
        )
    }

    pub fn test(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        (
            self.data.features.slice(s![self.train.., ..]),
            &self.labels()[self.train..],
        )
    }

    /// `rows` training rows in a random order, another one for every pass.
    pub fn pass(&self, rows: usize, run: u64, pass: usize) -> (Array2<f32>, Vec<u32>) {
        let mut order: Vec<usize> = (0..self.train).collect();
        // The same rows in every pass of a run.
        TreeRng::new(run, 1 << 32).shuffle(&mut order);
        order.truncate(rows);
        TreeRng::new(run, (1 << 32) + 1 + pass).shuffle(&mut order);
        let labels = self.labels();
        let chosen = order.iter().map(|&row| labels[row]).collect();
        (self.data.features.select(Axis(0), &order), chosen)
    }

    fn labels(&self) -> &[u32] {
        match &self.data.target {
            Target::Classes { labels, .. } => labels,
            Target::Values { .. } => panic!("the set has classes"),
        }
    }
}

/// A table of results that is written row by row, and shown.
pub struct Table(File);

impl Table {
    pub fn create(name: &str, header: &str) -> io::Result<Self> {
        fs::create_dir_all(folder())?;
        let mut table = Self(File::create(folder().join(name))?);
        table.row(header)?;
        Ok(table)
    }

    pub fn row(&mut self, row: impl Display) -> io::Result<()> {
        println!("{row}");
        writeln!(self.0, "{row}")
    }
}

/// Where results go.
pub fn folder() -> &'static Path {
    Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/results/stream-rf"
    ))
}

/// `count` sizes from `first` to `last` with equal ratios.
pub fn sizes(first: usize, last: usize, count: usize) -> Vec<usize> {
    let ratio = last as f64 / first as f64;
    let size = |i: usize| first as f64 * ratio.powf(i as f64 / (count - 1) as f64);
    (0..count).map(|i| size(i).round() as usize).collect()
}

pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Seconds that the processor has spent on this thread, whoever else was waiting for it: what Linux
/// says first in `schedstat`.
pub fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat");
    let text = text.expect("times are taken on Linux");
    let nanoseconds = text
        .split(' ')
        .next()
        .and_then(|word| word.parse::<f64>().ok());
    nanoseconds.expect("a number comes first") / 1e9
}
