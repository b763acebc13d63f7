//! Rows and headers of every format.

use proptest::prelude::*;
use tables::{Decimal, Delimiter, HeaderLine, Record, Records, TableOptions};

use crate::read;

fn names(text: &str) -> Vec<String> {
    read(text, &TableOptions::default()).unwrap().0.names()
}

fn cells(text: &str, options: &TableOptions) -> Vec<Vec<String>> {
    let (_, rows) = read(text, options).unwrap();
    let cells = |row: &Record| row.cells.iter().map(str::to_owned).collect();
    rows.iter().map(cells).collect()
}

#[test]
fn headers_are_distinguished_from_rows() {
    assert_eq!(names("a,b\n1,2\n"), ["a", "b"]);
    assert_eq!(names(",b\n0,x\n"), ["column_1", "b"]);
    assert_eq!(names("T,2\nI,5\n"), ["column_1", "column_2"]);
    assert_eq!(names("class,cap\np,x\ne,x\n"), ["class", "cap"]);
    assert_eq!(names("p,x\np,y\n"), ["column_1", "column_2"]);
    // A value may recur below a name that is the same word, once numbers have shown the header.
    assert_eq!(names("colour,size\nred,1\ncolour,2\n"), ["colour", "size"]);
    assert_eq!(names("?,x\n1,y\n"), ["column_1", "column_2"]);
    assert_eq!(names("Na,x\nNA,y\n2,z\n"), ["Na", "x"]);
}

#[test]
fn a_header_can_be_stated() {
    let with = |header| TableOptions {
        header,
        ..TableOptions::default()
    };
    let (header, rows) = read("2010,2011\n1,2\n", &with(HeaderLine::Yes)).unwrap();
    assert_eq!(
        (header.names().join(" "), rows.len()),
        ("2010 2011".into(), 1)
    );
    let (header, rows) = read("a,b\n1,2\n", &with(HeaderLine::No)).unwrap();
    assert_eq!(
        (header.names().join(" "), rows.len()),
        ("column_1 column_2".into(), 2)
    );
    assert!(!header.is_named());
}

#[test]
fn every_separator_gives_the_same_cells() {
    for text in [
        "1,2.5,x\n",
        "1\t2.5\tx\n",
        "1;2.5;x\n",
        "1|2.5|x\r\n",
        " 1  2.5 x \r\n",
        "\"1\",2.5, \tx",
    ] {
        assert_eq!(
            cells(text, &TableOptions::default()),
            [["1", "2.5", "x"]],
            "{text:?}"
        );
    }
}

#[test]
fn a_stated_separator_decides() {
    let options = TableOptions {
        delimiter: Some(Delimiter::Byte(b';')),
        ..TableOptions::default()
    };
    assert_eq!(cells("1,2,3;4\n", &options), [["1,2,3", "4"]]);
    let comma = TableOptions {
        decimal: Decimal::Comma,
        ..TableOptions::default()
    };
    assert_eq!(cells("1,5;2,5;3,5\n", &comma), [["1,5", "2,5", "3,5"]]);
    assert_eq!(cells("1,5 2,5\n", &comma), [["1,5", "2,5"]]);
}

#[test]
fn quoted_cells_hold_separators_and_line_ends() {
    let (_, rows) = read(
        "a,b\n\"x, \"\"y\"\"\nz\",2\n\n\"w\",3\n",
        &TableOptions::default(),
    )
    .unwrap();
    assert_eq!(&rows[0].cells[0], "x, \"y\"\nz");
    assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 5]);
}

#[test]
fn comments_are_left_out_and_counted() {
    let options = TableOptions {
        comment: Some(b'#'),
        ..TableOptions::default()
    };
    for text in [
        "# made by hand\na,b\n1,2\n# 3,4\n5,6\n",
        "#\na b\n1 2\n#\n5 6\n",
    ] {
        let (header, rows) = read(text, &options).unwrap();
        assert_eq!(header.names(), ["a", "b"]);
        assert_eq!(rows.iter().map(|row| row.line).collect::<Vec<_>>(), [3, 5]);
    }
}

#[test]
fn every_line_end_is_one() {
    for text in [
        "a,b\n1,2\n3,4\n",
        "a,b\r\n1,2\r\n3,4",
        "\n\r\na,b\r\n\n1,2\n\n\n3,4\n\n",
    ] {
        assert_eq!(
            cells(text, &TableOptions::default()),
            [["1", "2"], ["3", "4"]],
            "{text:?}"
        );
    }
}

#[test]
fn a_live_pipe_gives_a_row_when_it_is_there() {
    let (receiver, mut sender) = std::io::pipe().unwrap();
    std::io::Write::write_all(&mut sender, b"a,b\n1,2\n").unwrap();
    let mut records = Records::new(receiver, &TableOptions::default()).unwrap();
    assert_eq!(&records.next().unwrap().unwrap().cells[1], "2");
    std::io::Write::write_all(&mut sender, b"3,4\n").unwrap();
    assert_eq!(&records.next().unwrap().unwrap().cells[1], "4");
    drop(sender);
    assert!(records.next().is_none());
}

proptest! {
    #[test]
    fn quoted_cells_come_back(rows in prop::collection::vec(prop::collection::vec("[a-z,;\"\n\r |]{0,6}", 3), 1..6)) {
        let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
        let line = |row: &Vec<String>| row.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n";
        let text: String = rows.iter().map(line).collect();
        let options = TableOptions {
            delimiter: Some(Delimiter::Byte(b',')),
            header: HeaderLine::No,
            ..TableOptions::default()
        };
        let trimmed: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect()).collect();
        prop_assert_eq!(cells(&text, &options), trimmed);
    }
}
