//! `cargo xtask plot`: trees in the plane, side by side, as samples arrive.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, Result, anyhow, ensure};
use comparison::files;
use comparison::plot::{GRID, HUES, INK, LINE_BREAK, Picture as Drawn, Place, SOFT};
use comparison::plot::{list, short, text};
use datasets::{Dataset, OpenOptions, Target};
use maud::html;
use online_forests::ndarray::{Array2, s};
use online_forests::planar::DrawnNode;
use online_forests::{
    Algorithm, Classification, ForestSettings, OnlineLearner as _, Regression, Schema, Task,
};
use tables::preprocessing::{FeatureScaling, Pca, Step};

/// The ends of the plane that is drawn in both directions, a little beyond the data.
const LOW: f64 = -0.03;
const HIGH: f64 = 1.03;
/// Its corners.
const WINDOW: [[f64; 2]; 4] = [[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]];

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
    let rows = unit_square(&data)?;
    let steps = args.steps.get();
    let total = args.rows.map_or(usize::MAX, NonZeroUsize::get);
    let total = total.min(rows.nrows());
    let ends = (1..=steps).map(|step| (total * step).div_ceil(steps));
    let ends: Vec<usize> = ends.collect();
    let mut points = Vec::new();
    for (row, colour) in rows.outer_iter().zip(colours(&data.target)) {
        points.push(([row[0], row[1]].map(f64::from), colour));
    }
    let mut panels = Vec::new();
    for algorithm in &args.algorithms {
        let given = algorithm.explicit_values();
        let given = given.map(|(key, value)| format!("{key}={value}"));
        let subtitle = given.collect::<Vec<_>>().join(", ");
        let partitions = match &data.target {
            Target::Classes { labels, .. } => {
                partitions::<Classification>(algorithm, &rows, labels, args.seed, &ends)?
            }
            Target::Values { values, .. } => {
                partitions::<Regression>(algorithm, &rows, values, args.seed, &ends)?
            }
        };
        for (nodes, &seen) in partitions.iter().zip(&ends) {
            let title = format!("{} · {seen} points", algorithm.name());
            panels.push(panel(&title, &subtitle, nodes, &points[..seen]));
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

/// Returns the data in two dimensions, each scaled to [0, 1]: the features, or their first two principal components.
fn unit_square(data: &Dataset) -> Result<Array2<f32>> {
    let name = &data.name;
    let mut rows = data.features.clone();
    ensure!(
        rows.ncols() > 1,
        "`{name}` has one feature; a partition of the plane needs two"
    );
    if rows.ncols() > 2 {
        rows = Step::Pca(Pca::fit(rows.view(), 2)?).transform(rows)?;
    }
    match FeatureScaling::Minmax.fit(rows.view())? {
        Some(scaling) => Ok(scaling.transform(rows)?),
        None => Ok(rows),
    }
}

/// Returns the nodes of one tree after each of these ascending numbers of samples; parents come before children.
fn partitions<T: Task>(
    algorithm: &Algorithm,
    rows: &Array2<f32>,
    targets: &[T::Target],
    seed: u64,
    ends: &[usize],
) -> Result<Vec<Vec<DrawnNode>>> {
    let settings = ForestSettings::default().with_trees(1).with_seed(seed);
    let mut tree = algorithm.build::<T>(Schema::new(2)?, settings)?;
    let mut learned = 0;
    let mut partitions = Vec::new();
    for &end in ends {
        tree.learn(rows.slice(s![learned..end, ..]), &targets[learned..end])?;
        learned = end;
        let nodes = tree.nodes_of(0, &WINDOW);
        partitions.push(nodes.map_err(|_| {
            anyhow!("`{algorithm}` does not divide the plane by cuts; use one that does, such as `mondrian` or `obsp`")
        })?);
    }
    Ok(partitions)
}

const SIDE: f64 = 300.0;
const MARGIN: f64 = 10.0;
/// Height of two lines and the margin above them.
const TITLE: f64 = 54.0;

/// Returns a colour for each row: that of its class, or one between blue (the least value) and orange (the greatest).
fn colours(target: &Target) -> Vec<String> {
    let values = match target {
        Target::Classes { labels, .. } => {
            let hue = |class: &u32| HUES[*class as usize % HUES.len()].0.to_owned();
            return labels.iter().map(hue).collect();
        }
        Target::Values { values, .. } => values,
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = if high > low { high - low } else { 1.0 };
    let mixed = |value: &f64| {
        let share = (value - low) / width;
        // From #1f5fc4 to #d45c00.
        let parts = [(31.0, 212.0), (95.0, 92.0), (196.0, 0.0)];
        let [red, green, blue] = parts.map(|(from, to)| (from + share * (to - from)).round() as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    values.iter().map(mixed).collect()
}

/// Draws the hulls of the leaves, the cuts of a tree, and the points that it has learned, in the colours of targets.
fn panel(title: &str, subtitle: &str, nodes: &[DrawnNode], points: &[([f64; 2], String)]) -> Drawn {
    let outline = |corners: &[[f64; 2]]| list(&corners.iter().map(place).collect::<Vec<_>>());
    let middle = MARGIN + SIDE / 2.0;
    let elements = html! {
        (text((middle, MARGIN + 12.0), "middle", title))
        (text((middle, MARGIN + 32.0), "middle", subtitle))
        g fill="none" stroke-linejoin="round" {
            @for leaf in nodes.iter().filter(|node| node.is_leaf) {
                polygon points=(outline(&leaf.hull)) stroke=(SOFT) stroke-dasharray="6 4" {}
            }
            @for cut in nodes.iter().filter_map(|node| node.cut) { polyline points=(outline(&cut)) stroke=(INK) {} }
            polygon points=(outline(&WINDOW)) stroke=(GRID) {}
        }
        @for (at, colour) in points {
            @let (x, y) = place(at);
            circle cx=(short(x)) cy=(short(y)) r="2" fill=(colour) {}
        }
        (LINE_BREAK)
    };
    let side = SIDE + 2.0 * MARGIN;
    let size = (side as u32, (side + TITLE) as u32);
    Drawn { size, elements }
}

fn place([x, y]: &[f64; 2]) -> Place {
    let share = |value: f64| (value - LOW) / (HIGH - LOW) * SIDE;
    (MARGIN + share(*x), TITLE + MARGIN + SIDE - share(*y))
}
