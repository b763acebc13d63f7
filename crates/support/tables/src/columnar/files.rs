//! Parquet and Arrow files as batches of columns. What a file states about its sizes is checked before a decoder takes
//! memory for it: an allocation that fails would end the program.

use std::io::Read;
use std::iter;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary, read_footer_length};
use arrow_ipc::{root_as_footer, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use bytes::Bytes as Content;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, RowGroups,
};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageIterator, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::serialized_reader::SerializedPageReader;

use crate::TableError;
use crate::error::{MAX_CONTENT, Result, refuse};
use crate::input::Bytes;

/// The number of rows that are decoded and written as text at a time.
pub(super) const ROWS: usize = 1024;

/// The number of characters that are shown of an error, which may quote a long schema.
const SHOWN: usize = 200;

/// Lengths of texts in one page.
const MAX_LENGTHS: u64 = MAX_CONTENT / 16;

/// Batches, one after another.
pub(super) type Batches<'a> = Box<dyn Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'a>;

/// Makes batches of some columns, in the order of the file.
pub(super) type Start<'a> =
    Box<dyn FnOnce(Vec<usize>) -> Result<Batches<'a>, ArrowError> + Send + 'a>;

type Opened<'a> = Result<(SchemaRef, Start<'a>), ArrowError>;

/// Reads the schema; of a file, all of it.
pub(super) fn open<'a>(format: &str, input: Bytes<'a>) -> Result<(SchemaRef, Start<'a>)> {
    if format == "Arrow stream" {
        return decoded(|| arrow_stream(input));
    }
    let mut content = Vec::new();
    input.take(MAX_CONTENT + 1).read_to_end(&mut content)?;
    if content.len() as u64 > MAX_CONTENT {
        refuse!("more than 2 GiB; convert it to CSV and read that");
    }
    decoded(|| match format {
        "Arrow" => arrow_file(content),
        _ => parquet(content.into()),
    })
}

/// Returns the result of a decoder; a panic of a decoder, which is printed, is damage, too.
pub(super) fn decoded<T>(decode: impl FnOnce() -> Result<T, ArrowError>) -> Result<T> {
    let panicked = |_| Err(damage("its parts contradict each other"));
    let decoded = panic::catch_unwind(AssertUnwindSafe(decode)).unwrap_or_else(panicked);
    decoded.map_err(|error| {
        let what: String = error.to_string().chars().take(SHOWN).collect();
        TableError::of_input(format!(
            "cannot be read as Parquet or Arrow: {what}; fetch or write the file again"
        ))
    })
}

/// Returns an error for damage that decoders do not find.
fn damage(what: &str) -> ArrowError {
    ArrowError::ParseError(what.to_owned())
}

/// A message of Arrow and the content of its buffers.
type Message = (Vec<u8>, Vec<u8>);

fn arrow_file<'a>(content: Vec<u8>) -> Opened<'a> {
    let (rest, end) = content.split_last_chunk().ok_or_else(cut_short)?;
    let start = rest.len().checked_sub(read_footer_length(*end)?);
    let footer = root_as_footer(&rest[start.ok_or_else(cut_short)?..]);
    let footer = footer.map_err(|_| damage("its footer is damaged"))?;
    let schema = schema(footer.schema())?;
    let batches = footer.recordBatches();
    let batches = batches.ok_or_else(|| damage("its footer names no batches"))?;
    let blocks = footer.dictionaries().into_iter().flatten().chain(batches);
    let places: Vec<_> = blocks.map(|block| block.offset() as usize).collect();
    let message_at = move |place: usize| -> Result<Message, ArrowError> {
        message(&mut content.get(place..).unwrap_or_default())?.ok_or_else(cut_short)
    };
    let mut messages = places.into_iter().map(message_at);
    let next = move || messages.next().transpose();
    Ok((Arc::clone(&schema), batches_of(schema, next)))
}

