//! Random columns of every type, and the text that each value means, written without Arrow's own formatter.

use std::sync::Arc;

use arrow_array::types::{Int8Type, Int32Type};
use arrow_array::*;
use arrow_schema::DataType;
use jiff::civil::date;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

/// A type, and what its values are made of.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub values: Values,
    raw: Vec<Option<i64>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Values {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F32,
    F64,
    Bool,
    Words,
    LongWords,
    WordViews,
    Bytes,
    LongBytes,
    ByteViews,
    SharedWords,
    SharedNumbers,
    Decimal,
    Day,
    Instant,
    ZonedInstant,
    Nanoseconds,
    TimeOfDay,
    NanosecondOfDay,
    Duration,
    Milliseconds,
}

const ALL: [Values; 28] = {
    use Values::*;
    [
        I8,
        I16,
        I32,
        I64,
        U8,
        U16,
        U32,
        U64,
        F32,
        F64,
        Bool,
        Words,
        LongWords,
        WordViews,
        Bytes,
        LongBytes,
        ByteViews,
        SharedWords,
        SharedNumbers,
        Decimal,
        Day,
        Instant,
        ZonedInstant,
        Nanoseconds,
        TimeOfDay,
        NanosecondOfDay,
        Duration,
        Milliseconds,
    ]
};

const WORDS: [&str; 8] = [
    "red",
    "größer",
    "a,b",
    "say \"no\"",
    "two\nlines",
    "x;y",
    "0x1f",
    "-",
];

#[derive(Clone, Debug)]
pub(super) struct Table {
    pub columns: Vec<Column>,
    pub rows: usize,
}

impl Table {
    /// Two columns of fractions.
    pub(super) fn of_numbers(rows: usize) -> Self {
        let raw = |factor: i64| {
            (0..rows as i64)
                .map(move |row| Some((row as f64 * factor as f64 / 7.0).to_bits() as i64))
        };
        let column = |factor| Column {
            values: Values::F64,
            raw: raw(factor).collect(),
        };
        Self {
            columns: vec![column(1), column(3)],
            rows,
        }
    }
}

/// Tables of a few columns and rows.
pub(super) fn tables() -> impl Strategy<Value = Table> {
    (2_usize..6, 0_usize..70).prop_flat_map(|(columns, rows)| {
        let raw = prop_oneof![1 => Just(None), 3 => any::<i64>().prop_map(Some), 3 => (-20_i64..20).prop_map(Some)];
        let column = (prop::sample::select(&ALL[..]), prop::collection::vec(raw, rows));
        let column = column.prop_map(|(values, raw)| Column { values, raw });
        prop::collection::vec(column, columns).prop_map(move |columns| Table { columns, rows })
    })
}

fn word(raw: i64) -> &'static str {
    WORDS[raw.rem_euclid(WORDS.len() as i64) as usize]
}

/// Days and seconds that a calendar of four digits has.
fn day(raw: i64) -> i32 {
    (raw % 700_000) as i32
}

fn microsecond(raw: i64) -> i64 {
    raw % 60_000_000_000_000_000
}

const DAY: i64 = 86_400;

/// Returns an exact decimal fraction.
fn fraction(count: i64, digits: usize) -> String {
    let sign = if count < 0 { "-" } else { "" };
    let text = format!("{:0>width$}", count.unsigned_abs(), width = digits + 1);
    let (whole, fraction) = text.split_at(text.len() - digits);
    format!("{sign}{whole}.{fraction}")
}

impl Column {
    /// Returns the bits of the number that a cell stands for, if it is one. A number of 32 bits has several shortest texts, which are
    /// different numbers of 64.
    pub(super) fn number(&self, text: &str) -> Option<u64> {
        use Values::*;
        match self.values {
            Bool | Words | LongWords | WordViews | Bytes | LongBytes | ByteViews | SharedWords
            | Day | Instant | ZonedInstant | Nanoseconds => None,
            F32 => text.parse().map(f32::to_bits).map(u64::from).ok(),
            _ => text.parse().map(f64::to_bits).ok(),
        }
    }

