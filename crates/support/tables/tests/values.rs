//! Values that are written in more than one way are equal, and `f32` keeps what it can of them.

use proptest::prelude::*;
use tables::{Columns, TableOptions};

use crate::{features_of, fit};

fn column(cells: impl IntoIterator<Item = String>) -> String {
    let rows = cells.into_iter().enumerate();
    let rows = rows.map(|(i, cell)| format!("\"{cell}\",{i}\n"));
    format!("a,y\n{}", rows.collect::<String>())
}

fn fitted(text: &str) -> (Columns, Vec<f32>) {
    let options = TableOptions::default();
    let (columns, _) = fit(text, &options).unwrap();
    let rows = features_of(&columns, text, &options).unwrap();
    assert_eq!(columns.width(), 1, "{text}");
    (columns, rows.concat())
}

/// What is subtracted from the only column, as its name says.
fn origin(columns: &Columns) -> f64 {
    let name = &columns.feature_names()[0];
    let (sign, text) = match name.split_once(" - ") {
        Some((_, text)) => (1.0, text),
        None => match name.split_once(" + ") {
            Some((_, text)) => (-1.0, text),
            None => return 0.0,
        },
    };
    let days = || {
        let date = text.parse::<jiff::civil::Date>().unwrap();
        let since = date.duration_since(jiff::civil::date(1970, 1, 1));
        since.as_secs_f64() / 86_400.0
    };
    sign * text.parse().unwrap_or_else(|_| days())
}

proptest! {
    #[test]
    fn different_whole_numbers_within_reach_of_f32_stay_apart_in_their_order(
        start in (0_u64..1 << 52),
        offsets in prop::collection::btree_set(0_u64..1 << 23, 2..60),
    ) {
        let (_, features) = fitted(&column(offsets.iter().map(|offset| (start + offset).to_string())));
        prop_assert!(features.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", features);
    }

    #[test]
    fn a_feature_and_what_was_subtracted_from_it_are_the_number(
        start in -1e12..1e12_f64,
        offsets in prop::collection::vec(-1e5..1e5_f64, 3..60),
    ) {
        let numbers: Vec<f64> = offsets.iter().map(|offset| ((start + offset) * 1e3).round() / 1e3).collect();
        let (columns, features) = fitted(&column(numbers.iter().map(f64::to_string)));
        let origin = origin(&columns);
        for (number, feature) in numbers.iter().zip(features) {
            prop_assert_eq!((number - origin) as f32, feature);
        }
    }

    #[test]
    fn tables_of_which_f32_loses_nothing_have_no_origin(numbers in prop::collection::vec(-(1 << 24)..1 << 24, 1..60)) {
        let (columns, features) = fitted(&column(numbers.iter().map(i32::to_string)));
        prop_assert_eq!(columns.feature_names(), ["a"]);
        prop_assert_eq!(features, numbers.iter().map(|number| *number as f32).collect::<Vec<_>>());
    }

    #[test]
    fn times_a_second_apart_stay_apart(
        day in 0_i64..30_000,
        seconds in prop::collection::btree_set(0_i64..300_000, 2..60),
    ) {
        let start = jiff::civil::date(1970, 1, 2).at(0, 0, 0, 0);
        let time = |second: &i64| start + jiff::SignedDuration::from_secs(day * 86_400 + second);
        for pattern in ["%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S"] {
            let cells = seconds.iter().map(|second| time(second).strftime(pattern).to_string());
            let (columns, features) = fitted(&column(cells));
            prop_assert!(features.windows(2).all(|pair| pair[0] < pair[1]), "{:?} {:?}", pattern, features);
            let origin = origin(&columns);
            for (second, feature) in seconds.iter().zip(features) {
                let exact = (86_400 * (day + 1) + second) as f64 / 86_400.0;
                prop_assert!(origin == 0.0 || (f64::from(feature) + origin - exact).abs() < 0.5 / 86_400.0);
            }
        }
    }
}
