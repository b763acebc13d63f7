//! Names of columns: equal ones, none, those of an index, and those with commas.

use tables::{TableOptions, Warning};

use crate::{features_of, fit};

fn choose(columns: &[&str], drop: &[&str]) -> TableOptions {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    TableOptions {
        columns: owned(columns),
        drop: owned(drop),
        ..TableOptions::default()
    }
}

#[test]
fn equal_names_are_an_error_that_names_both_columns() {
    let text = "a,b,a,y\n1,5,2,x\n2,4,3,y\n";
    let error = fit(text, &TableOptions::default()).unwrap_err().to_string();
    assert!(
        error.contains("columns 1 and 3 are both called `a`") && error.contains("--drop 3"),
        "{error}"
    );
    let (columns, _) = fit(text, &choose(&[], &["3"])).unwrap();
    assert_eq!(columns.feature_names(), ["a", "b"]);
}

/// Of a column that a later table has twice, the first was taken before.
#[test]
fn a_later_table_with_a_column_twice_is_refused() {
    let options = choose(&[], &["c"]);
    let (columns, _) = fit("a,b,c,y\n1,5,2,x\n2,4,3,y\n", &options).unwrap();
    for (text, twice) in [
        ("a,b,a\n1,2,3\n", "column 3 is also called `a`"),
        ("y,a,b,y\nx,1,2,x\n", "column 4 is also called `y`"),
    ] {
        let error = features_of(&columns, text, &options).unwrap_err();
        assert!(error.to_string().contains(twice), "{error}");
    }
    // Columns that are not used may be there as often as they like.
    for text in ["b,a,c,c\n2,1,3,4\n", "b,a,d,d\n2,1,3,4\n"] {
        let rows = features_of(&columns, text, &options).unwrap();
        assert_eq!(rows, [[1.0, 2.0]]);
    }
    // One of two that the model has learned without the other stands where it stood.
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
    let column = "column_1".to_owned();
    assert_eq!(warnings, [Warning::IndexLeftOut { column }]);
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

#[test]
fn a_name_with_a_comma_can_be_listed() {
    let text = "\"Weight, kg\",fuel,\"a,b,c\",y\n1,\"gas, oil\",3,x\n2,coal,4,y\n";
    for (drop, left) in [
        (&["Weight", " kg", "fuel"][..], &["a,b,c"][..]),
        (&["a", "b", "c", "fuel"], &["Weight, kg"]),
    ] {
        let (columns, _) = fit(text, &choose(&[], drop)).unwrap();
        assert_eq!(columns.feature_names(), left);
    }
}
