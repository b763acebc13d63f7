//! Continues with an existing model.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::process::ExitCode;

use anyhow::bail;
use forest_model::{
    Model, ModelFile, Position, ReadingOptions, Source, TableTask, interrupt, table_pairs,
};
use online_forests::preprocessing::FeatureScaling;

use super::args::Args;
use super::learn;

/// Learns the rows after those that the model has learned (`--resume`), or all rows (`--update`).
pub(super) fn run<T: TableTask>(
    args: &Args,
    mut model: Model<T>,
    file: ModelFile,
) -> anyhow::Result<ExitCode> {
    // The format is as the model knows; other rows may have another one.
    let mut options = model.settings.table.clone();
    if args.update {
        options = ReadingOptions::of(&args.table).over(options);
    }
    let target = model.columns.target_name().to_owned();
    let mut source = Source::open(&args.data, &options, args.follow, |header| {
        options.used_columns(header, &target).ok()
    })?;
    interrupt::listen();
    check(args, &model, &source)?;
    if let Some(part) = args.part {
        part.keep(&mut model)?;
    }
    // All rows of a table without a column that every row needs would be bad.
    let layout = source.layout(&model.columns)?;
    if !layout.has_target() {
        let found = tables::find_column(&target, &source.header.names());
        found.map_err(|fault| source.wrong(fault))?;
    }
    let start = Position::start(&source.header);
    if args.update {
        model.position = start;
    } else if !skip(args, &mut source, start, model.position)? {
        let early = "interrupted before the first new row; the model is unchanged";
        source.console.say(early);
        return Ok(interrupt::exit_code());
    }
    learn::run(args, model, file, source, Vec::new())
}

/// Refuses options that contradict what the model was made with.
fn check<T: TableTask>(args: &Args, model: &Model<T>, source: &Source) -> anyhow::Result<()> {
    let settings = &model.settings;
    let mut target = None;
    if let Some(column) = &args.target {
        let found = source.header.target(column);
        let found = found.map_err(|fault| source.wrong(fault))?;
        target = Some(source.header.names().swap_remove(found));
    }
    let made: BTreeMap<_, _> = table_pairs(&settings.table).into_iter().collect();
    for (option, asked) in table_pairs(&args.table) {
        if !(args.update && ReadingOptions::NAMES.contains(&option.as_str())) {
            same(&option, made.get(&option), Some(asked))?;
        }
    }
    let name = |scale: FeatureScaling| format!("{scale:?}").to_lowercase();
    same("--target", Some(model.columns.target_name()), target)?;
    same("--trees", Some(settings.trees), args.trees)?;
    same("--seed", Some(settings.seed), args.seed)?;
    same("--fit-rows", Some(settings.fit_rows), args.fit_rows)?;
    same("--scale", Some(name(settings.scale)), args.scale.map(name))?;
    same("--task", Some(T::KIND), args.task)?;
    same(
        "--algorithm",
        Some(&settings.algorithm),
        args.algorithm.as_ref(),
    )
}

/// Refuses an option whose value is not that of the model.
fn same(
    option: &str,
    made: Option<impl Display>,
    asked: Option<impl Display>,
) -> anyhow::Result<()> {
    let Some(asked) = asked.map(|it| it.to_string()) else {
        return Ok(());
    };
    let made = match made.map(|it| it.to_string()) {
        Some(made) if made == asked => return Ok(()),
        Some(made) => format!("with {option} {made}"),
        None => format!("without {option}"),
    };
    bail!(
        "the model was made {made}, not with {option} {asked}; leave the option out, or train another model"
    )
}

/// Skips the rows that the model has learned, which have to be the same; returns `false` if a signal came meanwhile.
fn skip(
    args: &Args,
    source: &mut Source,
    mut passed: Position,
    end: Position,
) -> anyhow::Result<bool> {
    let mut rows = 0;
    while rows < end.rows() && !interrupt::is_requested() {
        let left = (end.rows() - rows).min(args.batch);
        let Some(some) = source.take(left as usize)? else {
            break;
        };
        rows += some.len() as u64;
        for row in &some {
            passed.pass(row);
        }
        source.console.rows(rows);
    }
    if interrupt::is_requested() {
        return Ok(false);
    }
    if rows < end.rows() || passed.digest != end.digest {
        bail!(
            "the first {} rows of {} are not those that the model has learned; --resume needs the same data, and \
             --update learns other rows",
            end.rows(),
            source.name
        );
    }
    Ok(true)
}
