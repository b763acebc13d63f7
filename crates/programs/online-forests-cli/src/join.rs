//! Parts of a forest: `train --part I/N` learns some of its trees, and `join` makes one model file of the parts.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{anyhow, bail};
use forest_core::OnlineLearner as _;
use forest_core::registry::snapshot;
use forest_model::{AnyModel, Model, ModelFile, TableTask, unsupported};

/// Which parts are joined, into which file.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model files of all parts, in any order
    #[arg(required = true, value_name = "PART")]
    pub parts: Vec<PathBuf>,

    /// Model file to write; an existing one is replaced
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,
}

/// Joins the parts of a forest, which have learned the same rows, into the model file of one process.
///
/// # Errors
/// Returns an error if a file cannot be read or written, or the parts are not those of one forest.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let file = ModelFile::lock(&args.model)?;
    match AnyModel::load(&args.parts[0])? {
        AnyModel::Classification(first) => join(first, &args.parts, &file),
        AnyModel::Regression(first) => join(first, &args.parts, &file),
    }
}

fn join<T: TableTask>(
    first: Model<T>,
    paths: &[PathBuf],
    file: &ModelFile,
) -> anyhow::Result<ExitCode> {
    let mut parts = vec![(&paths[0], first)];
    for path in &paths[1..] {
        parts.push((path, snapshot::load(path)?));
    }
    parts.sort_by_key(|(_, model)| model.part().map(|part| part.trees.start));
    check_trees(&parts)?;
    let mut parts = parts.into_iter();
    if let Some((first, mut whole)) = parts.next() {
        for (path, part) in parts {
            check_rows(first, &whole, path, &part)?;
            let joined = whole.pipeline.join(part.pipeline);
            joined.map_err(|error| anyhow!("{}: {error}", path.display()))?;
        }
        file.save(&whole)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses parts that do not have every tree of a forest once.
fn check_trees<T: TableTask>(parts: &[(&PathBuf, Model<T>)]) -> anyhow::Result<()> {
    let mut next = 0;
    for (number, (path, model)) in parts.iter().enumerate() {
        let path = path.display();
        let Some(shard) = model.part() else {
            bail!("{path}: only forests of independent trees have parts");
        };
        let has = shard.trees;
        let is_last = number + 1 == parts.len();
        if has.start != next || (is_last && has.end != shard.of) {
            bail!(
                "{path}: it has trees {} to {} of {}, and the others do not have each of the rest once; \
                 give the model of every part",
                has.start + 1,
                has.end,
                shard.of
            );
        }
        next = has.end;
    }
    Ok(())
}

/// Refuses a part that was made with other settings, or has not learned the same rows.
fn check_rows<T: TableTask>(
    first: &Path,
    whole: &Model<T>,
    path: &Path,
    part: &Model<T>,
) -> anyhow::Result<()> {
    let first = first.display();
    let path = path.display();
    if part.settings != whole.settings {
        bail!(
            "{path}: it was made with other settings than {first}; train all parts with the same options"
        );
    }
    let rows = part.position.rows();
    let rows_of_first = whole.position.rows();
    if rows != rows_of_first {
        bail!(
            "{path}: it has read {rows} rows, but {first} {rows_of_first}; continue the one that is behind with \
             --resume"
        );
    }
    if part.position != whole.position || part.columns != whole.columns {
        bail!("{path}: it has learned other rows than {first}; train all parts on the same rows");
    }
    Ok(())
}

/// One of several parts of the trees of a forest: neighbours, as evenly as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartNumber {
    /// Its number, from 1.
    index: usize,
    of: usize,
}

impl FromStr for PartNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('/').map(|(i, n)| (i.parse(), n.parse())) {
            Some((Ok(index), Ok(of))) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err("expected a part and the number of parts, such as 1/4"),
        }
    }
}

impl fmt::Display for PartNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl PartNumber {
    /// Keeps these trees of a model that has all trees, or these already.
    ///
    /// # Errors
    /// Returns an error if the model is not a forest of independent trees, has fewer trees than parts, or is another
    /// part.
    pub(crate) fn keep<T: TableTask>(self, model: &mut Model<T>) -> anyhow::Result<()> {
        let Some(shard) = model.part() else {
            let needs = "a forest of independent trees, such as --algorithm mondrian or amf";
            return Err(unsupported(model, "--part", needs));
        };
        let trees = shard.of;
        let has = shard.trees;
        let start = |part| (part as u128 * trees as u128 / self.of as u128) as usize;
        let keeps = start(self.index - 1)..start(self.index);
        if self.of > trees {
            bail!("--part {self}: the forest has {trees} trees, a part at least one");
        }
        if has != keeps && has != (0..trees) {
            bail!(
                "--part {self}: the model is another part of its forest, with trees {} to {} of {trees}; \
                 give each part a model file of its own",
                has.start + 1,
                has.end
            );
        }
        if has != keeps {
            model.keep_trees(keeps)?;
        }
        Ok(())
    }
}
