//! `cargo xtask plot partition`: one tree in the plane, beside another, as samples arrive.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use datasets::{Dataset, OpenOptions, Target};
use evaluation::files;
use evaluation::plot::Picture as _;
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use ndarray::{Array2, s};
use online_forests::{Algorithm, NamedTask};
use plotters::style::RGBColor;
use preprocessing::{MinMaxScaler, Pca};

use super::panel::{Panel, Panels, WINDOW, class_colours, value_colours};

/// Algorithms side by side.
const MOST_COLUMNS: usize = 4;

const NO_CUTS: &str = "it does not divide the plane by cuts; try `mondrian` or `obsp`";

/// How one tree divides the plane.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// An algorithm whose trees cut the plane; may be repeated, a row of panels each (side by side with one step)
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", default_values = ["mondrian-increasing", "obsp"])]
    algorithms: Vec<Algorithm>,

    /// A named set, a file, or a generator; more than two features are reduced to two principal
    /// components
    #[arg(
        long,
        value_name = "NAME|PATH",
        default_value = "gaussian-mixture:n=200,test=0"
    )]
    data: String,

    /// Samples learned in the end [default: all]
    #[arg(long, value_name = "N")]
    rows: Option<NonZeroUsize>,

    /// Panels, with as many new samples from each to the next
    #[arg(long, value_name = "N", default_value = "3")]
    steps: NonZeroUsize,

    /// Seed of the tree
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,

    /// The folder with the named sets
    #[arg(long, value_name = "DIR", env = "FOREST_DATA", default_value = datasets::DEFAULT_DATA_DIR)]
    data_dir: PathBuf,

    /// The folder for `partition.svg` and `partition.png`
    #[arg(long, value_name = "DIR", default_value = "results/plot")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<()> {
    let options = OpenOptions {
        data_dir: Some(args.data_dir.clone()),
        ..OpenOptions::default()
    };
    let dataset = datasets::open(&args.data, &options)?;
    let rows = unit_square(&dataset)?;
    let panels = match &dataset.target {
        Target::Classes { labels, .. } => {
            panels::<Classification>(args, &rows, labels, class_colours(labels))?
        }
        Target::Values { values, .. } => {
            panels::<Regression>(args, &rows, values, value_colours(values))?
        }
    };
    files::make_folder(&args.out)?;
    panels.write(&args.out, "partition")?;
    println!("{}", args.out.join("partition.svg").display());
    Ok(())
}

/// The data in two dimensions, each scaled to [0, 1].
fn unit_square(dataset: &Dataset) -> Result<Array2<f32>> {
    let mut rows = dataset.features.clone();
    let (name, features) = (&dataset.name, rows.ncols());
    ensure!(features >= 2, "`{name}` has one feature; a plane needs two");
    if features > 2 {
        rows = Pca::fit(rows.view(), 2)?.transform(rows.view())?;
    }
    MinMaxScaler::fit(rows.view())?.transform(&mut rows)?;
    Ok(rows)
}

/// A row of panels per algorithm; side by side if there is one panel each.
fn panels<T: NamedTask>(
    args: &Args,
    rows: &Array2<f32>,
    targets: &[T::Target],
    colours: Vec<RGBColor>,
) -> Result<Panels> {
    let mut panels = Vec::new();
    for algorithm in &args.algorithms {
        panels.extend(steps::<T>(args, algorithm, rows, targets)?);
    }
    let points = rows.rows().into_iter().zip(colours);
    let points = points.map(|(row, colour)| ([row[0], row[1]].map(f64::from), colour));
    Ok(Panels {
        panels,
        points: points.collect(),
        columns: match args.steps.get() {
            1 => args.algorithms.len().min(MOST_COLUMNS),
            steps => steps,
        },
    })
}

/// The tree of one algorithm after each step.
fn steps<T: NamedTask>(
    args: &Args,
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    targets: &[T::Target],
) -> Result<Vec<Panel>> {
    let forest = ForestSettings {
        trees: 1,
        seed: args.seed,
        ..ForestSettings::default()
    };
    let mut tree = algorithm.build::<T>(Schema::new(2)?, forest)?;
    let total = args
        .rows
        .map_or(targets.len(), |n| n.get().min(targets.len()));
    let steps = args.steps.get();
    let mut seen = 0;
    let step = |step: usize| {
        let end = (total * step).div_ceil(steps);
        tree.learn(rows.slice(s![seen..end, ..]), &targets[seen..end])?;
        seen = end;
        let planar = tree.as_planar();
        let planar = planar.with_context(|| format!("`{algorithm}`: {NO_CUTS}"))?;
        Ok(Panel {
            title: format!("{} · {seen} points", algorithm.name()),
            subtitle: subtitle(algorithm),
            nodes: planar.nodes_of(0, &WINDOW),
            seen,
        })
    };
    (1..=steps).map(step).collect()
}

/// The parameters given.
fn subtitle(algorithm: &Algorithm) -> String {
    let given = algorithm
        .given()
        .map(|(key, value)| format!("{key}={value}"));
    given.collect::<Vec<_>>().join(", ")
}
