//! One tree of a model.

use online_forests::Explain;
use registry::snapshot::Snapshot;

use super::{Args, TreeFormat};
use crate::CommandError;
use crate::model::Model;
use crate::table_task::TableTask;

/// Tree `index` as text, JSON or a graph.
pub fn tree<T: TableTask>(
    model: &Model<T>,
    index: usize,
    args: &Args,
) -> Result<String, CommandError> {
    let mut exported = explain(model, "--tree")?.exported(index, args.depth)?;
    if let Some(lines) = lines(model) {
        exported = exported.before(&lines);
    }
    let tree = exported
        .with_feature_names(&model.columns().feature_names())
        .with_class_names(model.pipeline().class_names().names());
    let format = if args.json {
        Some(TreeFormat::Json)
    } else {
        args.format
    };
    Ok(match format.unwrap_or(TreeFormat::Text) {
        TreeFormat::Text => tree.to_text(),
        TreeFormat::Json => tree.to_json(),
        TreeFormat::Dot => tree.to_dot(),
    })
}

/// How features were scaled, as offset and unit of each, so that cuts are stated in the table's own numbers. `None` if
/// they were not, or not by lines: then cuts are of features as the learner sees them.
pub fn lines<T: TableTask>(model: &Model<T>) -> Option<Vec<(f64, f64)>> {
    let lines = model.pipeline().steps().first()?.lines()?;
    Some(lines.iter().map(|line| (line.offset, line.unit)).collect())
}

/// The learner's trees, if they can be read.
pub fn explain<'m, T: TableTask>(
    model: &'m Model<T>,
    option: &'static str,
) -> Result<&'m dyn Explain, CommandError> {
    let learner = model.pipeline().learner();
    learner
        .as_explain()
        .ok_or_else(|| CommandError::Unsupported {
            option,
            needs: "a forest whose trees can be read, such as mondrian",
            label: learner.label(),
            task: T::NAME,
        })
}