    /// Returns the text of a cell as a CSV file would have it.
    pub(super) fn text(&self, row: usize) -> String {
        use Values::*;
        let Some(raw) = self.raw[row] else {
            return String::new();
        };
        match self.values {
            I8 => (raw as i8).to_string(),
            I16 => (raw as i16).to_string(),
            I32 => (raw as i32).to_string(),
            I64 => raw.to_string(),
            U8 => (raw as u8).to_string(),
            U16 => (raw as u16).to_string(),
            U32 => (raw as u32).to_string(),
            U64 => (raw as u64).to_string(),
            F32 => f32::from_bits(raw as u32).to_string(),
            F64 => f64::from_bits(raw as u64).to_string(),
            Bool => (raw % 2 == 0).to_string(),
            Words | LongWords | WordViews | Bytes | LongBytes | ByteViews | SharedWords => {
                word(raw).to_owned()
            }
            SharedNumbers => (raw as i8).to_string(),
            Decimal => fraction(raw, 5),
            Day => date(1970, 1, 1)
                .saturating_add(SignedDuration::from_hours(24 * i64::from(day(raw))))
                .to_string(),
            Instant => civil(microsecond(raw), 1_000_000),
            ZonedInstant => civil(microsecond(raw), 1_000_000) + "Z",
            Nanoseconds => civil(raw, 1_000_000_000),
            TimeOfDay => (raw.rem_euclid(DAY)).to_string(),
            NanosecondOfDay => fraction(raw.rem_euclid(DAY * 1_000_000_000), 9),
            Duration => fraction(raw, 6),
            Milliseconds => fraction(raw, 3),
        }
    }

    /// Returns the same as an array of Arrow.
    pub(super) fn array(&self) -> ArrayRef {
        use Values::*;
        let raw = || self.raw.iter().copied();
        macro_rules! array {
            ($array:ty, $value:expr) => {
                Arc::new(raw().map(|raw| raw.map($value)).collect::<$array>())
            };
        }
        match self.values {
            I8 => array!(Int8Array, |raw| raw as i8),
            I16 => array!(Int16Array, |raw| raw as i16),
            I32 => array!(Int32Array, |raw| raw as i32),
            I64 => array!(Int64Array, |raw| raw),
            U8 => array!(UInt8Array, |raw| raw as u8),
            U16 => array!(UInt16Array, |raw| raw as u16),
            U32 => array!(UInt32Array, |raw| raw as u32),
            U64 => array!(UInt64Array, |raw| raw as u64),
            F32 => array!(Float32Array, |raw| f32::from_bits(raw as u32)),
            F64 => array!(Float64Array, |raw| f64::from_bits(raw as u64)),
            Bool => array!(BooleanArray, |raw| raw % 2 == 0),
            Words => array!(StringArray, word),
            LongWords => array!(LargeStringArray, word),
            WordViews => array!(StringViewArray, word),
            Bytes => array!(BinaryArray, |raw| word(raw).as_bytes()),
            LongBytes => array!(LargeBinaryArray, |raw| word(raw).as_bytes()),
            ByteViews => array!(BinaryViewArray, |raw| word(raw).as_bytes()),
            SharedWords => Arc::new(
                raw()
                    .map(|raw| raw.map(word))
                    .collect::<DictionaryArray<Int32Type>>(),
            ),
            SharedNumbers => self.shared_numbers(),
            Decimal => {
                let decimals = raw()
                    .map(|raw| raw.map(i128::from))
                    .collect::<Decimal128Array>();
                Arc::new(decimals.with_precision_and_scale(30, 5).unwrap())
            }
            Day => array!(Date32Array, day),
            Instant => array!(TimestampMicrosecondArray, microsecond),
            ZonedInstant => {
                let instants = raw()
                    .map(|raw| raw.map(microsecond))
                    .collect::<TimestampMicrosecondArray>();
                Arc::new(instants.with_timezone("Europe/Berlin"))
            }
            Nanoseconds => array!(TimestampNanosecondArray, |raw| raw),
            TimeOfDay => array!(Time32SecondArray, |raw| raw.rem_euclid(DAY) as i32),
            NanosecondOfDay => array!(Time64NanosecondArray, |raw| raw
                .rem_euclid(DAY * 1_000_000_000)),
            Duration => array!(DurationMicrosecondArray, |raw| raw),
            Milliseconds => array!(DurationMillisecondArray, |raw| raw),
        }
    }

    /// What pandas makes of a category whose values are numbers.
    fn shared_numbers(&self) -> ArrayRef {
        let numbers: Int8Array = self
            .raw
            .iter()
            .map(|raw| raw.map(|raw| raw as i8))
            .collect();
        let shared = DataType::Dictionary(Box::new(DataType::Int8), Box::new(DataType::Int8));
        let shared = arrow_cast::cast(&numbers, &shared).unwrap();
        assert!(shared.as_any().is::<DictionaryArray<Int8Type>>());
        shared
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
