//! Continues with an existing model.

use std::fmt::Display;

use forest_model::{
    CommandError, Completion, Model, Position, ReadingOptions, Saving, Settings, Start, TableTask,
    Taken, interrupt, table_pairs,
};
use online_forests::preprocessing::FeatureScaling;
use online_forests::{Classification, Task as _};
use tables::{TableOptions, TargetColumn, TaskKind};

use super::args::Args;
use super::learning::Learning;

/// Learns the rows after those that the model has learned (`--resume`), or all rows (`--update`).
pub(super) fn run<T: TableTask>(
    args: &Args,
    mut model: Model<T>,
    mut start: Start<'_>,
    saving: Saving,
) -> Result<Completion, CommandError> {
    check(args, &model, &start)?;
    if let Some(part) = args.part {
        part.keep(&mut model)?;
    }
    check_columns(&model, &start)?;
    let header = start.source.header().names();
    let beginning = Position::start(header.iter().map(String::as_str));
    if start.options.update {
        model.set_position(beginning);
    } else if pass(&mut start, beginning, model.position())? == Completion::Interrupted {
        return Ok(Completion::Interrupted);
    }
    Learning::new(model, start, saving)?.run()
}

/// Refuses a table without a column that every row needs: all of its rows would be bad.
fn check_columns<T: TableTask>(model: &Model<T>, start: &Start<'_>) -> Result<(), CommandError> {
    let header = start.source.header();
    let layout = model.columns().layout(header);
    let layout = layout.map_err(|fault| start.source.wrong(fault))?;
    if !layout.has_target() {
        let target = TargetColumn::Named(model.columns().target_name().to_owned());
        let found = target.find(&header.names());
        found.map_err(|fault| start.source.wrong(fault))?;
    }
    Ok(())
}

/// Skips the rows that the model has learned. They have to be the same.
fn pass(
    start: &mut Start<'_>,
    beginning: Position,
    end: Position,
) -> Result<Completion, CommandError> {
    let (mut passed, mut rows) = (beginning, 0);
    while rows < end.rows() && !interrupt::is_requested() {
        let left = (end.rows() - rows).min(start.options.batch);
        match start.source.take(left as usize)? {
            Taken::Rows(some) => {
                rows += some.len() as u64;
                some.iter().for_each(|row| passed.pass(row));
            }
            Taken::Nothing => {}
            Taken::End => break,
        }
        start.console.rows(rows);
    }
    if interrupt::is_requested() {
        let early = "interrupted before the first new row; the model is as it was";
        start.console.say(early);
        return Ok(Completion::Interrupted);
    }
    if rows == end.rows() && passed.digest == end.digest {
        Ok(Completion::Complete)
    } else {
        Err(CommandError::new(format!(
            "the first {} rows of {} are not those that the model has learned; --resume needs the same data, and --update learns other \
             rows",
            end.rows(),
            start.source.name()
        )))
    }
}

/// Returns the format of the table: as the model knows. Other rows (`--update`) may have another format.
///
/// # Errors
/// Returns an error if an option contradicts what the model was made with.
pub(super) fn table_options(
    settings: &Settings,
    args: &Args,
) -> Result<TableOptions, CommandError> {
    let options = settings.table.clone();
    let known = table_pairs(&options);
    for (option, asked) in table_pairs(&args.table) {
        if !(args.learn.update && ReadingOptions::NAMES.contains(&option.as_str())) {
            let model = known.iter().find(|(known, _)| *known == option);
            same(&option, model.map(|(_, value)| value), Some(&asked))?;
        }
    }
    if args.learn.update {
        return Ok(ReadingOptions::of(&args.table).over(options));
    }
    Ok(options)
}

/// Refuses options that contradict what the model was made with.
fn check<T: TableTask>(
    args: &Args,
    model: &Model<T>,
    start: &Start<'_>,
) -> Result<(), CommandError> {
    let settings = model.settings();
    let chosen = args.target.as_ref();
    let target = chosen
        .map(|target| target_name(target, start))
        .transpose()?;
    let known = model.columns().target_name();
    same("--target", Some(known), target.as_deref())?;
    let trees = args.trees.map(|trees| trees.get() as u64);
    same("--trees", Some(settings.trees), trees)?;
    same("--seed", Some(settings.seed), args.seed)?;
    same("--fit-rows", Some(settings.fit_rows), args.fit_rows)?;
    let scale = args.scale.map(FeatureScaling::name);
    same("--scale", Some(settings.scale.name()), scale)?;
    same("--task", Some(task_kind::<T>()), args.task)?;
    let algorithm = args.algorithm.as_ref().map(ToString::to_string);
    same("--algorithm", Some(&settings.algorithm), algorithm.as_ref())
}

/// Returns the task of learners of `T`, as it is written on a command line.
fn task_kind<T: TableTask>() -> TaskKind {
    if T::NAME == Classification::NAME {
        TaskKind::Classification
    } else {
        TaskKind::Regression
    }
}

fn target_name(target: &TargetColumn, start: &Start<'_>) -> Result<String, CommandError> {
    let header = start.source.header();
    let found = target.find_in(header);
    let found = found.map_err(|fault| start.source.wrong(fault))?;
    Ok(header.names().swap_remove(found))
}

fn same<V: PartialEq + Display>(
    option: &str,
    model: Option<V>,
    asked: Option<V>,
) -> Result<(), CommandError> {
    match asked {
        Some(asked) if model.as_ref() != Some(&asked) => {
            let made = match model {
                Some(model) => format!("with {option} {model}"),
                None => format!("without {option}"),
            };
            Err(CommandError::new(format!(
                "the model was made {made}, not with {option} {asked}; leave the option out, or train another model"
            )))
        }
        _ => Ok(()),
    }
}
