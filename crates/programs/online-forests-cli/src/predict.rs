//! `predict`: predicts a table with a model.
//!
//! Rows and predictions keep their order, one prediction per row: a row that cannot be read has an empty one.

mod args;
mod output;

use std::process::ExitCode;

use forest_model::{
    AnyModel, BadRows, CommandError, Console, Format as TextFormat, Model, Predictor, Row,
    RowPrediction, Source, TableTask, Taken, counted, interrupt, length, unseen_text,
};
use online_forests::{Algorithm, threads};
use tables::{Header, Layout};

pub use args::{Args, Format};
use output::Output;

/// The number of rows that are predicted together.
const ROWS: usize = 1000;

/// Predicts the rows of a table.
///
/// # Errors
/// Returns an error if something cannot be parsed, opened or written; then there is no output file, or the old one.
pub fn run(args: &Args) -> Result<ExitCode, CommandError> {
    let threads = args.threads.map_or(0, std::num::NonZeroUsize::get);
    match threads::with_threads(threads, || predict(args))? {
        Err(error) if error.is_broken_pipe() => Ok(ExitCode::SUCCESS),
        result => result,
    }
}

fn predict(args: &Args) -> Result<ExitCode, CommandError> {
    check_output(args)?;
    match AnyModel::load(&args.model)? {
        AnyModel::Classification(model) => predict_table(&model, args),
        AnyModel::Regression(model) => predict_table(&model, args),
    }
}

/// Refuses to replace a file that is read.
fn check_output(args: &Args) -> Result<(), CommandError> {
    let Some(Ok(out)) = args.out.as_ref().map(|path| path.canonicalize()) else {
        return Ok(());
    };
    let read = [
        ("--data", args.data.path()),
        ("--model", Some(args.model.as_path())),
    ];
    for (option, path) in read {
        if path.is_some_and(|path| path.canonicalize().is_ok_and(|path| path == out)) {
            return Err(CommandError::new(format!(
                "--out names the same file as {option}, {}; give it another name",
                out.display()
            )));
        }
    }
    Ok(())
}

fn predict_table<T: TableTask>(model: &Model<T>, args: &Args) -> Result<ExitCode, CommandError> {
    let predictor = Predictor::new(model, args.asked())?;
    let console = Console::new(length(&args.data, false));
    let options = args.reading.over(model.settings().table.clone());
    let used = |header: &Header| {
        let layout = model.columns().layout(header).ok()?;
        Some(layout.features().to_vec())
    };
    let source = Source::open(&args.data, &options, false, &used, &console)?;
    interrupt::listen();
    let layout = model.columns().layout(source.header());
    let layout = layout.map_err(|fault| source.wrong(fault))?;
    let format = match args.format {
        Format::Csv => TextFormat::Csv,
        Format::Jsonl => TextFormat::JsonLines,
    };
    let asking = Asking {
        output: Output::open(args.out.as_deref(), format, predictor.columns())?,
        bad_rows: BadRows::new(&args.bad_rows, &console),
        predictor,
        recent: recent(&model.settings().algorithm),
        layout,
        source,
        console,
        rows: 0,
        bad: 0,
        unseen: 0,
    };
    asking.run()
}

/// Returns the value of `recent` that was given.
fn recent(algorithm: &str) -> Option<String> {
    let algorithm: Algorithm = algorithm.parse().ok()?;
    let mut given = algorithm.explicit_values();
    let recent = given.find(|(name, value)| *name == "recent" && *value != "none");
    recent.map(|(_, windows)| windows.to_owned())
}

/// State of a prediction run.
struct Asking<'m, T: TableTask> {
    predictor: Predictor<'m, T>,
    /// The windows of latest rows by which the learner predicts the next one, if it has any.
    recent: Option<String>,
    layout: Layout,
    source: Source,
    bad_rows: BadRows,
    output: Output,
    console: Console,
    rows: u64,
    /// The number of rows that could not be read.
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
                Taken::Rows(rows) => self.predict(rows)?,
                Taken::Nothing => {}
                Taken::End => break,
            }
        }
        let (console, remarks) = (self.console.clone(), self.remarks());
        let share = self.bad_rows.check(self.bad, self.rows, "predicted");
        self.output.finish()?;
        console.clear();
        if let Some(remarks) = remarks {
            console.say(&remarks);
        }
        share.map(|()| ExitCode::SUCCESS)
    }

    /// Returns the notes for the user about the rows.
    fn remarks(&self) -> Option<String> {
        let bad = self.bad_rows.summary();
        let bad = bad.map(|bad| format!("{bad}, whose predictions are empty"));
        let for_next_row = self.recent.as_ref().filter(|_| self.rows > 1).map(|recent| {
            format!("with recent={recent} the model predicts the next row of its stream, not a table: for one, train without it")
        });
        let about_rows = bad.into_iter().chain(unseen_text(self.unseen));
        let remarks: Vec<String> = about_rows.chain(for_next_row).collect();
        let (rows, text) = (counted(self.rows, "row"), remarks.join("; "));
        (!remarks.is_empty()).then(|| format!("predicted {rows}; {text}"))
    }

    fn predict(&mut self, rows: Vec<Row>) -> Result<(), CommandError> {
        let rows = without_failure(rows, self.source.name())?;
        let predictions = self
            .predictor
            .predict(&self.layout, &rows, &mut self.unseen)?;
        for (row, prediction) in rows.iter().zip(predictions) {
            if let Some(reason) = prediction.reason() {
                self.bad_rows.add(row.line(), reason)?;
            }
            self.bad += u64::from(matches!(prediction, RowPrediction::Bad(_)));
            self.output.write(row.line(), &prediction)?;
        }
        self.rows += rows.len() as u64;
        self.console.rows(self.rows);
        // A program may wait for these predictions before it sends more rows.
        if self.source.is_idle() {
            self.output.flush()
        } else {
            Ok(())
        }
    }
}

/// Returns the rows, unless the input itself failed.
fn without_failure(rows: Vec<Row>, data: &str) -> Result<Vec<Row>, CommandError> {
    let rows = rows.into_iter().map(Row::into_failure);
    rows.collect::<Result<_, _>>()
        .map_err(|error| CommandError::new(format!("{data}, {error}")))
}
