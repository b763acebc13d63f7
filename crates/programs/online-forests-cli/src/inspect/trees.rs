//! One tree of a model.

use forest_model::{CommandError, Model, TableTask, explain, lines};

use super::args::{Args, TreeFormat};

/// Prints tree `index` as text, JSON or a graph.
pub(super) fn tree<T: TableTask>(
    model: &Model<T>,
    index: usize,
    args: &Args,
) -> Result<String, CommandError> {
    let mut exported = explain(model, "--tree")?.export(index)?;
    if let Some(depth) = args.depth {
        exported = exported.down_to(depth);
    }
    if let Some(lines) = lines(model) {
        exported = exported.before(&lines);
    }
    let tree = exported.named(
        &model.columns().feature_names(),
        model.pipeline().class_names().names(),
    );
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
