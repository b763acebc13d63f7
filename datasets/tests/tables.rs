//! Tables with missing values, categories and dates, through `open`; and what is guessed about them.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "the exception for tests in clippy.toml does not reach their helpers"
)]

use std::fs;
use std::path::Path;

use datasets::{
    Dataset, OpenOptions, TableOptions, Target, TargetColumn, TaskKind, open, open_with_warnings,
};
use proptest::prelude::*;
use tables::{Columns, Missing, Record, Records};

fn with_missing(missing: Missing) -> OpenOptions {
    OpenOptions {
        table: TableOptions {
            missing,
            ..TableOptions::default()
        },
        ..OpenOptions::default()
    }
}

fn open_text(text: &str, options: &OpenOptions) -> (Dataset, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.csv");
    fs::write(&path, text).unwrap();
    let (data, warnings) = open_with_warnings(&path, options).unwrap();
    (data, warnings.iter().map(ToString::to_string).collect())
}

fn houses(extension: &str, missing: Missing) -> Dataset {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/houses")
        .with_extension(extension);
    open(&path, &with_missing(missing)).unwrap()
}

#[test]
fn missing_values_are_filled_in_or_left_out() {
    let text = "a,b,y\n1,red,0.5\n,blue,1.5\n5,red,2.5\n";
    let (median, _) = open_text(text, &with_missing(Missing::Median));
    assert_eq!(median.features.column(0).to_vec(), [1., 3., 5.]);
    let (indicator, _) = open_text(text, &with_missing(Missing::Indicator));
    assert_eq!(
        indicator.feature_names,
        ["a", "a is missing", "b=blue", "b=red"]
    );
    let (dropped, _) = open_text(text, &with_missing(Missing::Drop));
    assert_eq!(dropped.rows(), 2);
    let Target::Values { values, .. } = dropped.target else {
        panic!("regression")
    };
    assert_eq!(values, [0.5, 2.5]);
}

#[test]
fn a_guessed_task_is_said() {
    let text = "a,y\n1,1\n2,2\n4,2\n";
    let (_, said) = open_text(text, &OpenOptions::default());
    assert_eq!(said.len(), 1);
    assert!(
        said[0]
            .contains("the target `y` has 2 different whole numbers, which are treated as classes")
    );
    assert!(said[0].contains("--task classify or --task regress"));
    let task = |task| OpenOptions {
        task: Some(task),
        ..OpenOptions::default()
    };
    assert_eq!(open_text(text, &task(TaskKind::Regression)).1, [""; 0]);
    assert_eq!(
        open_text("a,y\n1,up\n2,down\n", &OpenOptions::default()).1,
        [""; 0]
    );
    assert_eq!(
        open_text("a,y\n1,0.5\n2,2\n", &OpenOptions::default()).1,
        [""; 0]
    );
    let many: String = (0..101).map(|i| format!("{},{i}\n", i * i % 7)).collect();
    let (_, said) = open_text(&many, &OpenOptions::default());
    assert!(
        said[0].contains("101 different whole numbers, which are treated as measurements"),
        "{said:?}"
    );
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
        let (data, _) = open_text(&text, &options);
        let (mut reader, mut record) = (records(), Record::default());
        let layout = columns.layout(reader.header()).unwrap();
        let mut features = Vec::new();
        while reader.read(&mut record).unwrap() {
            let _ = columns.features(&layout, &record, &mut features).unwrap();
        }
        prop_assert_eq!(data.features.into_raw_vec_and_offset().0, features);
    }
}
