//! `join`: makes one model file of the parts of a forest.

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use forest_core::OnlineLearner as _;
use forest_core::registry::snapshot;
use forest_model::{AnyModel, CommandError, Every, Model, Saving, TableTask};

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
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let saving = Saving::new(&args.model, Every::Never)?;
    match AnyModel::load(&args.parts[0])? {
        AnyModel::Classification(first) => join(first, &args.parts, saving),
        AnyModel::Regression(first) => join(first, &args.parts, saving),
    }
}

fn join<T: TableTask>(
    first: Model<T>,
    paths: &[PathBuf],
    mut saving: Saving,
) -> Result<ExitCode, CommandError> {
    let mut parts = vec![(&paths[0], first)];
    for path in &paths[1..] {
        parts.push((path, snapshot::load(path)?));
    }
    let start = |model: &Model<T>| model.part().map(|part| part.trees.start);
    parts.sort_by_key(|(_, model)| start(model));
    check_trees(&parts)?;
    let mut parts = parts.into_iter();
    if let Some((first, mut whole)) = parts.next() {
        for (path, part) in parts {
            check_rows(first, &whole, path, &part)?;
            let joined = whole.pipeline_mut().join(part.into_pipeline());
            joined.map_err(|error| refused(path, error))?;
        }
        saving.save(&whole)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses parts that do not have every tree of a forest once.
fn check_trees<T: TableTask>(parts: &[(&PathBuf, Model<T>)]) -> Result<(), CommandError> {
    let mut next = 0;
    for (number, (path, model)) in parts.iter().enumerate() {
        let Some(shard) = model.part() else {
            return Err(refused(
                path,
                "only forests of independent trees have parts",
            ));
        };
        let (part, trees) = (shard.trees, shard.of);
        let is_last = number + 1 == parts.len();
        if part.start != next || (is_last && part.end != trees) {
            let (first, last) = (part.start + 1, part.end);
            let reason = format!(
                "it has trees {first} to {last} of {trees}, and the others do not have each of the rest once; give the model of \
                 every part"
            );
            return Err(refused(path, reason));
        }
        next = part.end;
    }
    Ok(())
}

/// Refuses a part that was made with other settings, or has not learned the same rows.
fn check_rows<T: TableTask>(
    first: &Path,
    whole: &Model<T>,
    path: &Path,
    part: &Model<T>,
) -> Result<(), CommandError> {
    let first = first.display();
    let [rows, of_first] = [part, whole].map(|model| model.position().rows());
    let reason = if part.settings() != whole.settings() {
        format!(
            "it was made with other settings than {first}; train all parts with the same options"
        )
    } else if rows != of_first {
        format!(
            "it has read {rows} rows, but {first} {of_first}; continue the training that is behind with --resume"
        )
    } else if part.position() != whole.position() || part.columns() != whole.columns() {
        format!("it has learned other rows than {first}; train all parts on the same rows")
    } else {
        return Ok(());
    };
    Err(refused(path, reason))
}

fn refused(path: &Path, reason: impl Display) -> CommandError {
    CommandError::new(format!("{}: {reason}", path.display()))
}
