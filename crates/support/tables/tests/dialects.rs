//! Random tables, written in every dialect that is read, come back; what is damaged ends with an error behind exactly
//! the rows before the damage.

use proptest::prelude::*;
use tables::{HeaderLine, Record, Records, TableError, TableOptions};

/// How a table is written.
#[derive(Clone, Debug)]
struct Dialect {
    separator: u8,
    quotes: csv::QuoteStyle,
    line_end: &'static str,
    mark: bool,
    encoding: &'static str,
    comment: Option<char>,
    header: Option<HeaderLine>,
}

fn dialects() -> impl Strategy<Value = Dialect> {
    let quotes = prop::sample::select(vec![
        csv::QuoteStyle::Necessary,
        csv::QuoteStyle::Always,
        csv::QuoteStyle::NonNumeric,
    ]);
    let encodings = vec!["utf-8", "utf-16le", "utf-16be", "latin-1"];
    let text = (
        prop::sample::select(b",;\t|".to_vec()),
        quotes,
        prop::sample::select(vec!["\n", "\r\n"]),
    );
    let options = (
        any::<bool>(),
        prop::sample::select(encodings),
        prop::sample::select(vec![None, Some('#')]),
        prop::sample::select(vec![Some(HeaderLine::Yes), Some(HeaderLine::No)]),
    );
    (text, options).prop_map(
        |((separator, quotes, line_end), (mark, encoding, comment, header))| {
            // Latin-1 has none.
            let mark = mark && encoding != "latin-1";
            Dialect {
                separator,
                quotes,
                line_end,
                mark,
                encoding,
                comment,
                header,
            }
        },
    )
}

/// Cells without blanks around them, among them some that need quotes. All of them are there in Latin-1.
fn tables() -> impl Strategy<Value = Vec<Vec<String>>> {
    let cell = prop_oneof![
        "-?[0-9]{1,3}",
        "-?[0-9]{1,3},[0-9]{1,2}",
        "[a-zé]{1,4}",
        "[a-z](\"|,|;|\t|\\||\n|#| |[a-zü]){0,6}[a-z]",
        "\"[a-z]{0,2}",
    ];
    (2_usize..5).prop_flat_map(move |width| {
        prop::collection::vec(prop::collection::vec(cell.clone(), width), 2..12)
    })
}

impl Dialect {
    fn options(&self) -> TableOptions {
        TableOptions {
            delimiter: char::from(self.separator).to_string().parse().ok(),
            header: self.header,
            comment: self.comment,
            // A mark says it by itself.
            encoding: Some(self.encoding.to_owned()).filter(|_| !self.mark),
            ..TableOptions::default()
        }
    }

    fn text(&self, table: &[Vec<String>]) -> String {
        let mut lines = vec![];
        for (at, row) in table.iter().enumerate() {
            let mut writer = csv::WriterBuilder::new()
                .delimiter(self.separator)
                .quote_style(self.quotes)
                .terminator(csv::Terminator::Any(b'\n'))
                .from_writer(vec![]);
            writer.write_record(row).unwrap();
            let row = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let row = row.strip_suffix('\n').unwrap();
            if self.comment.is_some() && at % 3 == 1 {
                lines.push("# a remark, \"with a quote".to_owned());
                lines.push(String::new());
            }
            lines.push(row.to_owned());
        }
        lines.join(self.line_end) + self.line_end
    }

    fn bytes(&self, table: &[Vec<String>]) -> Vec<u8> {
        let mark = if self.mark { "\u{feff}" } else { "" };
        let text = format!("{mark}{}", self.text(table));
        let units = text.encode_utf16();
        match self.encoding {
            "utf-8" => text.into_bytes(),
            "utf-16le" => units.flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => units.flat_map(u16::to_be_bytes).collect(),
            _ => text.chars().map(|char| char as u8).collect(),
        }
    }
}

/// Returns whether a first cell would begin a comment, or a row would be an empty line.
fn is_plain(dialect: &Dialect, row: &[String]) -> bool {
    let is_comment = row[0].starts_with('#') && dialect.comment.is_some();
    !is_comment && row.iter().any(|cell| !cell.is_empty())
}

