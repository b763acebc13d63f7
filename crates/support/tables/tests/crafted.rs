//! Parquet and Arrow files whose numbers lie about sizes are refused, before memory is taken for what they state.

use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, NullArray, RecordBatch, StringViewArray};
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::Encoding;
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder};
use tables::{Records, TableError, TableOptions};

/// Returns how many rows a file has.
fn rows(file: &[u8]) -> Result<usize, TableError> {
    let rows = Records::new(file, &TableOptions::default())?;
    Ok(rows.collect::<Result<Vec<_>, _>>()?.len())
}

fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
    RecordBatch::try_from_iter(columns).unwrap()
}

/// Returns an Arrow file and an Arrow stream.
fn arrow(batch: &RecordBatch, packed: Option<CompressionType>) -> [Vec<u8>; 2] {
    let options = IpcWriteOptions::default();
    let options = options.try_with_compression(packed).unwrap();
    let schema = &batch.schema();
    let mut file = FileWriter::try_new_with_options(vec![], schema, options.clone()).unwrap();
    let mut stream = StreamWriter::try_new_with_options(vec![], schema, options).unwrap();
    file.write(batch).unwrap();
    stream.write(batch).unwrap();
    [file.into_inner().unwrap(), stream.into_inner().unwrap()]
}

/// Puts other bytes of the same number wherever these are.
fn replaced(mut file: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut found = false;
    for at in 0..=file.len() - old.len() {
        if file[at..].starts_with(old) {
            file[at..at + old.len()].copy_from_slice(new);
            found = true;
        }
    }
    assert!(found);
    file
}

#[test]
fn packed_buffers_of_arrow_are_read_and_their_lengths_are_not_believed() {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..1003));
    for packed in [CompressionType::LZ4_FRAME, CompressionType::ZSTD] {
        for file in arrow(&batch(vec![("a", numbers.clone())]), Some(packed)) {
            assert_eq!(rows(&file).unwrap(), 1003);
            for length in [
                -2,
                8 * 1003 - 1,
                8 * 1003 + 1,
                1 << 32,
                1 << 35,
                1 << 42,
                i64::MAX,
            ] {
                let stated = (8 * 1003_i64).to_le_bytes();
                let file = replaced(file.clone(), &stated, &length.to_le_bytes());
                let error = rows(&file).unwrap_err().to_string();
                assert!(
                    error.contains("cannot be read as Parquet or Arrow"),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn numbers_of_rows_of_arrow_need_content() {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..1003).map(|i| i % 3)));
    for column in [Arc::new(NullArray::new(1003)), numbers] {
        for file in arrow(&batch(vec![("a", column)]), None) {
            for count in [-1, 1 << 31, 1 << 60] {
                let file = replaced(
                    file.clone(),
                    &1003_i64.to_le_bytes(),
                    &i64::to_le_bytes(count),
                );
                assert!(rows(&file).is_err(), "{count}");
            }
        }
    }
}

fn parquet(column: ArrayRef, properties: WriterPropertiesBuilder) -> Vec<u8> {
    let batch = batch(vec![("a", column)]);
    let writer = ArrowWriter::try_new(vec![], batch.schema(), Some(properties.build()));
    let mut writer = writer.unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

/// Puts a longer number behind the first place of these bytes; bytes before the footer make room for it.
fn spliced(mut file: Vec<u8>, before: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let end = file.len() - 8;
    let footer = end - u32::from_le_bytes(*file[end..].first_chunk().unwrap()) as usize;
    let place = [before, old].concat();
    let at = file.windows(place.len()).position(|bytes| bytes == place);
    let at = at.unwrap() + before.len();
    file.drain(footer + old.len() - new.len()..footer);
    file.splice(at..at + old.len(), new.iter().copied());
    file
}

/// 2³¹ - 1, as Thrift writes it.
const MOST: &[u8] = b"\xfe\xff\xff\xff\x0f";

#[test]
fn numbers_of_values_of_parquet_are_not_believed() {
    let words: ArrayRef = Arc::new(StringViewArray::from_iter_values(
        (0..50).map(|i| format!("word {i}")),
    ));
    let plain = WriterProperties::builder().set_dictionary_enabled(false);
    let of = |encoding| plain.clone().set_column_encoding("a".into(), encoding);
    let lengths: &[u8] = b"\x80\x01\x04";
    let count = b"\xff\xff\xff\xff\xff\xff\x0f";
    for (name, properties, before, old, new) in [
        // Field 7 of a page header, whose first field is the number of values.
        (
            "dictionary",
            WriterProperties::builder(),
            &b"\x4c\x15"[..],
            b"\x64",
            MOST,
        ),
        // The size of a block and its parts, then the number of lengths.
        (
            "lengths",
            of(Encoding::DELTA_LENGTH_BYTE_ARRAY),
            lengths,
            b"\x32",
            count,
        ),
        (
            "prefixes",
            of(Encoding::DELTA_BYTE_ARRAY),
            lengths,
            b"\x32",
            count,
        ),
    ] {
        let file = parquet(words.clone(), properties);
        assert_eq!(rows(&file).unwrap(), 50, "{name}");
        let error = rows(&spliced(file, before, old, new))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("cannot be read as Parquet or Arrow"),
            "{error}"
        );
    }
}
