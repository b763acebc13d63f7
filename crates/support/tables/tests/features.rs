//! What cells become: numbers, dates, categories, fillings.

use forest_core::category;
use tables::{
    Categories, Cell, Columns, Dates, Decimal, Missing, Row, TableOptions, TargetColumn, TaskKind,
};

use crate::{features, features_of, fit, read};

fn with_missing(missing: Missing) -> TableOptions {
    TableOptions {
        missing,
        ..TableOptions::default()
    }
}

fn with_categories(categories: &str) -> TableOptions {
    TableOptions {
        categories: categories.parse().unwrap(),
        ..TableOptions::default()
    }
}

const MISSING: &str = "a,b,y\n1,red,1\nNA,blue,2\n2,,3\n6,red,4\n";

/// In each column of a feature; and a native category is one value, also one that the rows fitted on did not have.
#[test]
fn missing_values_are_kept_and_categories_are_native() {
    let (_, rows) = features(MISSING, &with_missing(Missing::Keep));
    let missing: Vec<Vec<bool>> = rows
        .iter()
        .map(|row| row.iter().map(|value| value.is_nan()).collect())
        .collect();
    let whole = [false; 3];
    assert_eq!(
        missing,
        [whole, [true, false, false], [false, true, true], whole]
    );
    let options = TableOptions {
        categories: Categories::Native,
        ..with_missing(Missing::Keep)
    };
    assert_eq!(options.kept(), Some("--missing keep"));
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
fn medians_are_filled_in() {
    let (names, rows) = features(MISSING, &with_missing(Missing::Median));
    assert_eq!(names, ["a", "b=blue", "b=red"]);
    assert_eq!(
        rows,
        [[1., 0., 1.], [2., 1., 0.], [2., 0., 1.], [6., 0., 1.]]
    );
}

#[test]
fn indicators_tell_what_was_missing() {
    let (names, rows) = features(MISSING, &with_missing(Missing::Indicator));
    assert_eq!(
        names,
        ["a", "a is missing", "b=blue", "b=red", "b is missing"]
    );
    assert_eq!(rows[0], [1., 0., 0., 1., 0.]);
    assert_eq!(rows[1], [2., 1., 1., 0., 0.]);
    assert_eq!(rows[2], [2., 0., 0., 1., 1.]);
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
fn rows_with_missing_values_are_dropped_and_not_fitted_on() {
    let (names, rows) = features(MISSING, &with_missing(Missing::Drop));
    assert_eq!(names, ["a", "b=red"]); // the only blue row is dropped
    assert_eq!(rows, [[1., 1.], [6., 1.]]);
    let options = with_missing(Missing::Drop);
    let (header, rows) = read("a,y\n1,2\n3,?\n4,5\n", &options).unwrap();
    let (columns, _) = Columns::fit(
        &header,
        &rows,
        &TargetColumn::Last,
        Some(TaskKind::Regression),
        &options,
    )
    .unwrap();
    let layout = columns.own_layout();
    assert_eq!(columns.target(&layout, &rows[1]).unwrap(), None);
    assert_eq!(
        columns.target(&layout, &rows[2]).unwrap(),
        Some(Cell::Number(5.0))
    );
}

#[test]
fn a_missing_feature_leaves_the_output_as_it_was() {
    let options = with_missing(Missing::Drop);
    let (header, rows) = read("a,b,y\n1,2,3\n4,,6\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options).unwrap();
    let mut out = vec![9.0];
    let row = columns
        .features(&columns.own_layout(), &rows[1], &mut out)
        .unwrap();
    assert_eq!((row, out), (Row::Dropped, vec![9.0]));
}

#[test]
fn unseen_categories_are_zeros_and_are_counted() {
    let text = "a,b,y\nred,x,1\nblue,x,2\n";
    let (columns, _) = fit(text, &TableOptions::default()).unwrap();
    let (header, rows) = read("a,b\ngreen,x\nred,y\n7,z\n", &TableOptions::default()).unwrap();
    let layout = columns.layout(&header).unwrap();
    let mut out = Vec::new();
    let unseen: Vec<Row> = rows
        .iter()
        .map(|row| columns.features(&layout, row, &mut out).unwrap())
        .collect();
    assert_eq!(out, [0., 0., 1., 0., 1., 0., 0., 0., 0.]);
    assert_eq!(unseen, [1, 1, 2].map(|unseen| Row::Encoded { unseen }));
}

#[test]
fn ordinal_categories_are_numbered() {
    let options = with_categories("ordinal");
    let text = "a,y\nred,1\nblue,2\nred,3\n";
    assert_eq!(
        features(text, &options),
        (vec!["a".to_owned()], vec![vec![1.], vec![0.], vec![1.]])
    );
    let (columns, _) = fit(text, &options).unwrap();
    assert_eq!(
        features_of(&columns, "a\ngreen\nblue\n", &options).unwrap(),
        [[-1.], [0.]]
    );
}

#[test]
fn declared_values_keep_their_order_and_their_names() {
    let text =
        "@relation r\n@attribute a {z,NA,'b c'}\n@attribute y real\n@data\nNA,1.5\n'b c',2\n?,3\n";
    let (names, rows) = features(text, &with_missing(Missing::Drop));
    assert_eq!(names, ["a=z", "a=NA", "a=b c"]);
    assert_eq!(rows, [[0., 1., 0.], [0., 0., 1.]]);
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
fn one_hot_columns_have_a_limit() {
    let text = "a,y\nred,1\nblue,2\ngreen,3\n";
    assert!(fit(text, &with_categories("one-hot:3")).is_ok());
    let error = fit(text, &with_categories("one-hot:2"))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`a` has more than 2 different values") && error.contains("hash:64"),
        "{error}"
    );
    assert_eq!(Categories::default(), Categories::OneHot { limit: 1024 });
}

#[test]
fn numbers_can_be_categories() {
    let options = TableOptions {
        categorical: vec!["zip".to_owned()],
        ..TableOptions::default()
    };
    let (names, _) = features("zip,y\n01067,1\n80331,2\n", &options);
    assert_eq!(names, ["zip=01067", "zip=80331"]);
}

#[test]
fn dates_are_days() {
    let text = "when,y\n1970-01-02,1\n1970-02-01 12:00,2\n";
    let (names, rows) = features(text, &TableOptions::default());
    assert_eq!(
        (names, rows),
        (vec!["when".to_owned()], vec![vec![1.0], vec![31.5]])
    );
    let text_dates = TableOptions {
        dates: Dates::Text,
        ..TableOptions::default()
    };
    assert_eq!(features(text, &text_dates).0.len(), 2);
    let american = TableOptions {
        dates: Dates::Pattern("%m/%d/%Y".to_owned()),
        ..TableOptions::default()
    };
    assert_eq!(
        features("when,y\n01/02/1970,1\n02/01/1970,2\n", &american).1,
        [[1.0], [31.0]]
    );
}

#[test]
fn commas_and_groups_are_numbers_if_the_options_say_so() {
    let options = TableOptions {
        decimal: Decimal::Comma,
        thousands: Some('.'),
        ..TableOptions::default()
    };
    let (header, rows) = read("a;y\n1.234,5;0,5\n-2;1.000\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options).unwrap();
    assert!(columns.target_is_number());
    let target = columns.target(&columns.own_layout(), &rows[1]).unwrap();
    assert_eq!(target, Some(Cell::Number(1000.0)));
    assert_eq!(
        features("a;y\n1.234,5;0,5\n-2;1.000\n", &options).1,
        [[1234.5], [-2.0]]
    );
}

#[test]
fn columns_are_chosen_by_name_and_number() {
    let options = |columns: &[&str], drop: &[&str]| TableOptions {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        drop: drop.iter().map(|name| (*name).to_owned()).collect(),
        ..TableOptions::default()
    };
    let text = "a,b,c,y\n1,2,3,4\n5,6,7,8\n";
    assert_eq!(features(text, &options(&["c", "a"], &[])).0, ["c", "a"]);
    assert_eq!(features(text, &options(&[], &["b", "1"])).0, ["c"]);
    assert_eq!(features(text, &options(&["a", "b"], &["b"])).0, ["a"]);
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
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::First, None, &options).unwrap();
    assert_eq!(
        features_of(&columns, "7,8\n", &options).unwrap(),
        [[7., 8.]]
    );
}

#[test]
fn words_are_targets() {
    let options = TableOptions::default();
    let (header, rows) = read("a,y\n1,up\n2,down\n", &options).unwrap();
    let (columns, _) = Columns::fit(&header, &rows, &TargetColumn::Last, None, &options).unwrap();
    let layout = columns.layout(&header).unwrap();
    assert!(layout.has_target() && !columns.target_is_number());
    assert_eq!(columns.target_name(), "y");
    assert_eq!(
        columns.target(&layout, &rows[0]).unwrap(),
        Some(Cell::Class("up".into()))
    );
}

#[test]
fn times_that_f32_would_merge_stay_apart_and_the_name_says_what_is_subtracted() {
    let text: String = (0..500)
        .map(|i| {
            format!(
                "2026-11-25T{:02}:{:02}:{:02},{i}\n",
                10 + i / 360,
                i / 6 % 60,
                i % 6 * 10
            )
        })
        .collect();
    let (names, rows) = features(&format!("when,y\n{text}"), &TableOptions::default());
    assert_eq!(names, ["when - 2026-11-25"]);
    let seconds = |row: &[f32]| f64::from(row[0]) * 86400.0;
    assert!(
        rows.windows(2)
            .all(|pair| (seconds(&pair[1]) - seconds(&pair[0]) - 10.0).abs() < 0.01)
    );
    assert!((seconds(&rows[0]) - 36000.0).abs() < 0.01);
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

#[test]
fn dates_that_arff_declares_are_recognised_or_read_in_the_pattern_that_is_given() {
    let text = "@relation r\n@attribute a date 'yyyy-MM-dd HH:mm'\n@attribute b date 'dd/MM/yyyy'\n@attribute y real\n\
        @data\n\"1970-01-02 12:00\",01/02/1970,1.5\n\"1970-02-01 00:00\",02/01/1970,2.5\n";
    let (columns, warnings) = fit(text, &TableOptions::default()).unwrap();
    assert_eq!((columns.dates(), columns.width()), (vec![0], 3));
    assert!(
        warnings.len() == 1
            && warnings[0]
                .to_string()
                .contains("column `b` is text, but 2 of 2 cells contain digits"),
        "{warnings:?}"
    );
    let given = TableOptions {
        dates: Dates::Pattern("%d/%m/%Y".to_owned()),
        ..TableOptions::default()
    };
    assert_eq!(features(text, &given).1, [[1.5, 31.], [31., 1.]]);
    assert!(fit(text, &given).unwrap().1.is_empty());
}
