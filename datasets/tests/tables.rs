//! Tables with missing values, categories and dates, through `open`.

use std::path::Path;

use datasets::{Dataset, OpenOptions, TableOptions, TaskKind, open};
use tables::Missing;

fn with_missing(missing: Missing) -> OpenOptions {
    OpenOptions {
        table: TableOptions {
            missing: Some(missing),
            ..TableOptions::default()
        },
        ..OpenOptions::default()
    }
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
    let csv = houses("csv", Missing::Median);
    let parquet = houses("parquet", Missing::Median);
    assert_eq!(csv.features, parquet.features);
    assert_eq!(csv.target, parquet.target);
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
