//! Names of columns: equal ones, none, and those of an index.

use tables::TableOptions;

use crate::{features_of, fit};

fn choose(columns: &[&str], drop: &[&str]) -> TableOptions {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    TableOptions {
        columns: owned(columns),
        drop: owned(drop),
        ..TableOptions::default()
    }
}

/// One of two that the model has learned without the other stands where it stood.
#[test]
fn of_two_columns_of_one_name_one_can_be_left_out() {
    let options = choose(&[], &["3"]);
    let text = "a,b,a,y\n1,5,2,x\n2,4,3,y\n";
    let (columns, _) = fit(text, &options).unwrap();
    let rows = features_of(&columns, text, &options).unwrap();
    assert_eq!(rows, [[1.0, 5.0], [2.0, 4.0]]);
}

#[test]
fn a_first_column_without_a_name_is_an_index_and_no_feature_by_default() {
    let text = ",a,y\n0,0.7,x\n1,0.2,y\n2,0.4,x\n";
    let (columns, warnings) = fit(text, &TableOptions::default()).unwrap();
    assert_eq!(columns.feature_names(), ["a"]);
    let says = warnings[0].to_string();
    assert!(
        says.contains("--columns") && says.contains("--drop column_1"),
        "{says}"
    );
    for (columns, drop, names) in [
        (&["1", "a"][..], &[][..], &["column_1", "a"][..]),
        (&[], &["column_1"], &["a"]),
    ] {
        let (columns, warnings) = fit(text, &choose(columns, drop)).unwrap();
        assert_eq!(columns.feature_names(), names);
        assert!(warnings.is_empty());
    }
    // Where nothing else is there, it is one; and two columns without names are not an index.
    assert_eq!(
        fit(",y\n0,p\n1,q\n", &TableOptions::default())
            .unwrap()
            .0
            .feature_names(),
        ["column_1"]
    );
    let two = fit(",,y\n0,1,p\n1,2,q\n", &TableOptions::default())
        .unwrap()
        .0;
    assert_eq!(two.feature_names(), ["column_1", "column_2"]);
    let named = fit("column_1,a,y\n0,1,x\n1,2,y\n", &TableOptions::default())
        .unwrap()
        .0;
    assert_eq!(named.feature_names(), ["column_1", "a"]);
}

#[test]
fn an_index_that_pandas_has_named_is_not_a_feature_by_default() {
    let text = "a,__index_level_0__,y\n0.7,0,x\n0.2,1,y\n0.4,2,x\n";
    let (columns, warnings) = fit(text, &TableOptions::default()).unwrap();
    assert_eq!(columns.feature_names(), ["a"]);
    assert!(warnings[0].to_string().contains("`__index_level_0__`"));
    // Nor is it the last column, which is the target by default.
    let last = "a,y,__index_level_0__\n0.7,x,0\n0.2,y,1\n0.4,x,2\n";
    let (columns, _) = fit(last, &TableOptions::default()).unwrap();
    assert_eq!(
        (columns.target_name(), columns.feature_names()),
        ("y", vec!["a".to_owned()])
    );
}
