//! What cells become: numbers, dates, categories, fillings.

use forest_core::{Inequality, PathStep, category};
use tables::{Categories, Columns, Missing, TableOptions};

use crate::{features, features_of, fit, read};

fn with_missing(missing: Missing) -> TableOptions {
    TableOptions {
        missing: Some(missing),
        ..TableOptions::default()
    }
}

fn with_categories(categories: &str) -> TableOptions {
    TableOptions {
        categories: categories.parse().ok(),
        ..TableOptions::default()
    }
}

const MISSING: &str = "a,b,y\n1,red,1\nNA,blue,2\n2,,3\n6,red,4\n";

/// In each column of a feature; and a native category is one value, also one that the rows fitted on did not have.
#[test]
fn missing_values_are_kept_and_categories_are_native() {
    let (_, rows) = features(MISSING, &with_missing(Missing::Keep));
    let missing = |row: &Vec<f32>| row.iter().map(|value| u8::from(value.is_nan())).collect();
    let missing: Vec<Vec<u8>> = rows.iter().map(missing).collect();
    assert_eq!(missing, [[0, 0, 0], [1, 0, 0], [0, 1, 1], [0, 0, 0]]);
    let options = TableOptions {
        categories: Some(Categories::Native),
        ..with_missing(Missing::Keep)
    };
    let (columns, _) = fit(MISSING, &options).unwrap();
    assert_eq!(columns.feature_names(), ["a", "b"]);
    let text = "a,b\n1,red\n1,blue\n1,green\n1,grey\n1,\n";
    let rows = features_of(&columns, text, &options).unwrap();
    let bits: Vec<u32> = rows.iter().map(|row| row[1].to_bits()).collect();
    let known = [category(1), category(0)].map(f32::to_bits);
    assert!(bits[..2] == known && !known.contains(&bits[2]) && !known.contains(&bits[3]));
    assert!(bits[2] != bits[3] && bits[4] == f32::NAN.to_bits());
}

#[test]
fn a_missing_value_where_none_was_is_filled_in_without_an_indicator() {
    let options = with_missing(Missing::Indicator);
    let (columns, _) = fit("a,b,y\n1,2,1\n3,,2\n", &options).unwrap();
    assert_eq!(columns.feature_names(), ["a", "b", "b is missing"]);
    assert_eq!(
        features_of(&columns, "a,b\n?,7\n", &options).unwrap(),
        [[2., 7., 0.]]
    );
}

