use super::*;

fn fitting(cells: &[&str]) -> Vec<String> {
    let formats = DateFormat::that_fit(cells);
    formats.into_iter().map(|format| format.0).collect()
}

#[test]
fn formats_are_recognised() {
    for (cells, format) in [
        (&["2014-05-02", "2015-12-31"][..], DateFormat::ISO),
        (&["20141013T000000"], DateFormat::ISO),
        (
            &["2014-05-02 13:30", "2014-05-02T13:30:59.5"],
            DateFormat::ISO,
        ),
        (&["2014-05-02T13:30:00Z"], DateFormat::ISO),
        (&["2014-05-02 13:30:00 UTC"], DateFormat::ISO),
        (&["2014-05-02 13"], DateFormat::ISO),
        (&["2014/05/02"], "%Y/%m/%d"),
        (&["02.05.2014", "31.12.2014"], "%d.%m.%Y"),
        (&["02/05/2014", "31/12/2014"], "%d/%m/%Y"),
        (&["05/02/2014", "12/31/2014"], "%m/%d/%Y"),
        (&["05-31-2014"], "%m-%d-%Y"),
        (&["02.05.2014 13:45:12"], "%d.%m.%Y %H:%M:%S%.f"),
        (&["02.05.2014 13:45:12.25"], "%d.%m.%Y %H:%M:%S%.f"),
        (&["31/05/2014 13:45:12"], "%d/%m/%Y %H:%M:%S%.f"),
        (&["05/31/2014 01:45 PM"], "%m/%d/%Y %I:%M %p"),
        (&["5/31/2014 1:45:00 pm"], "%m/%d/%Y %I:%M:%S %p"),
        (&["02.05.2014 13:45 UTC"], "%d.%m.%Y %H:%M"),
        (&["2 May 2014", "2 Jun 2014"], "%d %b %Y"),
        (&["02 January 2014"], "%d %B %Y"),
        (&["May 2, 2014", "Jun 2, 2014"], "%b %d, %Y"),
        (&["January 05, 2020"], "%B %d, %Y"),
        (&["31-Dec-99", "01-Jan-00"], "%d-%b-%y"),
        (&["12/31/99"], "%m/%d/%y"),
        (&["2014-05", "2014-12"], "%Y-%m"),
        (&["Jan 2014"], "%b %Y"),
        (&["13:45", "07:30"], "%H:%M"),
        (&["13:45:59"], "%H:%M:%S%.f"),
        (&["01:45 PM"], "%I:%M %p"),
        (&["Fri, 02 May 2014 13:30:00 GMT"], "%a, %d %b %Y %H:%M:%S"),
        (&["02/May/2014:13:30:00 +0200"], "%d/%b/%Y:%H:%M:%S %z"),
    ] {
        assert_eq!(fitting(cells), [format], "{cells:?}");
    }
}

#[test]
fn day_and_month_may_be_ambiguous() {
    assert_eq!(fitting(&["02/05/2014"]), ["%d/%m/%Y", "%m/%d/%Y"]);
    // Later cells need not be alike either way.
    assert_eq!(fitting(&["05/05/2014"]), ["%d/%m/%Y", "%m/%d/%Y"]);
    assert_eq!(fitting(&["2 May 2014"]), ["%d %b %Y"]);
}

#[test]
fn words_and_impossible_days_are_no_dates() {
    for cells in [
        &["red"][..],
        &["2014-02-30"],
        &["2014-05-02", "later"],
        &["25:30"],
        &["2:1", "0:3"],
        &["1.10.3", "2.0.1"],
        &["192.168.0.1"],
        &[],
    ] {
        assert!(fitting(cells).is_empty(), "{cells:?}");
    }
}

#[test]
fn one_cell_of_twenty_may_be_no_date() {
    let mut cells = vec!["2014-05-02"; 20];
    cells[7] = "later";
    assert_eq!(fitting(&cells), [DateFormat::ISO]);
    cells[8] = "never";
    assert!(fitting(&cells).is_empty());
    // The format that most cells have decides between days and months.
    let mut cells = vec!["02/05/2014"; 40];
    cells[3] = "31/12/2014";
    assert_eq!(fitting(&cells), ["%d/%m/%Y"]);
}

#[test]
fn an_offset_counts() {
    let iso = DateFormat::of_pattern(DateFormat::ISO);
    assert_eq!(iso.days("1970-01-02T02:00:00+02:00"), Some(1.0));
    assert_eq!(iso.days("1970-01-02T00:00:00Z"), Some(1.0));
    let with_offset = DateFormat::of_pattern("%d/%b/%Y:%H:%M:%S %z");
    assert_eq!(with_offset.days("02/Jan/1970:02:00:00 +0200"), Some(1.0));
}

#[test]
fn years_of_two_digits_are_those_of_posix() {
    let days = |cell| DateFormat::of_pattern("%d-%b-%y").days(cell);
    let iso = |cell| DateFormat::of_pattern(DateFormat::ISO).days(cell);
    for (cell, date) in [
        ("01-Jan-69", "1969-01-01"),
        ("31-Dec-99", "1999-12-31"),
        ("01-Jan-00", "2000-01-01"),
        ("31-Dec-68", "2068-12-31"),
    ] {
        assert_eq!(days(cell), iso(date), "{cell}");
    }
    // They are no long years.
    assert_eq!(DateFormat::of_pattern("%d-%b-%Y").days("31-Dec-99"), None);
}
