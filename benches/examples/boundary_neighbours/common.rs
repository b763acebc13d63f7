//! Real data with labels, and the folder of results.

use std::io;
use std::path::Path;

use datasets::{Dataset, OpenOptions, Target};
use ndarray::{ArrayView2, s};

/// Opens the data set of this name.
///
/// Data is looked for in the folder that `FOREST_DATA` names, or in `../shared/data` beside the
/// repository.
pub(crate) fn open(name: &str) -> Dataset {
    let options = OpenOptions {
        data_dir: Some(datasets::data_folder()),
        ..OpenOptions::default()
    };
    datasets::open(name, &options).expect("the data exist")
}

/// A data set cut into training and test rows.
pub(crate) struct Split {
    data: Dataset,
    train: usize,
    test: usize,
}

impl Split {
    /// Opens the data set of this name, and uses the first `train` training rows.
    pub(crate) fn open(name: &str, train: usize) -> Self {
        let data = open(name);
        let test = data.split.expect("the set has test rows");
        Self {
            train: train.min(test),
            data,
            test,
        }
    }

    pub(crate) fn train(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        (
            self.data.features.slice(s![..self.train, ..]),
            &self.labels()[..self.train],
        )
    }

    pub(crate) fn test(&self) -> (ArrayView2<'_, f32>, &[u32]) {
        (
            self.data.features.slice(s![self.test.., ..]),
            &self.labels()[self.test..],
        )
    }

    fn labels(&self) -> &[u32] {
        match &self.data.target {
            Target::Classes { labels, .. } => labels,
            Target::Values { .. } => unreachable!("the experiments name sets with classes"),
        }
    }
}

/// Returns the folder of the workspace.
fn workspace() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = package.ancestors();
    let found = folders.find(|folder| folder.join("Cargo.lock").is_file());
    found.expect("a package lies in its workspace")
}

/// Writes a file of results.
pub(crate) fn write(name: &str, text: &str) -> io::Result<()> {
    let folder = workspace().join("docs/results/boundary-forest");
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), text)
}

/// Returns the processor time of this process so far, in seconds: unlike the wall clock, it does not count the
/// time that other processes take from a shared machine. Linux only, in steps of 10 ms.
pub(crate) fn processor_seconds() -> f64 {
    /// Ticks per second in `/proc`, the same on every Linux.
    const TICKS: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux reports processor times");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields = after_name.split_whitespace().skip(11).take(2);
    fields
        .filter_map(|ticks| ticks.parse::<f64>().ok())
        .sum::<f64>()
        / TICKS
}
