//! `cargo xtask plot partition`: one tree in the plane, beside another, as samples arrive.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use datasets::{Dataset, OpenOptions, Target};
use forest_core::{Classification, ForestSettings, OnlineLearner, Regression, Schema};
use ndarray::{Array2, s};
use online_forests::{Algorithm, NamedTask};
use preprocessing::{MinMaxScaler, Pca};

use super::panel::{Panel, Panels, Point, Tint, WINDOW};
use crate::draw::Picture;
use crate::files;

const NO_CUTS: &str = "it does not divide the plane by cuts; try `mondrian` or `obsp`";

/// How one tree divides the plane.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// An algorithm whose trees cut the plane; may be repeated, a row of panels each
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

    /// Panels, at equal numbers of samples from one to the next
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

/// Draws every algorithm at every step.
///
/// # Errors
/// Data that cannot be opened, or an algorithm that has no partition.
pub fn run(args: &Args) -> Result<()> {
    let data_dir = Some(args.data_dir.clone());
    let options = OpenOptions {
        data_dir,
        ..OpenOptions::default()
    };
    let dataset = datasets::open(&args.data, &options)?;
    let plane = plane(&dataset)?;
    let panels = match &dataset.target {
        Target::Classes { labels, .. } => {
            let tints = labels.iter().map(|&class| Tint::Class(class)).collect();
            panels::<Classification>(args, &plane, labels, tints)?
        }
        Target::Values { values, .. } => {
            panels::<Regression>(args, &plane, values, Tint::shades(values))?
        }
    };
    files::make_folder(&args.out)?;
    panels.write(&args.out, "partition")?;
    println!("{}", args.out.join("partition.svg").display());
    Ok(())
}

/// The data in the unit square.
fn plane(dataset: &Dataset) -> Result<Array2<f32>> {
    let mut points = dataset.features.clone();
    ensure!(
        points.ncols() >= 2,
        "`{}` has one feature; a plane needs two",
        dataset.name
    );
    if points.ncols() > 2 {
        points = Pca::fit(points.view(), 2)?.transform(points.view())?;
    }
    MinMaxScaler::fit(points.view())?.transform(&mut points)?;
    Ok(points)
}

fn panels<T: NamedTask>(
    args: &Args,
    plane: &Array2<f32>,
    targets: &[T::Target],
    tints: Vec<Tint>,
) -> Result<Panels> {
    let rows = args
        .rows
        .map_or(targets.len(), |rows| rows.get().min(targets.len()));
    let steps = args.steps.get();
    let mut panels = Vec::new();
    for algorithm in &args.algorithms {
        let schema = Schema::<T>::new(2)?;
        let mut learner = algorithm.build::<T>(
            schema,
            ForestSettings {
                trees: 1,
                seed: args.seed,
                ..ForestSettings::default()
            },
        )?;
        let mut seen = 0;
        for step in 1..=steps {
            let end = (rows * step).div_ceil(steps);
            learner.learn(plane.slice(s![seen..end, ..]), &targets[seen..end])?;
            seen = end;
            let planar = learner
                .as_planar()
                .with_context(|| format!("`{algorithm}`: {NO_CUTS}"))?;
            panels.push(Panel {
                title: format!("{algorithm} · {seen} points"),
                nodes: planar.nodes_of(0, &WINDOW),
                seen,
            });
        }
    }
    let points = plane
        .rows()
        .into_iter()
        .map(|row| [f64::from(row[0]), f64::from(row[1])]);
    let points = points
        .zip(tints)
        .map(|(at, tint)| Point { at, tint })
        .collect();
    Ok(Panels {
        panels,
        points,
        columns: steps,
    })
}
