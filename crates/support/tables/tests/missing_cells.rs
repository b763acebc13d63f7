//! Words for missing values, which columns remember.

use tables::{Columns, Missing, Row, TableOptions};

use crate::{features_of, fit, read};

const WORDS: [&str; 14] = [
    "", "NA", "N/A", "?", "nan", "null", "-nan", "NaT", "-", "\\N", "#N/A", "#NA", "<NA>", "None",
];

fn with(missing_values: &[&str], not_missing: &[&str], missing: Missing) -> TableOptions {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    TableOptions {
        missing_values: owned(missing_values),
        not_missing: owned(not_missing),
        missing,
        ..TableOptions::default()
    }
}

#[test]
fn the_usual_words_leave_a_column_of_numbers_one_of_numbers() {
    for word in WORDS {
        let text = format!("a,b,y\n1,2,x\n{word},3,y\n5,4,x\n");
        let (columns, _) = fit(&text, &with(&[], &[], Missing::Median)).unwrap();
        let rows = features_of(&columns, &text, &TableOptions::default()).unwrap();
        assert_eq!(rows, [[1., 2.], [3., 3.], [5., 4.]], "{word}");
    }
}

#[test]
fn a_word_may_be_a_value_or_another_one_a_missing_value() {
    let country = "country,y\nNA,p\nUS,q\nFR,q\n";
    let options = with(&[], &["NA"], Missing::Refuse);
    let (columns, _) = fit(country, &options).unwrap();
    assert_eq!(
        columns.feature_names(),
        ["country=FR", "country=NA", "country=US"]
    );
    let numbers = "a,y\n1,2\nunknown,3\n3,4\n";
    let options = with(&["unknown"], &[], Missing::Median);
    let (columns, _) = fit(numbers, &options).unwrap();
    assert_eq!(
        features_of(&columns, numbers, &options).unwrap(),
        [[1.], [2.], [3.]]
    );
}

#[test]
fn columns_keep_their_words_when_they_are_saved() {
    let options = with(&["unknown"], &["NA"], Missing::Drop);
    let (columns, _) = fit("a,b,y\n1,NA,2\nunknown,US,3\n2,NA,3\n", &options).unwrap();
    let back: Columns = serde_json::from_value(serde_json::to_value(&columns).unwrap()).unwrap();
    assert_eq!(back, columns);
    assert!(back.missing_words().is_missing("unknown") && !back.missing_words().is_missing("NA"));
    // Whatever the options of the later table say.
    let (header, rows) = read("a,b,y\nunknown,US,1\n3,NA,1\n", &TableOptions::default()).unwrap();
    let layout = back.layout(&header).unwrap();
    let mut out = Vec::new();
    assert_eq!(
        back.features(&layout, &rows[0], &mut out).unwrap(),
        Row::Dropped
    );
    assert_eq!(
        back.features(&layout, &rows[1], &mut out).unwrap(),
        Row::Encoded { unseen: 0 }
    );
}
