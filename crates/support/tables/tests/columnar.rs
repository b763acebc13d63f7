//! Parquet and Arrow files mean what a CSV file would.

use std::io::Cursor;
use std::sync::Arc;

use arrow_array::builder::{Int64Builder, MapBuilder};
use arrow_array::types::Int64Type;
use arrow_array::{
    ArrayRef, BinaryArray, Float64Array, Int64Array, IntervalYearMonthArray, ListArray,
    RecordBatch, StructArray, TimestampSecondArray,
};
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{DataType, Field};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use tables::{Columns, Kind, Missing, Record, Records, TableError, TableOptions, TargetColumn};

const CSV: &[u8] = include_bytes!("../../../../datasets/tests/fixtures/houses.csv");
const PARQUET: &[u8] = include_bytes!("../../../../datasets/tests/fixtures/houses.parquet");

type Features = (Vec<String>, Vec<Vec<f32>>);

fn features(bytes: &[u8]) -> Result<Features, TableError> {
    let options = TableOptions {
        missing: Some(Missing::Indicator),
        ..TableOptions::default()
    };
    let records = Records::new(bytes, &options)?;
    let header = records.header().clone();
    let rows = records.collect::<Result<Vec<Record>, _>>()?;
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options)?;
    let layout = columns.own_layout();
    let features = |row| -> Result<Vec<f32>, TableError> {
        let mut out = Vec::new();
        let _ = columns.features(&layout, row, &mut out)?;
        Ok(out)
    };
    let rows = rows.iter().map(features).collect::<Result<_, _>>()?;
    Ok((columns.feature_names(), rows))
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

#[test]
fn the_same_table_has_the_same_features() {
    let (names, rows) = features(CSV).unwrap();
    assert_eq!((names.len(), rows.len()), (13, 240));
    assert_eq!(features(PARQUET).unwrap(), (names, rows));
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

fn arrow_table<const N: usize>(columns: [(&str, ArrayRef); N]) -> Vec<u8> {
    arrow_file(&RecordBatch::try_from_iter(columns).unwrap())
}

/// Returns one row with each of the types that no cell can hold.
fn unreadable() -> RecordBatch {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let list = ListArray::from_iter_primitive::<Int64Type, _, _>([Some([Some(1)]), None]);
    let field = |name| Arc::new(Field::new(name, DataType::Int64, false));
    let pair = StructArray::from(vec![(field("p"), Arc::clone(&numbers))]);
    let mut map = MapBuilder::new(None, Int64Builder::new(), Int64Builder::new());
    map.append(true).unwrap();
    map.append(true).unwrap();
    let months = IntervalYearMonthArray::from(vec![1, 2]);
    let columns: [(&str, ArrayRef); 5] = [
        ("list", Arc::new(list)),
        ("struct", Arc::new(pair)),
        ("map", Arc::new(map.finish())),
        ("months", Arc::new(months)),
        ("number", numbers),
    ];
    RecordBatch::try_from_iter(columns).unwrap()
}

#[test]
fn columns_that_no_cell_can_hold_are_refused_where_they_are_used() {
    let options = |drop: &[&str]| TableOptions {
        drop: drop.iter().map(|name| (*name).to_owned()).collect(),
        ..TableOptions::default()
    };
    let batch = unreadable();
    let columns = ["list", "struct", "map", "months"];
    let values = ["lists", "structs", "maps", "intervals of months and days"];
    // Parquet has no intervals of months alone.
    let parquet = parquet(&batch.project(&[0, 1, 2, 4]).unwrap(), Compression::SNAPPY);
    for (file, width) in [
        (arrow_file(&batch), 4),
        (arrow_stream(&batch), 4),
        (parquet, 3),
    ] {
        let records = Records::new(file.as_slice(), &TableOptions::default()).unwrap();
        let header = records.header().clone();
        let rows: Vec<Record> = records.map(Result::unwrap).collect();
        assert!(
            rows[1].cells.iter().take(width).all(str::is_empty) && &rows[1].cells[width] == "2"
        );
        for (used, values) in values[..width].iter().enumerate() {
            let others: Vec<&str> = columns[..width]
                .iter()
                .copied()
                .filter(|name| *name != columns[used])
                .collect();
            let error = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options(&others))
                .unwrap_err();
            let says = error.to_string();
            let expected = format!(
                "column `{}` holds {values}, which are neither numbers nor text; leave it out with --drop {0}",
                columns[used]
            );
            assert!(says.starts_with(&expected), "{says}");
            let target = TargetColumn::Named(columns[used].to_owned());
            let error = Columns::fit(&header, &rows, &target, None, &options(&others)).unwrap_err();
            assert!(error.to_string().starts_with(&expected), "{error}");
        }
    }
}

