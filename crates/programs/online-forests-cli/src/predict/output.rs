//! The output of predictions.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use forest_core::files::NewFile;
use forest_model::{CommandError, Prediction, RowPrediction};
use serde::Serializer as _;
use serde::ser::SerializeMap as _;

use super::args::Format;

/// Writes predictions as text, to a file that appears when it is complete, or to standard output.
pub(super) struct Output {
    path: PathBuf,
    columns: Vec<String>,
    writer: Writer,
}

enum Writer {
    Csv(Box<csv::Writer<Sink>>),
    Jsonl(Sink),
}

enum Sink {
    File(BufWriter<NewFile>),
    StandardOutput(BufWriter<Stdout>),
}

impl Output {
    pub(super) fn open(
        path: Option<&Path>,
        format: Format,
        columns: Vec<String>,
    ) -> Result<Self, CommandError> {
        let shown = path.unwrap_or(Path::new("standard output")).to_owned();
        let sink = Sink::open(path).map_err(|source| CommandError::io("write", &shown, source))?;
        let writer = match format {
            Format::Csv => Writer::Csv(Box::new(csv::Writer::from_writer(sink))),
            Format::Jsonl => Writer::Jsonl(sink),
        };
        let mut output = Self {
            path: shown,
            columns,
            writer,
        };
        output.start()?;
        Ok(output)
    }

    fn start(&mut self) -> Result<(), CommandError> {
        let started = match &mut self.writer {
            Writer::Csv(csv) => csv.write_record(&self.columns).map_err(csv_error),
            Writer::Jsonl(_) => Ok(()),
        };
        self.written(started)
    }

    /// Writes the prediction for the row on this line.
    pub(super) fn write(
        &mut self,
        line: u64,
        predicted: &RowPrediction<'_>,
    ) -> Result<(), CommandError> {
        let written = match &mut self.writer {
            Writer::Csv(csv) => write_csv(csv, self.columns.len(), predicted).map_err(csv_error),
            Writer::Jsonl(sink) => write_json(sink, &self.columns, line, predicted),
        };
        self.written(written)
    }

    pub(super) fn flush(&mut self) -> Result<(), CommandError> {
        let flushed = match &mut self.writer {
            Writer::Csv(csv) => csv.flush(),
            Writer::Jsonl(sink) => sink.flush(),
        };
        self.written(flushed)
    }

    /// Completes the output: gives the file its name.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let sink = match self.writer {
            Writer::Csv(csv) => csv.into_inner().map_err(|error| error.into_error()),
            Writer::Jsonl(sink) => Ok(sink),
        };
        let finished = sink.and_then(Sink::finish);
        finished.map_err(|source| CommandError::io("write", &self.path, source))
    }

    fn written(&self, result: io::Result<()>) -> Result<(), CommandError> {
        result.map_err(|source| CommandError::io("write", &self.path, source))
    }
}

fn write_csv(
    csv: &mut csv::Writer<Sink>,
    columns: usize,
    predicted: &RowPrediction<'_>,
) -> Result<(), csv::Error> {
    match predicted {
        RowPrediction::Known(prediction, numbers) => {
            csv.write_field(text(prediction))?;
            for number in numbers {
                csv.write_field(number.to_string())?;
            }
        }
        RowPrediction::Missing | RowPrediction::Bad(_) => {
            for _ in 0..columns {
                csv.write_field("")?;
            }
        }
    }
    csv.write_record(None::<&[u8]>)
}

fn text(prediction: &Prediction<'_>) -> String {
    match prediction {
        Prediction::Class(name) => (*name).to_owned(),
        Prediction::Number(number) => number.to_string(),
    }
}

fn write_json(
    sink: &mut Sink,
    columns: &[String],
    line: u64,
    predicted: &RowPrediction<'_>,
) -> io::Result<()> {
    let mut json = serde_json::Serializer::new(&mut *sink);
    let mut object = json.serialize_map(None)?;
    match predicted {
        RowPrediction::Known(prediction, numbers) => {
            object.serialize_entry(&columns[0], prediction)?;
            for (column, number) in columns[1..].iter().zip(numbers) {
                object.serialize_entry(column, number)?;
            }
        }
        RowPrediction::Missing | RowPrediction::Bad(_) => {
            object.serialize_entry(&columns[0], &())?;
            object.serialize_entry("line", &line)?;
            object.serialize_entry("reason", &predicted.reason())?;
        }
    }
    object.end()?;
    sink.write_all(b"\n")
}

impl Sink {
    fn open(path: Option<&Path>) -> io::Result<Self> {
        Ok(match path {
            Some(path) => Self::File(BufWriter::new(NewFile::create(path)?)),
            None => Self::StandardOutput(BufWriter::new(io::stdout())),
        })
    }

    fn finish(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.into_inner()?.commit(),
            Self::StandardOutput(mut output) => output.flush(),
        }
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::StandardOutput(output) => output.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::StandardOutput(output) => output.flush(),
        }
    }
}

/// Returns the system's error behind an error of the CSV writer.
fn csv_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(source) => source,
        other => io::Error::other(format!("{other:?}")),
    }
}