#[test]
fn a_missing_feature_leaves_the_output_as_it_was() {
    let options = with_missing(Missing::Drop);
    let (header, rows) = read("a,b,y\n1,2,3\n4,,6\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, "last", None, &options).unwrap();
    let mut out = vec![9.0];
    let row = columns
        .features(&columns.own_layout(), &rows[1], &mut out)
        .unwrap();
    assert_eq!((row, out), (None, vec![9.0]));
}

#[test]
fn unseen_categories_are_zeros_and_are_counted() {
    let text = "a,b,y\nred,x,1\nblue,x,2\n";
    let (columns, _) = fit(text, &TableOptions::default()).unwrap();
    let (header, rows) = read("a,b\ngreen,x\nred,y\n7,z\n", &TableOptions::default()).unwrap();
    let layout = columns.layout(&header).unwrap();
    let mut out = Vec::new();
    let mut encoded = |row| columns.features(&layout, row, &mut out).unwrap();
    let unseen: Vec<_> = rows.iter().map(&mut encoded).collect();
    assert_eq!(out, [0., 0., 1., 0., 1., 0., 0., 0., 0.]);
    assert_eq!(unseen, [1, 1, 2].map(Some));
}

#[test]
fn hashed_categories_share_columns() {
    let options = with_categories("hash:4");
    let text: String = (0..300).map(|i| format!("word{i},{i}\n")).collect();
    let (names, rows) = features(&text, &options);
    assert_eq!(
        names,
        ["column_1#0", "column_1#1", "column_1#2", "column_1#3"]
    );
    assert!(rows.iter().all(|row| row.iter().sum::<f32>() == 1.0));
    let counts: Vec<f32> = (0..4)
        .map(|i| rows.iter().map(|row| row[i]).sum())
        .collect();
    // 300 words on 4 columns: a count is Binomial(300, 1/4), beyond ±5 standard deviations with odds of 1 : 10⁶.
    assert!(
        counts.iter().all(|count| (37.0..=113.0).contains(count)),
        "{counts:?}"
    );
    // The same on every machine and in every version: models depend on it.
    let (columns, _) = fit(&text, &options).unwrap();
    let pinned = features_of(&columns, "a,b\nred,1\nnever seen,1\n", &options).unwrap();
    assert_eq!(pinned, [[0., 1., 0., 0.], [1., 0., 0., 0.]]);
}

#[test]
fn columns_are_found_by_name_in_another_table() {
    let options = TableOptions::default();
    let (columns, _) = fit("a,b,y\n1,2,3\n4,5,6\n", &options).unwrap();
    assert_eq!(
        features_of(&columns, "b,extra,a\n20,x,10\n", &options).unwrap(),
        [[10., 20.]]
    );
    let error = features_of(&columns, "a,c\n1,2\n", &options)
        .unwrap_err()
        .to_string();
    assert!(error.contains("no column `b`"), "{error}");
}

#[test]
fn columns_are_found_by_position_without_names() {
    let options = TableOptions::default();
    let (columns, _) = fit("1,2,3\n4,5,6\n", &options).unwrap();
    assert_eq!(
        features_of(&columns, "7,8\n", &options).unwrap(),
        [[7., 8.]]
    );
    assert_eq!(
        features_of(&columns, "a,b,c\n7,8,9\n", &options).unwrap(),
        [[7., 8.]]
    );
    let error = features_of(&columns, "7\n", &options)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("1 columns without names where 3 are expected"),
        "{error}"
    );
    // The target first, and absent later.
    let (header, rows) = read("1,2,3\n4,5,6\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, "first", None, &options).unwrap();
    assert_eq!(
        features_of(&columns, "7,8\n", &options).unwrap(),
        [[7., 8.]]
    );
}

#[test]
fn an_origin_is_subtracted_from_what_is_filled_in_too() {
    let ids: String = (0..100)
        .map(|i| format!("{},{i}\n", 10_000_000_000_u64 + i))
        .collect();
    let text = format!("id,y\n{ids}NA,100\n");
    let (names, rows) = features(&text, &with_missing(Missing::Indicator));
    assert_eq!(names, ["id - 10000000050", "id is missing"]);
    assert_eq!(rows[0], [-50., 0.]);
    assert_eq!(rows[100], [-0.5, 1.]);
}

/// Twice the negative of a feature has the same cut, with the other side.
#[test]
fn a_cut_is_described_by_the_date_or_word_of_the_row() {
    let text = "when,colour,y\n2026-11-01,red,1.5\n2026-11-20,blue,2\n";
    let options = TableOptions::default();
    let (columns, _) = fit(text, &options).unwrap();
    let (_, rows) = read(text, &options).unwrap();
    let day = 20_767.0; // 2026-11-10
    for (normal, threshold, holds, expected) in [
        (vec![(0, 1.0)], day, true, "when = 2026-11-01 ≤ 2026-11-10"),
        (
            vec![(0, -2.0)],
            -2.0 * day,
            false,
            "when = 2026-11-01 ≤ 2026-11-10",
        ),
        (vec![(1, 1.0)], 0.5, true, "colour = red, not blue"),
        (vec![(2, 1.0)], 0.5, false, "colour = red"),
        (vec![(1, 1.0), (2, 1.0)], 0.5, false, ""),
    ] {
        let step = PathStep {
            cut: Inequality { normal, threshold },
            value: 0.0,
            holds,
            time: None,
            samples: 1,
        };
        let found = columns.cut_text(&step, &columns.own_layout(), &rows[0]);
        assert_eq!(found.unwrap_or_default(), expected);
    }
}

const TEXT: &str =
    "a,b,when,y\n1.1,red,2014-05-02,1\nunknown,blue,2015-01-01,2\n3.3,?,2016-02-03,3\n";

fn saved() -> (Columns, TableOptions, String) {
    let options = TableOptions {
        missing: Some(Missing::Indicator),
        missing_values: vec!["unknown".to_owned()],
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
    // Whatever the options of the later table say.
    let features = features_of(&back, TEXT, &TableOptions::default()).unwrap();
    assert_eq!(features, features_of(&columns, TEXT, &options).unwrap());
}

#[test]
fn columns_that_do_not_belong_together_are_refused() {
    let (_, _, json) = saved();
    for case in [
        r#""target":3|"target":4|the target column does not exist"#,
        r#""column":1,|"column":9,|a feature has no column"#,
        r#"["blue","red"]|["red","red"]|`red` is named twice"#,
        r#"["blue","red"]|[]|no values"#,
        r#"{"Word":"blue"}|{"Number":1.0}|a filling of another kind"#,
    ] {
        let [from, to, says] = case.split('|').collect::<Vec<_>>()[..] else {
            panic!("{case}")
        };
        assert!(json.contains(from), "{from} is not in {json}");
        let error = serde_json::from_str::<Columns>(&json.replace(from, to))
            .unwrap_err()
            .to_string();
        assert!(error.contains(says), "{to}: {error}");
    }
}
