//! `cargo xtask plot`: trees in the plane, side by side, as samples arrive.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result};
use comparison::plot::Picture as Drawn;
use comparison::plot::partition::{self, Panel};
use comparison::{files, planar};
use datasets::OpenOptions;
use online_forests::Algorithm;

/// Algorithms side by side.
const MOST_COLUMNS: usize = 4;

#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    picture: Picture,
}

#[derive(Clone, Debug, clap::Subcommand)]
enum Picture {
    /// How one tree divides the plane: cells, cuts, hulls and points, as samples arrive
    Partition(Partition),
}

#[derive(Clone, Debug, clap::Args)]
struct Partition {
    /// An algorithm whose trees cut the plane; may be repeated, a row of panels each (side by side with one step)
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", default_values = ["mondrian-increasing", "obsp"])]
    algorithms: Vec<Algorithm>,

    /// A named set, a file, or a generator; more than two features are reduced to two principal components
    #[arg(
        long,
        value_name = "NAME|PATH",
        default_value = "gaussian-mixture:n=200,test=0"
    )]
    data: OsString,

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

    /// The folder for `partition.svg`
    #[arg(long, value_name = "DIR", default_value = "results/plot")]
    out: PathBuf,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let Picture::Partition(args) = &args.picture;
    let options = OpenOptions {
        data_dir: Some(args.data_dir.clone()),
        ..OpenOptions::default()
    };
    let data = datasets::open(&args.data, &options)?;
    let rows = planar::unit_square(&data)?;
    let (here, steps) = (rows.nrows(), args.steps.get());
    let total = args.rows.map_or(here, |rows| rows.get().min(here));
    let ends: Vec<usize> = (1..=steps)
        .map(|step| (total * step).div_ceil(steps))
        .collect();
    let points = rows
        .rows()
        .into_iter()
        .map(|row| [row[0], row[1]].map(f64::from));
    let points: Vec<_> = points.zip(partition::colours(&data.target)).collect();
    let mut panels = Vec::new();
    for algorithm in &args.algorithms {
        let set = algorithm
            .explicit_values()
            .map(|(key, value)| format!("{key}={value}"));
        let subtitle = set.collect::<Vec<_>>().join(", ");
        let partitions = planar::partitions(algorithm, &rows, &data.target, args.seed, &ends)?;
        for (nodes, &seen) in partitions.into_iter().zip(&ends) {
            let leaves = nodes.iter().filter(|node| node.is_leaf);
            let panel = Panel {
                title: format!("{} · {seen} points", algorithm.name()),
                subtitle: subtitle.clone(),
                cuts: nodes.iter().filter_map(|node| node.cut).collect(),
                hulls: leaves.map(|leaf| leaf.hull.clone()).collect(),
            };
            panels.push(panel.picture(&points[..seen]));
        }
    }
    let columns = if steps == 1 { MOST_COLUMNS } else { steps };
    let picture = Drawn::grid(&panels, columns).context("there is a panel for each algorithm")?;
    let path = args.out.join("partition.svg");
    files::make_folder(&args.out)?;
    files::write_atomically(&path, picture.svg().as_bytes())?;
    println!("{}", path.display());
    Ok(ExitCode::SUCCESS)
}
