//! The prediction for one row, and its explanation.

use forest_model::{
    CommandError, Explained, Model, Prediction, ReadRow, Row, TableTask, explained,
};
use tables::{Header, Layout, Record, TargetColumn};

use super::args::Args;

/// Explains the prediction for `text`, which is `column=value,…`.
pub(super) fn row<T: TableTask>(
    model: &Model<T>,
    text: &str,
    tree: usize,
    args: &Args,
) -> Result<String, CommandError> {
    let wrong =
        |reason: String| CommandError::new(format!("--explain {}: {reason}", tables::short(text)));
    let (names, record) = parse(text).map_err(wrong)?;
    let layout = layout(model, &names).map_err(wrong)?;
    let row = Row::new(Ok(record));
    let row = ReadRow::new(model, &layout, &row).map_err(wrong)?;
    let explained = explained(model, &row, tree)?;
    Ok(if args.json {
        serde_json::to_string_pretty(&explained).expect("plain data can be written")
    } else {
        words(model, &explained)
    })
}

fn layout<T: TableTask>(model: &Model<T>, names: &[String]) -> Result<Layout, String> {
    // A wrong name is reported, not the one that is missing for it.
    let known = model.columns().header().names();
    let unknown = |name: &String| TargetColumn::Named(name.clone()).find(&known).err();
    if let Some(fault) = names.iter().find_map(unknown) {
        return Err(fault.to_string());
    }
    let header = Header::named(names.iter().map(String::as_str));
    let layout = model.columns().layout(&header);
    layout.map_err(|fault| fault.to_string())
}

/// Returns names and cells of `name=value,…`; a pair with a comma in it is quoted like a cell of CSV.
fn parse(text: &str) -> Result<(Vec<String>, Record), String> {
    let mut reader = csv::ReaderBuilder::new();
    let mut rows = reader
        .has_headers(false)
        .from_reader(text.as_bytes())
        .into_records();
    let pairs = rows
        .next()
        .ok_or("it is empty")?
        .map_err(|error| error.to_string())?;
    let (mut names, mut record) = (Vec::new(), Record::default());
    for pair in &pairs {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| format!("expected COLUMN=VALUE, but found `{}`", tables::short(pair)))?;
        names.push(name.trim().to_owned());
        record.cells.push_field(value.trim());
    }
    Ok((names, record))
}

fn words<T: TableTask>(model: &Model<T>, explained: &Explained<'_>) -> String {
    let names = model.pipeline().class_names().names();
    let shares = names.iter().zip(&explained.values);
    let shares: Vec<String> = shares
        .map(|(name, share)| format!("{name}: {share:.4}"))
        .collect();
    let prediction = match explained.prediction {
        Prediction::Number(number) => number.to_string(),
        Prediction::Class(name) => format!("{name} ({})", shares.join(", ")),
    };
    let (tree, trees) = (explained.tree, model.settings().trees);
    let path = explained.text.join("\n").replace('\n', "\n  ");
    format!("prediction of all {trees} trees: {prediction}\ntree {tree}:\n  {path}")
}