/// A table to predict may have a column of another type than the one that was learned.
#[test]
fn a_column_that_cells_cannot_hold_is_rejected_as_a_feature_of_a_later_table() {
    let options = TableOptions::default();
    let (columns, _) = crate::fit("list,number\n1,2\n3,4\n", &options).unwrap();
    let header = |file: Vec<u8>| {
        Records::new(file.as_slice(), &options)
            .unwrap()
            .header()
            .clone()
    };
    let error = columns
        .layout(&header(arrow_file(&unreadable())))
        .unwrap_err();
    assert!(
        error.to_string().starts_with("column `list` holds lists"),
        "{error}"
    );
    let (columns, _) = crate::fit("number,y\n1,2\n3,4\n", &options).unwrap();
    assert!(columns.layout(&header(arrow_file(&unreadable()))).is_ok());
}

/// Older writers leave out that bytes are text; other bytes are none.
#[test]
fn bytes_are_text_if_they_are_utf_8_and_a_bad_row_else() {
    let bytes: Vec<&[u8]> = vec![b"red", "gr\u{fc}n".as_bytes(), b"\xff\x00"];
    let file = arrow_table([("b", Arc::new(BinaryArray::from(bytes)) as ArrayRef)]);
    let rows: Vec<_> = Records::new(file.as_slice(), &TableOptions::default())
        .unwrap()
        .collect();
    assert_eq!(&rows[1].as_ref().unwrap().cells[0], "gr\u{fc}n");
    let error = rows[2].as_ref().unwrap_err();
    assert!(!error.ends_the_table());
    let says = error.to_string();
    assert!(
        says.contains("line 3: a value in column `b` is bytes, not text in UTF-8")
            && says.contains("--drop b"),
        "{says}"
    );
}

/// A timestamp that no calendar has is a bad row, and the next one is read.
#[test]
fn a_value_that_has_no_text_is_a_bad_row() {
    let days = TimestampSecondArray::from(vec![i64::MAX, 0]);
    let file = arrow_table([("t", Arc::new(days) as ArrayRef)]);
    let rows: Vec<_> = Records::new(file.as_slice(), &TableOptions::default())
        .unwrap()
        .collect();
    let error = rows[0].as_ref().unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a value in column `t` cannot be written as text"),
        "{error}"
    );
    assert_eq!(&rows[1].as_ref().unwrap().cells[0], "1970-01-01T00:00:00");
}

fn numbers() -> ArrayRef {
    Arc::new(Float64Array::from(vec![0.5, 1.5, 2.5]))
}

#[test]
fn dates_by_type_are_not_a_guess() {
    let seconds = vec![0, 86_400, 31 * 86_400];
    let times: [ArrayRef; 2] = [
        Arc::new(TimestampSecondArray::from(seconds.clone())),
        Arc::new(TimestampSecondArray::from(seconds).with_timezone("+02:00")),
    ];
    for times in times {
        let batch = RecordBatch::try_from_iter([("when", times), ("y", numbers())]).unwrap();
        let bytes = parquet(&batch, Compression::SNAPPY);
        for dates in [
            tables::Dates::Auto,
            tables::Dates::Pattern("%d/%m/%Y".to_owned()),
        ] {
            let options = TableOptions {
                dates: Some(dates),
                ..TableOptions::default()
            };
            let records = Records::new(bytes.as_slice(), &options).unwrap();
            let header = records.header().clone();
            let rows: Vec<Record> = records.map(Result::unwrap).collect();
            let (columns, warnings) =
                Columns::fit(&header, &rows, &TargetColumn::Last, None, &options).unwrap();
            assert_eq!((columns.dates(), warnings), (vec![0], Vec::new()));
        }
        assert_eq!(features(&bytes).unwrap().1, [[0.0], [1.0], [31.0]]);
    }
}
