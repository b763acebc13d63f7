//! Parquet and Arrow files mean what a CSV file would.

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
use tables::{Columns, Header, Missing, Record, Records, TableError, TableOptions};

const CSV: &[u8] = include_bytes!("../../../../datasets/tests/fixtures/houses.csv");
const PARQUET: &[u8] = include_bytes!("../../../../datasets/tests/fixtures/houses.parquet");

type Features = (Vec<String>, Vec<Vec<f32>>);

fn read(bytes: &[u8], options: &TableOptions) -> Result<(Header, Vec<Record>), TableError> {
    let records = Records::new(bytes, options)?;
    let header = records.header().clone();
    Ok((header, records.collect::<Result<_, _>>()?))
}

fn features(bytes: &[u8]) -> Result<Features, TableError> {
    let options = TableOptions {
        missing: Some(Missing::Indicator),
        ..TableOptions::default()
    };
    let (header, rows) = read(bytes, &options)?;
    let (columns, _) = Columns::fit(&header, &rows, "last", None, &options)?;
    let layout = columns.own_layout();
    let features = |row| -> Result<Vec<f32>, TableError> {
        let mut out = Vec::new();
        columns.features(&layout, row, &mut out)?;
        Ok(out)
    };
    let rows = rows.iter().map(features).collect::<Result<_, _>>()?;
    Ok((columns.feature_names(), rows))
}

fn arrow_file(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = FileWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn arrow_stream(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

fn parquet(batch: &RecordBatch) -> Vec<u8> {
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    writer.write(batch).unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn the_same_table_has_the_same_features() {
    let (names, rows) = features(CSV).unwrap();
    assert_eq!((names.len(), rows.len()), (13, 240));
    assert_eq!(features(PARQUET).unwrap(), (names, rows));
}

/// Returns two rows with each of the types that no cell can hold.
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
    let batch = unreadable();
    let columns = ["list", "struct", "map", "months"];
    let types = ["List(", "Struct(", "Map(", "Interval("];
    // Parquet has no intervals of months alone.
    let parquet = parquet(&batch.project(&[0, 1, 2, 4]).unwrap());
    for (file, width) in [
        (arrow_file(&batch), 4),
        (arrow_stream(&batch), 4),
        (parquet, 3),
    ] {
        let (header, rows) = read(&file, &TableOptions::default()).unwrap();
        let mut cells = rows[1].cells.iter();
        assert!(cells.by_ref().take(width).all(str::is_empty) && cells.next() == Some("2"));
        for (used, values) in types[..width].iter().enumerate() {
            let mut options = TableOptions::default();
            let others = columns[..width].iter().filter(|it| **it != columns[used]);
            options.drop = others.map(|name| (*name).to_owned()).collect();
            let expected = format!("column `{}` holds values of type {values}", columns[used]);
            for target in ["last", columns[used]] {
                let error = Columns::fit(&header, &rows, target, None, &options).unwrap_err();
                assert!(error.to_string().starts_with(&expected), "{error}");
            }
        }
    }
}

/// A table to predict may have a column of another type than the one that was learned.
#[test]
fn a_column_that_cells_cannot_hold_is_rejected_as_a_feature_of_a_later_table() {
    let options = TableOptions::default();
    let (header, _) = read(&arrow_file(&unreadable()), &options).unwrap();
    let (columns, _) = crate::fit("list,number\n1,2\n3,4\n", &options).unwrap();
    let error = columns.layout(&header).unwrap_err().to_string();
    assert!(
        error.starts_with("column `list` holds values of type List("),
        "{error}"
    );
    let (columns, _) = crate::fit("number,y\n1,2\n3,4\n", &options).unwrap();
    assert!(columns.layout(&header).is_ok());
}

/// Older writers leave out that bytes are text, other bytes are none; and a timestamp that no calendar has has no text.
/// The next row is read.
#[test]
fn a_value_that_has_no_text_is_a_bad_row() {
    let bytes: Vec<&[u8]> = vec![b"\xff\x00", "gr\u{fc}n".as_bytes()];
    let bytes: ArrayRef = Arc::new(BinaryArray::from(bytes));
    let days: ArrayRef = Arc::new(TimestampSecondArray::from(vec![i64::MAX, 0]));
    for (values, says, next) in [
        (bytes, "cannot be written as text", "gr\u{fc}n"),
        (days, "cannot be written as text", "1970-01-01T00:00:00"),
    ] {
        let file = arrow_file(&RecordBatch::try_from_iter([("t", values)]).unwrap());
        let records = Records::new(file.as_slice(), &TableOptions::default());
        let rows: Vec<_> = records.unwrap().collect();
        let error = rows[0].as_ref().unwrap_err();
        let says = format!("line 1: a value in column `t` {says}");
        assert!(error.to_string().starts_with(&says) && !error.ends_the_table());
        assert_eq!(&rows[1].as_ref().unwrap().cells[0], next);
    }
}

#[test]
fn dates_by_type_are_not_a_guess() {
    let seconds = vec![0, 86_400, 31 * 86_400];
    let times = TimestampSecondArray::from(seconds);
    let zoned = times.clone().with_timezone("+02:00");
    for times in [times, zoned] {
        let numbers: ArrayRef = Arc::new(Float64Array::from(vec![0.5, 1.5, 2.5]));
        let columns: [(&str, ArrayRef); 2] = [("when", Arc::new(times)), ("y", numbers)];
        let bytes = parquet(&RecordBatch::try_from_iter(columns).unwrap());
        for dates in ["auto", "%d/%m/%Y"] {
            let options = TableOptions {
                dates: Some(dates.to_owned()),
                ..TableOptions::default()
            };
            let (header, rows) = read(&bytes, &options).unwrap();
            let fitted = Columns::fit(&header, &rows, "last", None, &options);
            let (columns, warnings) = fitted.unwrap();
            assert_eq!((columns.dates(), warnings), (vec![0], Vec::new()));
        }
        assert_eq!(features(&bytes).unwrap().1, [[0.0], [1.0], [31.0]]);
    }
}
