//! Writes the table of invented houses that examples and tests read, as CSV and Parquet.
//!
//! ```sh
//! cargo run -p forest-tables --features columnar --example houses -- datasets/tests/fixtures
//! ```
//!
//! Its columns have what real tables have: missing values, categories, dates, a comma inside quotes.

use std::error::Error;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use jiff::civil::{Date, date};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

const HOUSES: i64 = 240;

struct House {
    area: Option<f64>,
    rooms: i64,
    heating: Option<&'static str>,
    place: &'static str,
    sold: Option<Date>,
    price: i64,
}

/// Which of `n` things house `i` has: spread evenly, in no order that shows.
fn choose(i: i64, step: i64, n: i64) -> i64 {
    (i * step + i / 7) % n
}

fn house(i: i64) -> House {
    const HEATING: [&str; 3] = ["gas", "oil", "heat pump"];
    const PLACES: [&str; 4] = ["Ashby, north", "Ashby, south", "Brook End", "Carlow"];
    let area = 40.0 + 0.5 * choose(i, 37, 240) as f64;
    let (heating, place) = (choose(i, 5, 3), choose(i, 3, 4));
    let price = 1500.0 * area + 9000.0 * heating as f64 + 24000.0 * place as f64 + 150.0 * i as f64;
    let first = date(2015, 1, 1);
    House {
        area: (i % 17 != 5).then_some(area),
        rooms: 1 + area as i64 / 30,
        heating: (i % 23 != 7).then_some(HEATING[heating as usize]),
        place: PLACES[place as usize],
        sold: (i % 41 != 9).then(|| first.saturating_add(jiff::Span::new().days(9 * i))),
        price: (price / 100.0).round() as i64 * 100,
    }
}

fn csv(houses: &[House]) -> String {
    let or_na = |cell: Option<String>| cell.unwrap_or("NA".to_owned());
    let row = |house: &House| {
        let area = or_na(house.area.map(|area| area.to_string()));
        let sold = or_na(house.sold.map(|date| date.to_string()));
        let heating = house.heating.unwrap_or_default();
        let House {
            rooms,
            place,
            price,
            ..
        } = house;
        format!("{area},{rooms},{heating},\"{place}\",{sold},{price}\n")
    };
    let rows: String = houses.iter().map(row).collect();
    format!("area,rooms,heating,place,sold,price\n{rows}")
}

fn batch(houses: &[House]) -> Result<RecordBatch, Box<dyn Error>> {
    let days = |day: Date| day.duration_since(date(1970, 1, 1)).as_hours() / 24;
    let sold = houses
        .iter()
        .map(|house| house.sold.map(|day| days(day) as i32));
    let columns: [(&str, ArrayRef, bool); 6] = [
        (
            "area",
            Arc::new(
                houses
                    .iter()
                    .map(|house| house.area)
                    .collect::<Float64Array>(),
            ),
            true,
        ),
        (
            "rooms",
            Arc::new(Int64Array::from_iter_values(
                houses.iter().map(|house| house.rooms),
            )),
            false,
        ),
        (
            "heating",
            Arc::new(
                houses
                    .iter()
                    .map(|house| house.heating)
                    .collect::<StringArray>(),
            ),
            true,
        ),
        (
            "place",
            Arc::new(StringArray::from_iter_values(
                houses.iter().map(|house| house.place),
            )),
            false,
        ),
        ("sold", Arc::new(sold.collect::<Date32Array>()), true),
        (
            "price",
            Arc::new(Int64Array::from_iter_values(
                houses.iter().map(|house| house.price),
            )),
            false,
        ),
    ];
    Ok(RecordBatch::try_from_iter_with_nullable(columns)?)
}

fn write_parquet(path: &Path, batch: &RecordBatch) -> Result<(), Box<dyn Error>> {
    let snappy = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut writer = ArrowWriter::try_new(File::create(path)?, batch.schema(), Some(snappy))?;
    writer.write(batch)?;
    writer.close()?;
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os()
        .nth(1)
        .ok_or("expected the folder to write to")?;
    let folder = PathBuf::from(folder);
    let houses: Vec<House> = (0..HOUSES).map(house).collect();
    fs::write(folder.join("houses.csv"), csv(&houses))?;
    write_parquet(&folder.join("houses.parquet"), &batch(&houses)?)
}
