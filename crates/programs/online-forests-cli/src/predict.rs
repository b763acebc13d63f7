//! `predict`: predicts a table with a model.
//!
//! Rows and predictions keep their order, one prediction per row: a row that cannot be read has an empty one.

use std::io::{self, Write as _};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::bail;
use forest_core::files::NewFile;
use forest_model::{
    AnyModel, BadRowOptions, BadRows, Format, Model, PredictionOptions, Predictions, Predictor,
    ReadingOptions, Source, TableTask, Unused, cannot, counted, interrupt,
};
use online_forests::{Algorithm, threads};
use tables::Header;

/// The number of rows that are predicted together.
const ROWS: usize = 1000;

/// What to predict, with which model, and how predictions are written.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Model file written by `train`
    #[arg(long, value_name = "FILE")]
    pub model: PathBuf,

    /// Table to predict: a file, or `-` for standard input. Its columns may be in any order; the target may be missing
    #[arg(long, value_name = "FILE|-")]
    pub data: PathBuf,

    /// File for the predictions; it appears when it is complete [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Format of the predictions
    #[arg(long, value_enum, default_value_t = Format::Csv)]
    pub format: Format,

    /// Add the probability of every class
    #[arg(long)]
    pub proba: bool,

    /// Add the bounds between which a new target lies with this probability; for models with intervals
    #[arg(long, value_name = "P", value_parser = probability)]
    pub interval: Option<f64>,

    /// How bad rows are handled.
    #[command(flatten)]
    pub bad_rows: BadRowOptions,

    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,

    /// The format of the table.
    #[command(flatten)]
    pub reading: ReadingOptions,
}

fn probability(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(level) if level > 0.0 && level < 1.0 => Ok(level),
        _ => Err("expected a probability above 0 and below 1, such as 0.9"),
    }
}

/// Predicts the rows of a table.
///
/// # Errors
/// Returns an error if something cannot be parsed, opened or written; then an existing output file is unchanged.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let threads = args.threads.map_or(0, NonZeroUsize::get);
    threads::with_threads(threads, || {
        check_output(args)?;
        match AnyModel::load(&args.model)? {
            AnyModel::Classification(model) => predict(&model, args),
            AnyModel::Regression(model) => predict(&model, args),
        }
    })?
}

/// Refuses to replace a file that is read.
fn check_output(args: &Args) -> anyhow::Result<()> {
    let Some(Ok(out)) = args.out.as_ref().map(|path| path.canonicalize()) else {
        return Ok(());
    };
    for (option, path) in [("--data", &args.data), ("--model", &args.model)] {
        if path.canonicalize().is_ok_and(|path| path == out) {
            let out = out.display();
            bail!("--out names the same file as {option}, {out}; give it another name");
        }
    }
    Ok(())
}

fn predict<T: TableTask>(model: &Model<T>, args: &Args) -> anyhow::Result<ExitCode> {
    let requested = PredictionOptions {
        proba: args.proba,
        interval: args.interval,
    };
    let predictor = Predictor::new(model, requested)?;
    let options = args.reading.over(model.settings.table.clone());
    let used = |header: &Header| Some(model.columns.layout(header).ok()?.features().to_vec());
    let mut source = Source::open(&args.data, &options, false, used)?;
    interrupt::listen();
    let layout = source.layout(&model.columns)?;
    let out = args.out.as_deref().unwrap_or(Path::new("standard output"));
    let refused = |source| cannot("write", out, source);
    let mut file = match &args.out {
        Some(path) => Some(NewFile::create(path).map_err(refused)?),
        None => None,
    };
    // A program may wait for these predictions before it sends more rows.
    let mut write = |text: &[u8]| match &mut file {
        Some(file) => file.write_all(text).map_err(refused),
        None => {
            let mut output = io::stdout().lock();
            let written = output.write_all(text).and_then(|()| output.flush());
            written.map_err(refused)
        }
    };
    let mut predictions = Predictions::new(args.format, predictor.columns());
    write(&predictions.text(&[], &[])?)?;
    let mut bad_rows = BadRows::new(&args.bad_rows, &source.console);
    let mut bad = 0;
    let mut unseen = 0;
    loop {
        let rows = source.take(ROWS)?;
        if interrupt::is_requested() {
            source.console.clear();
            source.console.say("interrupted");
            return Ok(interrupt::exit_code());
        }
        let Some(rows) = rows else { break };
        let predicted = predictor.predict(&layout, &rows, &mut unseen)?;
        for (row, predicted) in rows.iter().zip(&predicted) {
            if let Err(unused) = predicted {
                bad_rows.add(row.line, unused.reason())?;
                bad += u64::from(*unused != Unused::Dropped);
            }
        }
        write(&predictions.text(&rows, &predicted)?)?;
        source.console.rows(predictions.rows as u64);
    }
    if let Some(file) = file {
        file.commit().map_err(refused)?;
    }
    let rows = predictions.rows as u64;
    let mut remarks = Vec::new();
    if let Some(bad) = bad_rows.summary() {
        remarks.push(format!("{bad}, whose predictions are empty"));
    }
    remarks.extend(unseen_text(unseen));
    if let Some(windows) = recent(&model.settings.algorithm).filter(|_| rows > 1) {
        remarks.push(format!(
            "with recent={windows} the model predicts the next row of its stream; for a table, train without it"
        ));
    }
    source.console.clear();
    if !remarks.is_empty() {
        let predicted = counted(rows, "row");
        let remarks = remarks.join("; ");
        source
            .console
            .say(&format!("predicted {predicted}; {remarks}"));
    }
    bad_rows.check(bad, rows, "predicted")?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a remark about cells of new categories, if there are any.
pub(crate) fn unseen_text(cells: u64) -> Option<String> {
    if cells == 0 {
        return None;
    }
    let cells = counted(cells, "cell");
    Some(format!(
        "{cells} of categories that the rows fitted on did not have"
    ))
}

/// Returns the windows of latest rows by which the learner predicts the next one, if they were given.
fn recent(algorithm: &str) -> Option<String> {
    let algorithm: Algorithm = algorithm.parse().ok()?;
    let mut given = algorithm.explicit_values();
    let recent = given.find(|(name, value)| *name == "recent" && *value != "none");
    recent.map(|(_, windows)| windows.to_owned())
}
