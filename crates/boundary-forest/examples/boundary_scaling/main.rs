//! The paper's Figures 1 to 3: comparisons per query and retrieval accuracy against the number of
//! points, on the hypercube, on MNIST, and where all points are equally far apart.
//!
//! `cargo run --release -p boundary-forest --example boundary_scaling` writes `scaling.csv`, `scaling.md` and a
//! picture of each figure into `docs/results/boundary-forest/`. A number after `--` limits the points
//! (10⁶ unless told: some minutes and 3 GB).

#[path = "../common/mod.rs"]
mod common;
mod equidistant;
mod fit;
mod picture;
mod retrieval;

use std::fmt::Write;

use fit::{power, power_against_logarithm};
use picture::Curve;
use retrieval::Source;

/// A measured line of a figure.
pub struct Line {
    figure: &'static str,
    name: String,
    points: Vec<(f64, f64)>,
}

/// The least rank that tells anything of a power: a rank is a whole number from 1 on.
const LEAST_RANK: f64 = 5.0;

/// The fewest points that a power is fitted to.
const FEWEST: usize = 4;

impl Line {
    /// Whether the values are ranks, divided by the number of points.
    fn is_of_ranks(&self) -> bool {
        self.figure.starts_with('1')
    }

    /// The points that powers are fitted to.
    fn fitted(&self) -> Vec<(f64, f64)> {
        let tells = |&(n, y): &(f64, f64)| !self.is_of_ranks() || n * y >= LEAST_RANK - 0.5;
        self.points.iter().copied().filter(tells).collect()
    }

    /// The line's row of the table.
    fn row(&self) -> String {
        let fitted = self.fitted();
        let (exponent, ratio) = match fitted.len() < FEWEST {
            true => ("–".to_string(), "–".to_string()),
            false => (
                format!("{:.2}", power(&fitted)),
                format!("{:.2}", power_against_logarithm(&fitted)),
            ),
        };
        let (x, y) = self.points.last().copied().unwrap_or_default();
        let rank = match self.is_of_ranks() {
            true => format!(", rank {:.0}", x * y),
            false => String::new(),
        };
        let Self { figure, name, .. } = self;
        format!("| {figure} | {name} | {exponent} | {ratio} | {y:.5} at {x}{rank} |")
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let limit = std::env::args().nth(1).map(|n| n.parse()).transpose()?;
    let limit: usize = limit.unwrap_or(1_000_000);
    let mut lines = equidistant::lines(limit);
    let cube = Source::hypercube(100, limit + retrieval::QUERIES);
    lines.extend(retrieval::comparisons("2a", &cube, &[10, 50]));
    lines.extend(retrieval::accuracy("1a", &cube, 100_000.min(limit)));
    drop(cube);
    let mnist = Source::mnist();
    lines.extend(retrieval::comparisons("2b", &mnist, &[10, 50]));
    lines.extend(retrieval::accuracy("1b", &mnist, 60_000));
    lines.extend(retrieval::dimensions("3b", limit.min(100_000)));
    write_results(&lines)?;
    Ok(())
}

fn write_results(lines: &[Line]) -> Result<(), Box<dyn std::error::Error>> {
    let mut csv = String::from("figure,line,x,y\n");
    let mut table = String::from(TITLE);
    for line in lines {
        for (x, y) in &line.points {
            writeln!(csv, "{},{},{x},{y}", line.figure, line.name)?;
        }
        writeln!(table, "{}", line.row())?;
    }
    common::write("scaling.csv", &csv)?;
    common::write("scaling.md", &table)?;
    for (figure, title, y) in FIGURES {
        let of_figure = lines.iter().filter(|line| line.figure == figure);
        let curves: Vec<_> = of_figure
            .map(|line| Curve {
                name: &line.name,
                points: &line.points,
            })
            .collect();
        common::write(
            &format!("figure-{figure}.svg"),
            &picture::draw(title, y, &curves)?,
        )?;
    }
    Ok(())
}

const FIGURES: [(&str, &str, &str); 6] = [
    (
        "1a",
        "Retrieval accuracy, hypercube, d = 100, k = 50",
        "fraction f, 99 %",
    ),
    (
        "1b",
        "Retrieval accuracy, MNIST, k = 50",
        "fraction f, 99 %",
    ),
    (
        "2a",
        "Comparisons per query and tree, hypercube, d = 100",
        "comparisons",
    ),
    ("2b", "Comparisons per query and tree, MNIST", "comparisons"),
    (
        "3a",
        "Comparisons per query, all points equally far apart",
        "comparisons",
    ),
    (
        "3b",
        "Power of the comparisons' growth, k unlimited",
        "power",
    ),
];

const TITLE: &str = "\
Made by `cargo run --release -p boundary-forest --example boundary_scaling` from the lines in `scaling.csv`. The
power is the slope of a straight line through the second half of the points, both axes logarithmic. The
next column divides the error of that fit by the error of y = a + b·log N: above 1, growth is logarithmic.
In Figure 1 the value is f, such that 99 of 100 answers are among the f·N nearest points: f·N is a rank, a
whole number from 1 on. Where it is below 5, f falls as 1/N whatever the forest does: such points
are not fitted, and there is no power where fewer than 4 are left.

| figure | line | power | error of the power law / of the logarithm | last value |
|---|---|---|---|---|
";
