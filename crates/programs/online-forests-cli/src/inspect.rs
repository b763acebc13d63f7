//! `inspect`: shows what is in a model file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::ValueEnum;
use forest_model::{
    AnyModel, Explained, Model, Row, Summary, TableTask, explainable, print, scaling_lines,
};
use tables::{Header, Record, short};

/// What to show of which model.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    pub json: bool,

    /// Print one tree, counted from 0
    #[arg(long, value_name = "I")]
    pub tree: Option<usize>,

    /// Format of the tree [default: text]
    #[arg(long, value_enum, requires = "tree")]
    pub format: Option<TreeFormat>,

    /// Maximum depth of the nodes printed
    #[arg(long, value_name = "N", requires = "tree")]
    pub depth: Option<usize>,

    /// Print the prediction for a row, and the path of the row through a tree (--tree, else the first)
    #[arg(long, value_name = "COLUMN=VALUE,…")]
    pub explain: Option<String>,
}

/// The format of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    /// A line per node.
    Text,
    /// An object with a list of nodes.
    Json,
    /// For Graphviz.
    Dot,
}

/// Prints what is in a model.
///
/// # Errors
/// Returns an error if the model cannot be loaded, or does not have what was requested.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    print(&match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => report(&model, args)?,
        AnyModel::Regression(model) => report(&model, args)?,
    })
}

fn report<T: TableTask>(model: &Model<T>, args: &Args) -> anyhow::Result<String> {
    match (&args.explain, args.tree) {
        (Some(row), tree) => explain(model, row, tree.unwrap_or(0), args.json),
        (None, Some(index)) => tree(model, index, args),
        (None, None) if args.json => Ok(Summary::of(model).to_json()),
        (None, None) => Ok(Summary::of(model).to_text()),
    }
}

/// Prints tree `index` as text, JSON or a graph.
fn tree<T: TableTask>(model: &Model<T>, index: usize, args: &Args) -> anyhow::Result<String> {
    let mut tree = explainable(model, "--tree")?.export(index)?;
    if let Some(depth) = args.depth {
        tree = tree.down_to(depth);
    }
    if let Some(lines) = scaling_lines(model) {
        tree = tree.before(&lines);
    }
    let names = model.pipeline.class_names().names();
    let tree = tree.named(&model.columns.feature_names(), names);
    Ok(match args.format {
        Some(TreeFormat::Dot) => tree.to_dot(),
        format if args.json || format == Some(TreeFormat::Json) => tree.to_json(),
        _ => tree.to_text(),
    })
}

/// Explains the prediction for `text`, which is `column=value,…`.
fn explain<T: TableTask>(
    model: &Model<T>,
    text: &str,
    tree: usize,
    json: bool,
) -> anyhow::Result<String> {
    let explained = typed_row(model, text).and_then(|(header, row)| {
        let layout = model.columns.layout(&header)?;
        Explained::new(model, &layout, &row, tree)
    });
    let explained = explained.map_err(|error| anyhow!("--explain {}: {error}", short(text)))?;
    Ok(if json {
        explained.to_json()
    } else {
        explained.to_text(model)
    })
}

/// Reads a row that a person types, `name=value,…`; a pair with a comma in it is quoted like a cell of CSV.
fn typed_row<T: TableTask>(model: &Model<T>, text: &str) -> anyhow::Result<(Header, Row)> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).from_reader(text.as_bytes());
    let pairs = reader.into_records().next().context("it is empty")??;
    let mut names = Vec::new();
    let mut record = Record::default();
    for pair in &pairs {
        let Some((name, value)) = pair.split_once('=') else {
            bail!("expected COLUMN=VALUE, but found `{}`", short(pair));
        };
        names.push(name.trim());
        record.cells.push_field(value.trim());
    }
    // A wrong name is reported, not the one that is missing for it.
    let known = model.columns.header().names();
    for name in &names {
        tables::find_column(name, &known)?;
    }
    Ok((Header::named(names), Row::new(Ok(record))))
}
