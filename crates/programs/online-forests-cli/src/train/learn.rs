//! Learns all rows of a table, saves the model at checkpoints and at the end, and reports how it ended.

use std::process::ExitCode;

use anyhow::{anyhow, bail};
use forest_model::{
    BadRows, Model, ModelFile, Row, Source, TableTask, Trainer, Unused, counted, interrupt,
};
use online_forests::OnlineLearner as _;

use super::args::Args;
use crate::predict::unseen_text;

/// The reason why no more rows are learned.
enum End {
    NoMoreRows,
    Signal,
    /// More rows could exceed the memory limit, for this reason.
    Memory(String),
}

/// Learns these rows, which were taken from the table, and those that follow.
pub(super) fn run<T: TableTask>(
    args: &Args,
    model: Model<T>,
    file: ModelFile,
    mut source: Source,
    first: Vec<Row>,
) -> anyhow::Result<ExitCode> {
    let layout = source.layout(&model.columns)?;
    let console = source.console.clone();
    let before = model.samples_seen();
    let mut bad_rows = BadRows::new(&args.bad_rows, &console);
    let mut trainer = Trainer::new(model, file, args.checkpoint, args.max_memory);
    let mut unseen = 0;
    let mut first = first.into_iter();
    // After a signal that came before there were enough rows to fit on, those that are there are learned.
    let is_cut = interrupt::is_requested();
    let end = loop {
        if interrupt::is_requested() && !(is_cut && first.len() > 0) {
            break End::Signal;
        }
        let most = trainer.rows_left().min(args.batch as usize);
        let mut rows: Vec<Row> = first.by_ref().take(most).collect();
        if rows.is_empty() {
            rows = match source.take(most)? {
                Some(rows) => rows,
                None if interrupt::is_requested() => break End::Signal,
                None => break End::NoMoreRows,
            };
        }
        let learned = trainer.model.learn_rows(&layout, &rows)?;
        for (row, outcome) in rows.iter().zip(learned.outcomes) {
            match outcome {
                Ok(cells) => unseen += cells,
                Err(Unused::Dropped) => {}
                Err(Unused::Bad(reason)) => bad_rows.add(row.line, &reason)?,
            }
        }
        if let Err(reason) = trainer.check_memory() {
            break End::Memory(reason);
        }
        console.rows(trainer.model.position.rows());
        if trainer.is_due() && trainer.model.position.learned > 0 {
            trainer.save()?;
        }
    };
    console.clear();
    let position = trainer.model.position;
    if position.learned == 0 && (before == 0 || position.bad > 0) {
        if matches!(end, End::Signal) {
            console.say("interrupted before the first row was learned; nothing is saved");
            return Ok(interrupt::exit_code());
        }
        return Err(nothing_learned(&source.name, bad_rows.summary()));
    }
    trainer.save()?;
    let learned = counted(trainer.model.samples_seen() - before, "row");
    let mut said = vec![format!("learned {learned}")];
    if before > 0 {
        said.push(format!("{} before", counted(before, "row")));
    }
    if position.dropped > 0 {
        let dropped = counted(position.dropped, "row");
        said.push(format!("{dropped} with missing values left out"));
    }
    said.extend(bad_rows.summary());
    said.extend(unseen_text(unseen));
    let path = args.model.display();
    said.push(match end {
        End::NoMoreRows => format!("model in {path}"),
        End::Signal => format!("interrupted; model so far in {path}; continue with --resume"),
        End::Memory(_) => format!("stopped; model so far in {path}; continue with --resume"),
    });
    console.say(&said.join("; "));
    let share = bad_rows.check(position.bad, position.rows(), "learned");
    match end {
        End::Memory(reason) => bail!(reason),
        End::NoMoreRows => share.map(|()| ExitCode::SUCCESS),
        End::Signal => {
            if let Err(warning) = share {
                console.say(&format!("warning: {warning}"));
            }
            Ok(interrupt::exit_code())
        }
    }
}

/// Returns the error of a training that could learn no row of `data`, with the reason if one is known.
pub(super) fn nothing_learned(data: &str, reason: Option<String>) -> anyhow::Error {
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    anyhow!("no row of {data} could be learned, so nothing is saved{reason}")
}