fn arrow_stream(mut input: Bytes<'_>) -> Opened<'_> {
    let first = message(&mut input)?.ok_or_else(cut_short)?;
    let schema = schema(parsed(&first.0)?.header_as_schema())?;
    let next = move || match message(&mut input)? {
        None if input.read(&mut [0])? > 0 => Err(damage("it continues after the mark at its end")),
        message => Ok(message),
    };
    Ok((Arc::clone(&schema), batches_of(schema, next)))
}

fn schema(encoded: Option<arrow_ipc::Schema<'_>>) -> Result<SchemaRef, ArrowError> {
    let encoded = encoded.ok_or_else(|| damage("its schema is missing"))?;
    if !encoded.endianness().equals_to_target_endianness() {
        return Err(damage("its numbers are in another order of bytes"));
    }
    Ok(Arc::new(try_fb_to_schema(encoded)?))
}

/// Decodes some columns of each batch.
fn batches_of<'a>(
    schema: SchemaRef,
    mut next: impl FnMut() -> Result<Option<Message>, ArrowError> + Send + 'a,
) -> Start<'a> {
    Box::new(move |used| {
        let mut dictionaries = Default::default();
        let mut batch = move || {
            while let Some((header, body)) = next()? {
                let header = parsed(&header)?;
                let version = header.version();
                if let Some(batch) = header.header_as_record_batch() {
                    check_batch(&batch, &body)?;
                    let schema = Arc::clone(&schema);
                    let body = body.into();
                    let decoder =
                        RecordBatchDecoder::try_new(&body, batch, schema, &dictionaries, &version)?;
                    let decoder = decoder.with_projection(Some(&used));
                    return decoder.read_record_batch().map(Some);
                }
                let shared = header.header_as_dictionary_batch();
                let shared = shared.ok_or_else(|| damage("a message is of unknown kind"))?;
                check_batch(&shared.data().ok_or_else(cut_short)?, &body)?;
                read_dictionary(&body.into(), shared, &schema, &mut dictionaries, &version)?;
            }
            Ok(None)
        };
        Ok(Box::new(iter::from_fn(move || batch().transpose())))
    })
}

fn parsed(header: &[u8]) -> Result<arrow_ipc::Message<'_>, ArrowError> {
    root_as_message(header).map_err(|_| damage("a message is damaged"))
}

/// Reads a message; `None` at the mark of the end.
fn message(input: &mut dyn Read) -> Result<Option<Message>, ArrowError> {
    let mut length = exactly(input, 4)?;
    if length == [0xff; 4] {
        length = exactly(input, 4)?;
    }
    let length = u32::from_le_bytes(*length.first_chunk().ok_or_else(cut_short)?);
    if length == 0 {
        return Ok(None);
    }
    let header = exactly(input, length.into())?;
    let length = parsed(&header)?.bodyLength() as u64;
    Ok(Some((header, exactly(input, length)?)))
}

/// Reads this many bytes.
fn exactly(input: &mut dyn Read, length: u64) -> Result<Vec<u8>, ArrowError> {
    let mut bytes = Vec::new();
    let mut input = input.take(length.min(MAX_CONTENT));
    input.read_to_end(&mut bytes)?;
    if bytes.len() as u64 == length {
        return Ok(bytes);
    }
    Err(cut_short())
}

/// Writers may omit the mark at the end of a stream, but then it is unknown whether it was cut short.
fn cut_short() -> ArrowError {
    damage("the mark at its end is missing, so that it may have been cut short")
}

/// Checks the sizes of unpacked buffers, and that there are not more rows than bits.
fn check_batch(batch: &arrow_ipc::RecordBatch<'_>, body: &[u8]) -> Result<(), ArrowError> {
    let mut content = 0_u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let packed = batch.compression().filter(|_| buffer.length() > 0);
        let stated = packed.and_then(|_| body.get(buffer.offset() as usize..)?.first_chunk());
        // A buffer that is not packed after all states a length of -1.
        let size = stated.map_or(0, |stated| i64::from_le_bytes(*stated));
        content = content.saturating_add(size.max(buffer.length()) as u64);
    }
    if content > MAX_CONTENT || batch.length() as u64 > 8 * content {
        return Err(damage("a batch states more content than it has"));
    }
    Ok(())
}

fn parquet<'a>(content: Content) -> Opened<'a> {
    let metadata = ArrowReaderMetadata::load(&content, ArrowReaderOptions::default())?;
    let schema = Arc::clone(metadata.schema());
    let fields = schema.fields().clone();
    let start = move |used| -> Result<Batches<'a>, ArrowError> {
        let columns = ProjectionMask::roots(metadata.parquet_schema(), used);
        let levels =
            parquet_to_arrow_field_levels(metadata.parquet_schema(), columns, Some(&fields))?;
        let groups = Groups {
            content: Arc::new(content),
            metadata: Arc::clone(metadata.metadata()),
            column: 0,
            next: 0,
        };
        let batches =
            ParquetRecordBatchReader::try_new_with_row_groups(&levels, &groups, ROWS, None)?;
        Ok(Box::new(batches))
    };
    Ok((schema, Box::new(start)))
}

