//! The Mondrian cube (Ge et al. 2019, section 3.1, figure 3): accuracy against number of cuts.
//!
//! `cargo run --release -p benches --example mondrian_cube -- SPLITS POINTS` writes `mondrian-cube-POINTS.csv`, the accuracy
//! of every method with every number of cuts on every split, and `mondrian-cube-POINTS.md`, their means and sign
//! tests, into `docs/results/random-tessellation/`.
//!
//! As in the paper: points of one Mondrian cube, 60 % of them at random for training, the others cut along
//! without labels (transductive), and the most frequent answer of ten independent trees, each with so many cuts.

mod baselines;
mod table;
mod trees;

use std::error::Error;
use std::fs;
use std::path::Path;

use datasets::{OpenOptions, Target};
use forest_core::{TreeRng, threads};
use ndarray::{Array2, Axis};

/// Numbers of cuts after which accuracy is measured.
const CUTS: [usize; 28] = [
    0, 1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 35, 40, 50, 60, 70, 80, 90, 100, 106, 120, 140,
    160, 180, 200,
];

/// Points divided into those with labels and those without.
struct Split {
    number: usize,
    train: Array2<f32>,
    labels: Vec<u32>,
    test: Array2<f32>,
    truth: Vec<u32>,
}

/// What a method got right, in percent, after each of [`CUTS`].
struct Accuracies {
    method: &'static str,
    split: usize,
    percent: Vec<f64>,
}

impl Split {
    fn new(points: &Array2<f32>, classes: &[u32], number: usize) -> Self {
        let mut order: Vec<usize> = (0..classes.len()).collect();
        TreeRng::new(number as u64, 0).shuffle(&mut order);
        let (train, test) = order.split_at(classes.len() * 6 / 10);
        let of = |rows: &[usize]| rows.iter().map(|&row| classes[row]).collect();
        Self {
            number,
            train: points.select(Axis(0), train),
            labels: of(train),
            test: points.select(Axis(0), test),
            truth: of(test),
        }
    }

    /// With more training rows, smartcore's support vector machines and the radii of balls take minutes: they are left
    /// out.
    fn is_small(&self) -> bool {
        self.labels.len() <= 3000
    }

    /// The percentage of test points that get their label.
    fn accuracy(&self, answers: impl Iterator<Item = u32>) -> f64 {
        let right = answers.zip(&self.truth).filter(|(a, b)| a == *b).count();
        100.0 * right as f64 / self.truth.len() as f64
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |default: usize| arguments.next().map_or(Ok(default), |text| text.parse());
    let (splits, count) = (number(50)?, number(10_000)?);
    let address = format!("mondrian-cube:n={count},test=0,seed=1");
    let data = datasets::open(&address, &OpenOptions::default())?;
    let Target::Classes { labels, .. } = &data.target else {
        return Err("the Mondrian cube has classes".into());
    };
    let mut runs: Vec<(usize, Vec<Accuracies>)> = (0..splits).map(|n| (n, Vec::new())).collect();
    // Support vector machines use one thread each: so splits run side by side.
    threads::each(&mut runs, usize::MAX, |(number, results)| {
        let split = Split::new(&data.features, labels, *number);
        *results = of_split(&split).expect("the points are sound");
        eprintln!("split {number} of {splits}");
    });
    let runs: Vec<Accuracies> = runs.into_iter().flat_map(|(_, results)| results).collect();
    let folder = Path::new("docs/results/random-tessellation");
    fs::create_dir_all(folder)?;
    let path = |ending: &str| folder.join(format!("mondrian-cube-{count}.{ending}"));
    fs::write(path("csv"), table::csv(&runs))?;
    fs::write(path("md"), table::markdown(&runs, count))?;
    Ok(())
}

fn of_split(split: &Split) -> Result<Vec<Accuracies>, Box<dyn Error>> {
    let mut runs = trees::run(split)?;
    runs.extend(baselines::run(split)?);
    Ok(runs)
}
