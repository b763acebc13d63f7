//! Random columns of every type, and the text that each value means, written without Arrow's own formatter.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_schema::DataType;
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

/// A type of values made of whole numbers: how its cells are compared, their text as a CSV file would have it, and the
/// array of Arrow.
#[derive(Clone, Copy)]
pub(super) struct Values(Compared, fn(i64) -> String, fn(&[Option<i64>]) -> ArrayRef);

#[derive(Clone, Copy, Debug)]
enum Compared {
    AsText,
    /// A number of 32 bits has several shortest texts, which are different numbers of 64.
    AsF32,
    AsF64,
}

use Compared::{AsF32, AsF64, AsText};

macro_rules! array {
    ($array:ty, $value:expr) => {
        |raw| Arc::new(raw.iter().map(|raw| raw.map($value)).collect::<$array>())
    };
}

fn of_bytes(raw: i64) -> &'static [u8] {
    word(raw).as_bytes()
}

macro_rules! numbers {
    ($array:ty, $number:ty) => {
        Values(
            AsF64,
            |raw| (raw as $number).to_string(),
            array!($array, |raw| raw as $number),
        )
    };
}

macro_rules! words {
    ($array:ty, $value:expr) => {
        Values(AsText, |raw| word(raw).to_owned(), array!($array, $value))
    };
}

#[rustfmt::skip]
const ALL: [Values; 28] = [
    numbers!(Int8Array, i8),
    numbers!(Int16Array, i16),
    numbers!(Int32Array, i32),
    numbers!(Int64Array, i64),
    numbers!(UInt8Array, u8),
    numbers!(UInt16Array, u16),
    numbers!(UInt32Array, u32),
    numbers!(UInt64Array, u64),
    Values(AsF32, |raw| single(raw).to_string(), array!(Float32Array, single)),
    FRACTIONS,
    Values(AsText, |raw| (raw % 2 == 0).to_string(), array!(BooleanArray, |raw| raw % 2 == 0)),
    words!(StringArray, word),
    words!(LargeStringArray, word),
    words!(StringViewArray, word),
    words!(BinaryArray, of_bytes),
    words!(LargeBinaryArray, of_bytes),
    words!(BinaryViewArray, of_bytes),
    words!(DictionaryArray<Int32Type>, word),
    Values(AsF64, |raw| (raw as i8).to_string(), shared_numbers),
    Values(AsF64, |raw| fraction(raw, 5), decimals),
    Values(AsText, day_text, array!(Date32Array, day)),
    Values(AsText, instant, array!(TimestampMicrosecondArray, microsecond)),
    Values(AsText, |raw| instant(raw) + "Z", zoned),
    Values(AsText, |raw| civil(raw, 1_000_000_000), array!(TimestampNanosecondArray, |raw| raw)),
    Values(AsF64, |raw| second(raw).to_string(), array!(Time32SecondArray, second)),
    Values(AsF64, |raw| fraction(nanosecond(raw), 9), array!(Time64NanosecondArray, nanosecond)),
    Values(AsF64, |raw| fraction(raw, 6), array!(DurationMicrosecondArray, |raw| raw)),
    Values(AsF64, |raw| fraction(raw, 3), array!(DurationMillisecondArray, |raw| raw)),
];

const FRACTIONS: Values = Values(
    AsF64,
    |raw| f64::from_bits(raw as u64).to_string(),
    array!(Float64Array, |raw| f64::from_bits(raw as u64)),
);

#[rustfmt::skip]
const WORDS: [&str; 8] = ["red", "größer", "a,b", "say \"no\"", "two\nlines", "x;y", "0x1f", "-"];

/// A type, and what its values are made of.
#[derive(Clone)]
pub(super) struct Column {
    values: Values,
    raw: Vec<Option<i64>>,
}

impl std::fmt::Debug for Column {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} of {:?}", self.array().data_type(), self.raw)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub columns: Vec<Column>,
    pub rows: usize,
}

impl Table {
    /// Two columns of fractions.
    pub(super) fn of_numbers(rows: usize) -> Self {
        let column = |factor: i64| {
            let raw = |row| Some((row as f64 * factor as f64 / 7.0).to_bits() as i64);
            Column {
                values: FRACTIONS,
                raw: (0..rows as i64).map(raw).collect(),
            }
        };
        let columns = vec![column(1), column(3)];
        Self { columns, rows }
    }
}

