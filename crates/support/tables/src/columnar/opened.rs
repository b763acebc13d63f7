//! A Parquet file, an Arrow file or an Arrow stream whose schema has been read, and its batches.

use std::io::{self, Cursor, Read};

use arrow_array::RecordBatch;
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use super::damage::{Failed, damage};
use crate::input::Bytes;

/// Batches, one after another.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// A file is in memory, a stream is not.
pub(super) enum Opened<'a> {
    Parquet(bytes::Bytes, ArrowReaderMetadata),
    ArrowFile(FileReader<Cursor<bytes::Bytes>>),
    ArrowStream(StreamReader<Watched<'a>>),
}

impl<'a> Opened<'a> {
    pub(super) fn parquet(content: bytes::Bytes) -> Result<Self, ArrowError> {
        let metadata = ArrowReaderMetadata::load(&content, ArrowReaderOptions::default())?;
        Ok(Self::Parquet(content, metadata))
    }

    pub(super) fn arrow_file(content: bytes::Bytes) -> Result<Self, ArrowError> {
        let reader = FileReader::try_new(Cursor::new(content), None)?;
        Ok(Self::ArrowFile(reader))
    }

    pub(super) fn arrow_stream(input: Bytes<'a>) -> Result<Self, ArrowError> {
        let is_at_end = false;
        let reader = StreamReader::try_new(Watched { input, is_at_end }, None)?;
        Ok(Self::ArrowStream(reader))
    }

    pub(super) fn schema(&self) -> SchemaRef {
        match self {
            Self::Parquet(_, metadata) => SchemaRef::clone(metadata.schema()),
            Self::ArrowFile(reader) => reader.schema(),
            Self::ArrowStream(reader) => reader.schema(),
        }
    }

    /// Batches of some columns, in the order of the file.
    pub(super) fn batches(self, used: Vec<usize>) -> Result<Batches<'a>, ArrowError> {
        Ok(match self {
            Self::Parquet(content, metadata) => {
                let columns = ProjectionMask::roots(metadata.parquet_schema(), used);
                let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(content, metadata);
                Box::new(builder.with_projection(columns).build()?)
            }
            Self::ArrowFile(reader) => {
                let content = Cursor::new(reader.get_ref().get_ref().clone());
                let reader = FileReader::try_new(content, Some(used))?;
                let left = reader.num_batches();
                Box::new(File { reader, left })
            }
            Self::ArrowStream(reader) => Box::new(Stream { reader, used }),
        })
    }
}

/// A file, which knows how many batches it has.
struct File {
    reader: FileReader<Cursor<bytes::Bytes>>,
    left: usize,
}

impl Iterator for File {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.next() {
            // The reader takes a message without a kind for the end.
            None if self.left > 0 => Some(Err(damage("there are fewer batches than it says"))),
            next => {
                self.left = self.left.saturating_sub(1);
                next
            }
        }
    }
}

/// A stream, which decodes all columns.
struct Stream<'a> {
    reader: StreamReader<Watched<'a>>,
    used: Vec<usize>,
}

impl Iterator for Stream<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.next() {
            None => self.reader.get_mut().check_end().err().map(Err),
            next => Some(next?.and_then(|batch| batch.project(&self.used))),
        }
    }
}

/// An input that remembers whether there was an attempt to read behind its end.
pub(super) struct Watched<'a> {
    input: Bytes<'a>,
    is_at_end: bool,
}

impl Watched<'_> {
    /// Checks that the input ends after the stream. Writers may omit the mark at the end of a stream, but then it is
    /// unknown whether it was cut short.
    fn check_end(&mut self) -> Result<(), ArrowError> {
        if self.is_at_end {
            return Err(damage(
                "the mark at its end is missing, so that it may have been cut short",
            ));
        }
        match self.read(&mut [0])? {
            0 => Ok(()),
            _ => Err(damage("it continues after the mark at its end")),
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(out);
        let read = read.map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ => io::Error::other(Failed(error)),
        })?;
        self.is_at_end = read == 0 && !out.is_empty();
        Ok(read)
    }
}
