//! Data sets of OpenML that are in the data folder: default targets, columns that are not features, checksums,
//! versions.

use std::fs;

use datasets::{Dataset, OpenOptions, Target, TaskKind, open};
use serde_json::{Value, json};
use tempfile::TempDir;

const ARFF: &str = "@relation plants
@attribute number numeric
@attribute height numeric
@attribute colour {red, blue}
@attribute species {rose, iris}
@attribute age numeric
@data
1,1.5,red,rose,3
2,2.5,blue,iris,4
3,3.5,red,rose,5.5
";

const MD5: &str = "d95ac4c908a34a13cab0aaf4aff320ce";

/// A data folder with the set 7, whose description has these values too.
fn folder(changes: &Value) -> TempDir {
    let mut description = json!({
        "id": "7", "name": "plants", "version": "2", "format": "ARFF", "url": "http://localhost/plants.arff",
        "default_target_attribute": "species", "row_id_attribute": "number", "md5_checksum": MD5,
    });
    let known = description.as_object_mut().unwrap();
    known.extend(changes.as_object().unwrap().clone());
    let data = tempfile::tempdir().unwrap();
    let set = data.path().join("openml/7");
    fs::create_dir_all(&set).unwrap();
    let response = json!({ "data_set_description": description });
    fs::write(set.join("description.json"), response.to_string()).unwrap();
    fs::write(set.join("dataset.arff"), ARFF).unwrap();
    data
}

fn opened(data: &TempDir, address: &str, target: Option<&str>) -> Result<Dataset, String> {
    let options = OpenOptions {
        data_dir: Some(data.path().to_owned()),
        target: target.map(|name| name.to_owned()),
        ..OpenOptions::default()
    };
    open(address, &options).map_err(|error| error.to_string())
}

#[test]
fn the_default_target_is_learned_from_columns_that_are_features() {
    let data = opened(&folder(&json!({})), "openml:7", None).unwrap();
    assert_eq!(
        (data.name.as_str(), data.target_name.as_deref()),
        ("openml:7", Some("species"))
    );
    assert_eq!(
        data.feature_names,
        ["height", "colour=red", "colour=blue", "age"]
    );
    assert!(matches!(&data.target, Target::Classes { names, .. } if names == &["iris", "rose"]));
    let ignored =
        folder(&json!({ "ignore_attribute": ["height", "age"], "row_id_attribute": null }));
    let data = opened(&ignored, "openml:7@2", None).unwrap();
    assert_eq!(data.feature_names, ["number", "colour=red", "colour=blue"]);
    let ignored = folder(&json!({ "ignore_attribute": "height, age" }));
    let data = opened(&ignored, "openml:7", Some("age")).unwrap();
    assert_eq!(data.task(), TaskKind::Regression);
    assert!(
        !data
            .feature_names
            .iter()
            .any(|name| name == "height" || name == "number")
    );
    // The file need not have what is ignored, and a version may be a number.
    let odd = folder(&json!({ "ignore_attribute": ["gone", "age"], "version": 2 }));
    let data = opened(&odd, "openml:7@2", None).unwrap();
    assert_eq!(data.feature_names, ["height", "colour=red", "colour=blue"]);
    let changed = opened(&folder(&json!({})), "openml:7+flip=1", None).unwrap();
    assert_eq!(changed.changes, [1]);
}

#[test]
fn a_set_that_was_withdrawn_is_reported() {
    for (status, warnings) in [("active", 0), ("deactivated", 1)] {
        let data = folder(&json!({ "status": status }));
        let options = OpenOptions {
            data_dir: Some(data.path().to_owned()),
            ..OpenOptions::default()
        };
        let (_, found) = datasets::open_with_warnings("openml:7", &options).unwrap();
        let says = |warning: &datasets::Warning| warning.to_string().contains("deactivated");
        assert_eq!(found.iter().filter(|one| says(one)).count(), warnings);
    }
}

#[test]
fn what_is_wrong_is_reported_with_what_to_do() {
    for case in [
        r#"{}|openml:7@1|data set 7 is version 2"#,
        r#"{}|openml:iris|write openml:ID or openml:ID@VERSION"#,
        r#"{}|openml:7@|write openml:ID or openml:ID@VERSION"#,
        r#"{"default_target_attribute": null}|openml:7|no target by default; choose one column with --target"#,
        r#"{"default_target_attribute": "age,species"}|openml:7|the targets age, species by default"#,
        r#"{"md5_checksum": "00000000000000000000000000000000"}|openml:7|does not have the checksum of its description"#,
        r#"{"md5_checksum": null}|openml:7|it has no MD5 checksum"#,
        r#"{"url": 5}|openml:7|is not a description of OpenML (it has no url)"#,
    ] {
        let [changes, address, words] = case.split('|').collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        let changes = serde_json::from_str(changes).unwrap();
        let error = opened(&folder(&changes), address, None).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
