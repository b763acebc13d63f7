//! Parquet and Arrow files mean what a CSV file would.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, BooleanArray, DictionaryArray, Float64Array, NullArray, RecordBatch};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use tables::{Columns, Kind, Missing, Record, Records, TableError, TableOptions, TargetColumn};

const CSV: &[u8] = include_bytes!("../../../datasets/tests/fixtures/houses.csv");
const PARQUET: &[u8] = include_bytes!("../../../datasets/tests/fixtures/houses.parquet");

type Features = (Vec<String>, Vec<Vec<f32>>);

fn features(bytes: &[u8]) -> Result<Features, TableError> {
    let options = TableOptions {
        missing: Missing::Indicator,
        ..TableOptions::default()
    };
    let records = Records::new(bytes, &options)?;
    let header = records.header().clone();
    let rows = records.collect::<Result<Vec<Record>, _>>()?;
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, &options)?;
    let layout = columns.own_layout();
    let features = |row| -> Result<Vec<f32>, TableError> {
        let mut out = Vec::new();
        let _ = columns.features(&layout, row, &mut out)?;
        Ok(out)
    };
    let rows = rows.iter().map(features).collect::<Result<_, _>>()?;
    Ok((columns.feature_names(), rows))
}

fn some_batch() -> RecordBatch {
    let words: DictionaryArray<Int32Type> = [Some("red"), None, Some("blue")].into_iter().collect();
    let columns: [(&str, ArrayRef); 4] = [
        (
            "third",
            Arc::new(Float64Array::from(vec![
                Some(1.0 / 3.0),
                Some(f64::NAN),
                Some(1e-300),
            ])),
        ),
        ("word", Arc::new(words)),
        (
            "truth",
            Arc::new(BooleanArray::from(vec![true, false, true])),
        ),
        ("nothing", Arc::new(NullArray::new(3))),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

fn arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    writer.into_inner().unwrap()
}

fn parquet(batch: &RecordBatch, compression: Compression) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let properties = WriterProperties::builder()
        .set_compression(compression)
        .build();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties)).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
    bytes.into_inner()
}

fn cells(bytes: &[u8]) -> Vec<Vec<String>> {
    let rows = Records::new(bytes, &TableOptions::default()).unwrap();
    rows.map(|row| row.unwrap().cells.iter().map(str::to_owned).collect())
        .collect()
}

#[test]
fn the_same_table_has_the_same_features() {
    let (names, rows) = features(CSV).unwrap();
    assert_eq!((names.len(), rows.len()), (13, 240));
    assert_eq!(features(PARQUET).unwrap(), (names, rows));
}

#[test]
fn every_file_and_codec_has_the_same_cells() {
    let batch = some_batch();
    let expected = cells(&arrow_file(&batch));
    assert_eq!(expected[0][1..], ["red", "true", ""]);
    assert_eq!(expected[0][0].parse(), Ok(1.0 / 3.0));
    assert_eq!(expected[1][..3], ["NaN", "", "false"]);
    assert_eq!(expected[2][0].parse(), Ok(1e-300));
    assert_eq!(cells(&arrow_stream(&batch)), expected);
    let without_nulls = batch.project(&[0, 1, 2]).unwrap();
    let expected = cells(&arrow_file(&without_nulls));
    for compression in [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
    ] {
        assert_eq!(
            cells(&parquet(&without_nulls, compression)),
            expected,
            "{compression}"
        );
    }
}

#[test]
fn numbers_are_declared() {
    let header = Records::new(PARQUET, &TableOptions::default())
        .unwrap()
        .header()
        .clone();
    let kinds: Vec<bool> = header
        .columns()
        .iter()
        .map(|column| column.kind == Kind::Numeric)
        .collect();
    assert_eq!(kinds, [true, true, false, false, false, true]);
}

#[test]
fn cut_files_are_refused() {
    for length in (4..PARQUET.len()).step_by(7) {
        let error = features(&PARQUET[..length]).unwrap_err().to_string();
        assert!(
            error.contains("cannot be read as Parquet or Arrow"),
            "{length}: {error}"
        );
    }
}

/// Reads the file with a bit of each byte flipped in turn.
fn survives_flipped_bits<T>(mut file: Vec<u8>, read: impl Fn(&[u8]) -> T) {
    for at in 0..file.len() {
        let bit = 1 << (at % 8);
        file[at] ^= bit;
        read(&file);
        file[at] ^= bit;
    }
}

/// This file has 240 rows, and fitting columns to them would double the time: only files of three rows are read so far.
#[test]
fn damaged_parquet_does_not_panic() {
    let records = |bytes: &[u8]| Records::new(bytes, &TableOptions::default()).map(Iterator::count);
    survives_flipped_bits(PARQUET.to_vec(), records);
}

#[test]
fn damaged_files_of_three_rows_do_not_panic() {
    let batch = some_batch();
    let without_nulls = batch.project(&[0, 1, 2]).unwrap();
    for file in [
        parquet(&without_nulls, Compression::SNAPPY),
        arrow_file(&batch),
        arrow_stream(&batch),
    ] {
        survives_flipped_bits(file, features);
    }
}
