//! Tables with missing values, categories and dates, through `open`.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

use std::fs;
use std::path::Path;

use datasets::{Dataset, OpenOptions, TableOptions, TargetColumn, TaskKind, open};
use proptest::prelude::*;
use tables::{Columns, Missing, Record, Records};

fn with_missing(missing: Missing) -> OpenOptions {
    OpenOptions {
        table: TableOptions {
            missing: Some(missing),
            ..TableOptions::default()
        },
        ..OpenOptions::default()
    }
}

fn open_text(text: &str, options: &OpenOptions) -> Dataset {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs::write(&path, text).unwrap();
    open(&path, options).unwrap()
}

fn houses(extension: &str, missing: Missing) -> Dataset {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/houses")
        .with_extension(extension);
    open(&path, &with_missing(missing)).unwrap()
}

#[test]
fn houses_have_missing_values_categories_and_dates() {
    let data = houses("csv", Missing::Indicator);
    assert_eq!(
        (data.rows(), data.n_features(), data.task()),
        (240, 13, TaskKind::Regression)
    );
    assert!(
        data.feature_names
            .contains(&"place=Ashby, north".to_owned())
    );
    assert!(data.feature_names.contains(&"sold is missing".to_owned()));
    assert!(houses("csv", Missing::Drop).rows() < 240);
}

#[cfg(feature = "columnar")]
#[test]
fn houses_are_the_same_in_parquet() {
    let (csv, parquet) = (
        houses("csv", Missing::Median),
        houses("parquet", Missing::Median),
    );
    assert_eq!(
        (csv.features, csv.target),
        (parquet.features, parquet.target)
    );
}

#[cfg(not(feature = "columnar"))]
#[test]
fn parquet_without_its_feature_says_so() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/houses.parquet");
    // Another crate of the same build may have turned on the feature of `tables`.
    let Err(error) = open(path, &OpenOptions::default()) else {
        println!("not checked: `tables` is built with its feature `columnar`");
        return;
    };
    let error = error.to_string();
    assert!(
        error.contains("is a Parquet file") && error.contains("feature `columnar`"),
        "{error}"
    );
}

proptest! {
    #[test]
    fn a_whole_file_is_its_rows_one_by_one(rows in prop::collection::vec("(-?[0-9]{1,4}|NA),(red|blue),2014-05-0[1-9]", 2..20)) {
        let rows = (0..).zip(&rows).map(|(i, row)| format!("{row},{i}.5\n"));
        let text = "a,b,c,y\n".to_owned() + &rows.collect::<String>();
        let options = with_missing(Missing::Median);
        let records = || Records::new(text.as_bytes(), &options.table).unwrap();
        let all: Vec<Record> = records().map(Result::unwrap).collect();
        let fitted = Columns::fit(records().header(), &all, &TargetColumn::Last, None, &options.table);
        let Ok((columns, _)) = fitted else { return Ok(()) };
        let data = open_text(&text, &options);
        let (mut reader, mut record) = (records(), Record::default());
        let layout = columns.layout(reader.header()).unwrap();
        let mut features = Vec::new();
        while reader.read(&mut record).unwrap() {
            let _ = columns.features(&layout, &record, &mut features).unwrap();
        }
        prop_assert_eq!(data.features.into_raw_vec_and_offset().0, features);
    }
}