/// Tables of a few columns and rows.
pub(super) fn tables() -> impl Strategy<Value = Table> {
    (2_usize..6, 0_usize..70).prop_flat_map(|(columns, rows)| {
        let raw = prop_oneof![1 => Just(None), 3 => any::<i64>().prop_map(Some), 3 => (-20_i64..20).prop_map(Some)];
        let column = (0..ALL.len(), prop::collection::vec(raw, rows));
        let column = column.prop_map(|(values, raw)| Column { values: ALL[values], raw });
        prop::collection::vec(column, columns).prop_map(move |columns| Table { columns, rows })
    })
}

fn word(raw: i64) -> &'static str {
    WORDS[raw.rem_euclid(WORDS.len() as i64) as usize]
}

fn single(raw: i64) -> f32 {
    f32::from_bits(raw as u32)
}

/// Days and seconds that a calendar of four digits has.
fn day(raw: i64) -> i32 {
    (raw % 700_000) as i32
}

fn day_text(raw: i64) -> String {
    let days = SignedDuration::from_hours(24 * i64::from(day(raw)));
    date(1970, 1, 1).saturating_add(days).to_string()
}

fn microsecond(raw: i64) -> i64 {
    raw % 60_000_000_000_000_000
}

fn instant(raw: i64) -> String {
    civil(microsecond(raw), 1_000_000)
}

fn second(raw: i64) -> i32 {
    raw.rem_euclid(86_400) as i32
}

fn nanosecond(raw: i64) -> i64 {
    raw.rem_euclid(86_400_000_000_000)
}

fn decimals(raw: &[Option<i64>]) -> ArrayRef {
    let decimals = raw.iter().map(|raw| raw.map(i128::from));
    let decimals = decimals.collect::<Decimal128Array>();
    Arc::new(decimals.with_precision_and_scale(30, 5).unwrap())
}

fn zoned(raw: &[Option<i64>]) -> ArrayRef {
    let instants = raw.iter().map(|raw| raw.map(microsecond));
    let instants = instants.collect::<TimestampMicrosecondArray>();
    Arc::new(instants.with_timezone("Europe/Berlin"))
}

/// What pandas makes of a category whose values are numbers.
fn shared_numbers(raw: &[Option<i64>]) -> ArrayRef {
    let numbers: Int8Array = raw.iter().map(|raw| raw.map(|raw| raw as i8)).collect();
    let shared = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Int8));
    let shared = arrow_cast::cast(&numbers, &shared).unwrap();
    assert!(shared.as_any().is::<DictionaryArray<Int8Type>>());
    shared
}

/// Returns an exact decimal fraction.
fn fraction(count: i64, digits: usize) -> String {
    let sign = if count < 0 { "-" } else { "" };
    let text = format!("{:0>width$}", count.unsigned_abs(), width = digits + 1);
    let (whole, fraction) = text.split_at(text.len() - digits);
    format!("{sign}{whole}.{fraction}")
}

impl Column {
    /// Returns the bits of the number that a cell stands for, if it is one.
    pub(super) fn number(&self, text: &str) -> Option<u64> {
        match self.values.0 {
            AsText => None,
            AsF32 => text.parse().map(f32::to_bits).map(u64::from).ok(),
            AsF64 => text.parse().map(f64::to_bits).ok(),
        }
    }

    /// Returns the text of a cell.
    pub(super) fn text(&self, row: usize) -> String {
        self.raw[row].map_or(String::new(), self.values.1)
    }

    /// Returns the same as an array of Arrow.
    pub(super) fn array(&self) -> ArrayRef {
        (self.values.2)(&self.raw)
    }
}

/// `2020-05-01T12:00:00.5`, with as many digits as needed in groups of three.
fn civil(count: i64, per_second: i64) -> String {
    let nanoseconds = i128::from(count) * i128::from(1_000_000_000 / per_second);
    let instant = Timestamp::from_nanosecond(nanoseconds).unwrap();
    let civil = instant.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    let fraction = civil.subsec_nanosecond();
    let text = civil.strftime("%Y-%m-%dT%H:%M:%S").to_string();
    match fraction {
        0 => text,
        _ if fraction % 1_000_000 == 0 => format!("{text}.{:03}", fraction / 1_000_000),
        _ if fraction % 1000 == 0 => format!("{text}.{:06}", fraction / 1000),
        _ => format!("{text}.{fraction:09}"),
    }
}