/// The groups of rows of a Parquet file, and an iterator over a column in each.
#[derive(Clone)]
struct Groups {
    content: Arc<Content>,
    metadata: Arc<ParquetMetaData>,
    column: usize,
    next: usize,
}

impl RowGroups for Groups {
    fn num_rows(&self) -> usize {
        self.metadata.file_metadata().num_rows() as usize
    }

    fn column_chunks(&self, column: usize) -> ParquetResult<Box<dyn PageIterator>> {
        let mut chunks = self.clone();
        chunks.column = column;
        Ok(Box::new(chunks))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(self.metadata.row_groups().iter())
    }

    fn metadata(&self) -> &ParquetMetaData {
        &self.metadata
    }
}

impl PageIterator for Groups {}

impl Iterator for Groups {
    type Item = ParquetResult<Box<dyn PageReader>>;

    fn next(&mut self) -> Option<Self::Item> {
        let group = self.metadata.row_groups().get(self.next)?;
        self.next += 1;
        let chunk = group.column(self.column);
        let rows = group.num_rows() as usize;
        let has_levels = chunk.column_descr().max_def_level() > 0;
        let pages = SerializedPageReader::new(Arc::clone(&self.content), chunk, rows, None);
        Some(pages.map(|pages| Box::new(Pages { pages, has_levels }) as _))
    }
}

/// Pages that are checked.
struct Pages {
    pages: SerializedPageReader<Content>,
    /// Whether marks of missing values stand before the values.
    has_levels: bool,
}

impl Iterator for Pages {
    type Item = ParquetResult<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> ParquetResult<Option<Page>> {
        let page = self.pages.get_next_page()?;
        if page.as_ref().is_some_and(|page| self.check(page).is_none()) {
            let text = "a page states more values than it has".to_owned();
            return Err(ParquetError::General(text));
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> ParquetResult<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> ParquetResult<()> {
        self.pages.skip_next_page()
    }
}

impl Pages {
    /// Checks the numbers for which decoders take memory: of shared values, and of lengths of texts. `None` if they are
    /// wrong.
    fn check(&self, page: &Page) -> Option<()> {
        let mut values = &page.buffer()[..];
        let runs = match page.encoding() {
            _ if page.is_dictionary_page() => {
                return (page.num_values() as usize <= values.len()).then_some(());
            }
            Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
            Encoding::DELTA_BYTE_ARRAY => 2,
            _ => return Some(()),
        };
        let levels = match page {
            Page::DataPageV2 {
                def_levels_byte_len,
                ..
            } => *def_levels_byte_len as usize,
            // They begin with their length.
            _ if self.has_levels => 4 + u32::from_le_bytes(*values.first_chunk()?) as usize,
            _ => 0,
        };
        values = values.get(levels..)?;
        (0..runs).try_for_each(|_| skip_lengths(&mut values))
    }
}

/// Skips lengths that are stored as differences, in blocks of parts with a bit width each.
fn skip_lengths(bytes: &mut &[u8]) -> Option<()> {
    let block = varint(bytes)?;
    let parts = varint(bytes)?;
    let count = varint(bytes)?;
    let _first = varint(bytes)?;
    let part = block.checked_div(parts).filter(|part| *part > 0)?;
    let mut left = count.saturating_sub(1);
    if count > MAX_LENGTHS {
        return None;
    }
    while left > 0 {
        let _smallest = varint(bytes)?;
        let (widths, mut rest) = bytes.split_at_checked(parts as usize)?;
        for bits in widths.iter().take(left.div_ceil(part) as usize) {
            rest = rest.get((u64::from(*bits).checked_mul(part)? / 8) as usize..)?;
        }
        left = left.saturating_sub(block);
        *bytes = rest;
    }
    Some(())
}

/// Reads a number of seven bits a byte, of which the lowest come first.
fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..63).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            return Some(number);
        }
    }
    None
}
