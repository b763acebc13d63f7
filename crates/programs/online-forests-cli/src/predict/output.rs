//! Where predictions are written.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use forest_core::files::NewFile;
use forest_model::{CommandError, Format, PredictionWriter, RowPrediction, Value};

/// Writes predictions as text, to a file that appears when it is complete, or to standard output.
pub(super) struct Output {
    path: PathBuf,
    writer: PredictionWriter<Sink>,
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
        let opened = Sink::open(path);
        let writer = opened.and_then(|sink| PredictionWriter::new(sink, format, columns));
        match writer {
            Ok(writer) => Ok(Self {
                path: shown,
                writer,
            }),
            Err(source) => Err(CommandError::io("write", &shown, source)),
        }
    }

    /// Writes the prediction for the row on this line.
    pub(super) fn write(
        &mut self,
        line: u64,
        predicted: &RowPrediction<'_>,
    ) -> Result<(), CommandError> {
        let written = match predicted {
            RowPrediction::Known(prediction, numbers) => {
                let numbers = numbers.iter().map(|&number| Value::Number(number));
                let values: Vec<Value<'_>> =
                    [(*prediction).into()].into_iter().chain(numbers).collect();
                self.writer.add(Ok(&values))
            }
            RowPrediction::Missing | RowPrediction::Bad(_) => {
                let reason = predicted.reason().unwrap_or_default();
                self.writer.add(Err((line, reason)))
            }
        };
        self.written(written)
    }

    pub(super) fn flush(&mut self) -> Result<(), CommandError> {
        let flushed = self.writer.flush();
        self.written(flushed)
    }

    /// Completes the output: gives the file its name.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let finished = self.writer.finish().and_then(Sink::finish);
        finished.map_err(|source| CommandError::io("write", &self.path, source))
    }

    fn written(&self, result: io::Result<()>) -> Result<(), CommandError> {
        result.map_err(|source| CommandError::io("write", &self.path, source))
    }
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
