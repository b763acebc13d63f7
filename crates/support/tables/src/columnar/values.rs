//! Which types can be read as numbers or text, and as which.

use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::{Decimal128Type, Int64Type};
use arrow_array::{Array, ArrayRef, make_array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, DataType, TimeUnit};

use crate::{DateFormat, Kind};

/// Digits of the longest `Decimal128`.
const DIGITS: u8 = 38;

/// What the cells of a column of this type are.
pub(super) fn kind(values: &DataType) -> Kind {
    use DataType as Type;
    match values {
        Type::Null | Type::Time32(_) | Type::Time64(_) | Type::Duration(_) => Kind::Numeric,
        number if number.is_numeric() => Kind::Numeric,
        Type::Date32 | Type::Date64 | Type::Timestamp(_, _) => {
            Kind::Date(DateFormat::ISO.to_owned())
        }
        Type::Dictionary(_, values) => kind_of_shared(values),
        other => {
            unreadable(other).map_or(Kind::Unstated, |values| Kind::Unreadable(values.to_owned()))
        }
    }
}

/// Returns the kind of values that rows share: categories of any type, unless their cells decide otherwise.
fn kind_of_shared(values: &DataType) -> Kind {
    match kind(values) {
        unreadable @ Kind::Unreadable(_) => unreadable,
        _ => Kind::Unstated,
    }
}

fn unreadable(values: &DataType) -> Option<&'static str> {
    use DataType as Type;
    match values {
        Type::List(_)
        | Type::LargeList(_)
        | Type::FixedSizeList(_, _)
        | Type::ListView(_)
        | Type::LargeListView(_) => Some("lists"),
        Type::Struct(_) => Some("structs"),
        Type::Map(_, _) => Some("maps"),
        Type::Union(_, _) => Some("values of several types"),
        // A month has no length.
        Type::Interval(_) => Some("intervals of months and days"),
        Type::RunEndEncoded(_, _) => Some("runs of equal values"),
        _ => None,
    }
}

/// Converts values to a type whose text is their meaning: times of day and durations are seconds, timestamps with a zone
/// are those of UTC.
pub(super) fn plain(values: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    use DataType as Type;
    match values.data_type() {
        Type::Timestamp(unit, Some(_)) => same_bits(values, Type::Timestamp(*unit, utc())),
        Type::Time32(unit) => seconds(&cast(values, &Type::Int32)?, *unit),
        Type::Time64(unit) | Type::Duration(unit) => seconds(values, *unit),
        Type::Dictionary(_, shared) if !is_plain(shared) => plain(&cast(values, shared)?),
        _ => Ok(Arc::clone(values)),
    }
}

fn utc() -> Option<Arc<str>> {
    Some("+00:00".into())
}

fn is_plain(values: &DataType) -> bool {
    use DataType as Type;
    !matches!(
        values,
        Type::Timestamp(_, Some(_))
            | Type::Time32(_)
            | Type::Time64(_)
            | Type::Duration(_)
            | Type::Binary
            | Type::LargeBinary
            | Type::BinaryView
            | Type::FixedSizeBinary(_)
            | Type::Dictionary(_, _)
    )
}

/// Exact decimal fractions.
fn seconds(values: &ArrayRef, unit: TimeUnit) -> Result<ArrayRef, ArrowError> {
    let scale = match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    };
    let counts = match values.data_type() {
        DataType::Int32 => cast(values, &DataType::Int64)?,
        _ => same_bits(values, DataType::Int64)?,
    };
    let counts = counts.as_primitive::<Int64Type>();
    let fractions = counts.unary::<_, Decimal128Type>(i128::from);
    Ok(Arc::new(fractions.with_precision_and_scale(DIGITS, scale)?))
}

/// Reinterprets values without changing their bits.
fn same_bits(values: &ArrayRef, meant: DataType) -> Result<ArrayRef, ArrowError> {
    let data = values.to_data().into_builder().data_type(meant).build()?;
    Ok(make_array(data))
}
