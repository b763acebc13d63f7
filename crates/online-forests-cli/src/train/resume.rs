//! Going on with a model that is there.

use std::fmt::Display;

use super::{Args, Completion, Start};
use crate::CommandError;
use crate::input::Taken;
use crate::interrupt;
use crate::model::{Model, Position, table_text};
use crate::table_task::TableTask;

/// Learns what comes after the rows that the model has learned (`--resume`), or all rows (`--update`).
pub fn run<T: TableTask>(
    mut model: Model<T>,
    mut start: Start<'_>,
) -> Result<Completion, CommandError> {
    check(&model, start.args)?;
    let layout = model.columns.layout(start.source.header());
    layout.map_err(|fault| start.source.wrong(fault))?;
    let header = start.source.header().names();
    let beginning = Position::start(header.iter().map(String::as_str));
    if start.args.update {
        model.position = beginning;
    } else if pass(&mut start, beginning, model.position)? == Completion::Interrupted {
        return Ok(Completion::Interrupted);
    }
    start.learning(model)?.run()
}

/// Passes over the rows that the model has learned. They have to be the same.
fn pass(
    start: &mut Start<'_>,
    beginning: Position,
    end: Position,
) -> Result<Completion, CommandError> {
    let (mut passed, mut rows) = (beginning, 0);
    while rows < end.rows() && !interrupt::is_requested() {
        let left = (end.rows() - rows).min(start.args.batch);
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
        return Ok(Completion::Interrupted);
    }
    match rows == end.rows() && passed.digest == end.digest {
        true => Ok(Completion::Complete),
        false => Err(CommandError::OtherData {
            data: start.source.name().to_owned(),
            rows: end.rows(),
        }),
    }
}

/// Refuses options that say something else than the model was made with.
fn check<T: TableTask>(model: &Model<T>, args: &Args) -> Result<(), CommandError> {
    let settings = &model.settings;
    let trees = args.trees.map(|trees| trees.get() as u64);
    same("--trees", &settings.trees, trees.as_ref())?;
    same("--seed", &settings.seed, args.seed.as_ref())?;
    same("--fit-rows", &settings.fit_rows, args.fit_rows.as_ref())?;
    let scale = args.scale.map(|scale| scale.name());
    same("--scale", &settings.scale.name(), scale.as_ref())?;
    let task = args.task.map(|task| task.name());
    same("--task", &T::NAME, task.as_ref())?;
    let table = Some(table_text(&args.table)).filter(|text| !text.is_empty());
    same("table options", &settings.table, table.as_ref())?;
    let algorithm = args.algorithm.as_ref().map(ToString::to_string);
    same("--algorithm", &settings.algorithm, algorithm.as_ref())
}

fn same<V: PartialEq + Display>(
    option: &'static str,
    model: &V,
    asked: Option<&V>,
) -> Result<(), CommandError> {
    match asked {
        Some(asked) if asked != model => Err(CommandError::OtherSetting {
            option,
            model: model.to_string(),
            asked: asked.to_string(),
        }),
        _ => Ok(()),
    }
}
