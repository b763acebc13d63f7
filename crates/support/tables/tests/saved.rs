//! Columns travel with a model.

use tables::{Columns, Missing, TableOptions};

use crate::{features_of, fit};

const TEXT: &str = "a,b,when,y\n1.1,red,2014-05-02,1\nNA,blue,2015-01-01,2\n3.3,?,2016-02-03,3\n";

fn saved() -> (Columns, TableOptions, String) {
    let options = TableOptions {
        missing: Missing::Indicator,
        ..TableOptions::default()
    };
    let (columns, _) = fit(TEXT, &options).unwrap();
    let json = serde_json::to_string(&columns).unwrap();
    (columns, options, json)
}

#[test]
fn columns_come_back_as_they_were() {
    let (columns, options, json) = saved();
    let back: Columns = serde_json::from_str(&json).unwrap();
    assert_eq!(back, columns);
    let features = |columns| features_of(columns, TEXT, &options).unwrap();
    assert_eq!(features(&back), features(&columns));
}

#[test]
fn columns_that_do_not_belong_together_are_refused() {
    let (_, _, json) = saved();
    for (from, to, says) in [
        (
            "\"target\":{\"column\":3",
            "\"target\":{\"column\":4",
            "the target column does not exist",
        ),
        ("\"column\":1,", "\"column\":9,", "a feature has no column"),
        (
            "[\"blue\",\"red\"]",
            "[\"red\",\"red\"]",
            "`red` is named twice",
        ),
        ("[\"blue\",\"red\"]", "[]", "no values"),
        (
            "{\"Word\":\"blue\"}",
            "{\"Number\":1.0}",
            "a filling of another kind",
        ),
    ] {
        assert!(json.contains(from), "{from} is not in {json}");
        let error = serde_json::from_str::<Columns>(&json.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{to}: {error}");
    }
}
