use super::*;

fn fitting(cells: &[&str]) -> Option<String> {
    DateFormat::that_fits(cells).map(|format| format.0)
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
        (&["2014-05-02 13"], DateFormat::ISO),
        (&["2014/05/02"], "%Y/%m/%d"),
        (&["02.05.2014", "31.12.2014"], "%d.%m.%Y"),
        (&["02.05.2014 13:45:12.25"], "%d.%m.%Y %H:%M:%S%.f"),
    ] {
        assert_eq!(fitting(cells).as_deref(), Some(format), "{cells:?}");
    }
}

#[test]
fn words_and_impossible_days_are_not_dates() {
    for cells in [
        &["red"][..],
        &["02/05/2014"],
        &["2 May 2014"],
        &["13:45"],
        &["2014-02-30"],
        &["2014-05-02", "later"],
        &["25:30"],
        &["2:1", "0:3"],
        &["1.10.3", "2.0.1"],
        &["192.168.0.1"],
        &[],
    ] {
        assert_eq!(fitting(cells), None, "{cells:?}");
    }
}

#[test]
fn one_cell_of_twenty_may_be_something_else() {
    let mut cells = vec!["2014-05-02"; 20];
    cells[7] = "later";
    assert_eq!(fitting(&cells).as_deref(), Some(DateFormat::ISO));
    cells[8] = "never";
    assert_eq!(fitting(&cells), None);
}

#[test]
fn an_offset_counts() {
    let iso = DateFormat::from_pattern(DateFormat::ISO);
    assert_eq!(iso.days("1970-01-02T02:00:00+02:00"), Some(1.0));
    assert_eq!(iso.days("1970-01-02T00:00:00Z"), Some(1.0));
    let with_offset = DateFormat::from_pattern("%d/%b/%Y:%H:%M:%S %z");
    assert_eq!(with_offset.days("02/Jan/1970:02:00:00 +0200"), Some(1.0));
}

#[test]
fn years_of_two_digits_are_those_of_posix() {
    let days = |cell| DateFormat::from_pattern("%d-%b-%y").days(cell);
    let iso = |cell| DateFormat::from_pattern(DateFormat::ISO).days(cell);
    for (cell, date) in [
        ("01-Jan-69", "1969-01-01"),
        ("31-Dec-99", "1999-12-31"),
        ("01-Jan-00", "2000-01-01"),
        ("31-Dec-68", "2068-12-31"),
    ] {
        assert_eq!(days(cell), iso(date), "{cell}");
    }
    // Two digits are not a year of four.
    assert_eq!(DateFormat::from_pattern("%d-%b-%Y").days("31-Dec-99"), None);
}