fn cells(record: &Record) -> Vec<String> {
    record.cells.iter().map(str::to_owned).collect()
}

/// Returns the header and rows that are read, and the errors.
fn read(bytes: &[u8], options: &TableOptions) -> (Vec<Vec<String>>, Vec<TableError>) {
    let mut records = Records::new(bytes, options).unwrap();
    let is_named = records.decided(options).header == Some(HeaderLine::Yes);
    let names = is_named.then(|| records.header().names());
    let mut table = Vec::from_iter(names);
    let mut errors = vec![];
    for row in records.by_ref() {
        match row {
            Ok(row) => table.push(cells(&row)),
            Err(error) => errors.push(error),
        }
    }
    (table, errors)
}

/// What the crate `csv` reads.
fn oracle(dialect: &Dialect, table: &[Vec<String>]) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new()
        .delimiter(dialect.separator)
        .has_headers(false)
        .comment(dialect.comment.map(|comment| comment as u8))
        .from_reader(std::io::Cursor::new(dialect.text(table)));
    let rows = reader.into_records().map(Result::unwrap);
    rows.map(|row| row.iter().map(str::to_owned).collect())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn tables_in_every_dialect_are_read_as_they_were_written(dialect in dialects(), mut table in tables()) {
        table.retain(|row| is_plain(&dialect, row));
        // A row that repeats the header is refused, and has a test of its own.
        let first = table.first().cloned();
        table.dedup_by(|row, _| Some(&*row) == first.as_ref());
        prop_assume!(table.iter().filter(|row| Some(*row) == first.as_ref()).count() == 1);
        let (found, errors) = read(&dialect.bytes(&table), &dialect.options());
        prop_assert!(errors.is_empty(), "{:?}", errors);
        prop_assert_eq!(&found, &table);
        prop_assert_eq!(found, oracle(&dialect, &table));
    }

    #[test]
    fn separators_and_headers_are_recognised(separator in prop::sample::select(b",;\t|".to_vec()), numbers in prop::collection::vec((-99_i32..99, 0_u32..99, prop::sample::select(vec!["red", "dark, blue", "a;b"])), 12..30)) {
        let dialect = Dialect {
            separator,
            quotes: csv::QuoteStyle::Necessary,
            line_end: "\n",
            mark: false,
            encoding: "utf-8",
            comment: None,
            header: None,
        };
        let header = ["Weight, kg", "a|b", "colour;"].map(str::to_owned).to_vec();
        let rows = numbers.iter().map(|(a, b, word)| vec![format!("{a}.5"), b.to_string(), (*word).to_owned()]);
        let table: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
        let (found, errors) = read(&dialect.bytes(&table), &TableOptions::default());
        prop_assert!(errors.is_empty());
        prop_assert_eq!(found, table);
    }

    #[test]
    fn a_table_that_is_cut_within_quotes_ends_with_a_bad_row_behind_the_rows_before(table in tables(), cut in any::<prop::sample::Index>()) {
        let options = TableOptions {
            delimiter: ",".parse().ok(),
            header: Some(HeaderLine::Yes),
            ..TableOptions::default()
        };
        let quoted = |row: &Vec<String>| row.iter().map(|cell| format!("\"{}\"", cell.replace('"', "\"\""))).collect::<Vec<_>>().join(",") + "\n";
        let width = table[0].len();
        let names: Vec<String> = (0..width).map(|i| format!("name{i}")).collect();
        let before: String = std::iter::once(&names).chain(&table).map(quoted).collect();
        let last = quoted(&vec!["x, y\nz".to_owned(); width]);
        // Somewhere within, but not behind a closed cell.
        let cuts: Vec<usize> = (1..last.len()).filter(|at| last[..*at].matches('"').count() % 2 == 1).collect();
        let text = before + &last[..cuts[cut.index(cuts.len())]];
        let rows: Vec<_> = Records::new(text.as_bytes(), &options).unwrap().collect();
        let good: Vec<_> = rows.iter().flatten().map(cells).collect();
        prop_assert_eq!(&good, &table);
        prop_assert!(rows[table.len()].is_err());
        prop_assert!(rows[table.len()..].iter().all(Result::is_err));
    }
}
