//! `predict`: a table through a model into answers.
//!
//! Rows and answers keep their order, one answer for each row: a row that cannot be read has an empty one.

mod args;
mod output;

use std::process::ExitCode;

use forest_model::{
    Answer, Answers, AnyModel, BadRows, CommandError, Console, Model, Predict, Row, Source,
    TableTask, Taken, counted, distinct, interrupt, length, unseen_text,
};
use online_forests::threads;
use tables::{Header, Layout};

pub use args::{Args, Format};
use output::Output;

/// Rows that are answered together.
const ROWS: usize = 1000;

/// Answers the rows of a table.
///
/// # Errors
/// What cannot be understood, opened or written; then there is no output file, or the old one.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let threads = args.threads.map_or(0, std::num::NonZeroUsize::get);
    match threads::with_threads(threads, || predict(args))? {
        Err(error) if error.is_broken_pipe() => Ok(ExitCode::SUCCESS),
        result => result,
    }
}

fn predict(args: &Args) -> Result<ExitCode, CommandError> {
    let others = [
        ("--model", Some(args.model.as_path())),
        ("--out", args.out.as_deref()),
        ("--bad-rows", args.bad_rows.bad_rows.as_deref()),
    ];
    distinct::check(&args.data, &others)?;
    answer_all(&AnyModel::load(&args.model)?, None, args)
}

/// Answers all rows with a model, or by what has more than the model.
pub(crate) fn answer_all(
    model: &AnyModel,
    by: Option<Predict<'_>>,
    args: &Args,
) -> Result<ExitCode, CommandError> {
    match model {
        AnyModel::Classification(model) => answer(model, by, args),
        AnyModel::Regression(model) => answer(model, by, args),
    }
}

fn answer<T: TableTask>(
    model: &Model<T>,
    by: Option<Predict<'_>>,
    args: &Args,
) -> Result<ExitCode, CommandError> {
    let answers = Answers::new(model, by, args.asked())?;
    let console = Console::new(length(&args.data, false));
    let options = args.reading.over(model.settings().table_options());
    let used = |header: &Header| {
        let layout = model.columns().layout(header).ok()?;
        Some(layout.features().to_vec())
    };
    let known = Some(model.columns().header());
    let source = Source::open(&args.data, &options, known, false, &used, &console)?;
    interrupt::listen();
    let layout = model.columns().layout(source.header());
    let layout = layout.map_err(|fault| source.wrong(fault))?;
    let asking = Asking {
        output: Output::open(args.out.as_deref(), args.format, answers.columns())?,
        bad_rows: BadRows::new(&args.bad_rows, &console)?,
        answers,
        layout,
        source,
        console,
        rows: 0,
        bad: 0,
        unseen: 0,
    };
    asking.run()
}

/// All that answering needs.
struct Asking<'m, T: TableTask> {
    answers: Answers<'m, T>,
    layout: Layout,
    source: Source,
    bad_rows: BadRows,
    output: Output,
    console: Console,
    rows: u64,
    /// Rows that could not be read.
    bad: u64,
    unseen: u64,
}

impl<T: TableTask> Asking<'_, T> {
    fn run(mut self) -> Result<ExitCode, CommandError> {
        loop {
            if interrupt::is_requested() {
                self.console.clear();
                self.console.say("interrupted");
                return Ok(interrupt::exit_code());
            }
            match self.source.take(ROWS)? {
                Taken::Rows(rows) => self.answer(rows)?,
                Taken::Nothing => {}
                Taken::End => break,
            }
        }
        self.bad_rows.sync()?;
        let (console, remarks) = (self.console.clone(), self.remarks());
        let share = self.bad_rows.check(self.bad, self.rows, "answered");
        self.output.finish()?;
        console.clear();
        if let Some(remarks) = remarks {
            console.say(&remarks);
        }
        share.map(|()| ExitCode::SUCCESS)
    }

    /// What was not as it should be.
    fn remarks(&self) -> Option<String> {
        let bad = self.bad_rows.summary();
        let bad = bad.map(|bad| format!("{bad}, whose answers are empty"));
        let remarks: Vec<String> = bad.into_iter().chain(unseen_text(self.unseen)).collect();
        let (rows, text) = (counted(self.rows, "row"), remarks.join("; "));
        (!remarks.is_empty()).then(|| format!("answered {rows}; {text}"))
    }

    fn answer(&mut self, rows: Vec<Row>) -> Result<(), CommandError> {
        let rows = readable(rows, self.source.name())?;
        let answers = self.answers.of(&self.layout, &rows, &mut self.unseen)?;
        for (row, answer) in rows.iter().zip(answers) {
            if let Some(reason) = answer.reason() {
                self.bad_rows.add(row.line(), reason)?;
            }
            self.bad += u64::from(matches!(answer, Answer::Bad(_)));
            self.output.write(row.line(), &answer)?;
        }
        self.rows += rows.len() as u64;
        self.console.rows(self.rows);
        // Whoever waits for these answers before they send more rows gets them.
        match self.source.is_idle() {
            true => self.output.flush(),
            false => Ok(()),
        }
    }
}

/// The rows, unless the input itself failed.
fn readable(rows: Vec<Row>, data: &str) -> Result<Vec<Row>, CommandError> {
    let rows = rows.into_iter().map(Row::into_failure);
    let failed = |source| CommandError::Input {
        data: data.to_owned(),
        source,
    };
    rows.collect::<Result<_, _>>().map_err(failed)
}
