//! ARFF: Weka's format, as its book and wiki describe it (Witten, Frank and Hall, *Data Mining*, section 2.4).
//!
//! Read: `@relation`, `@attribute` with `numeric`, `real`, `integer`, `string`, `date` or `{nominal, values}`, names
//! and values quoted with `'` or `"` and escaped by `\`, lines that begin with `%` as comments, dense rows, and sparse rows
//! `{index value, …}`, in which the index counts from 0 and omitted values are 0 or the first declared value. Values are
//! separated by commas or tabs. Weights of rows and relational attributes are refused.

mod declaration;
mod values;

use csv::StringRecord;

use declaration::{attribute, left_out};
use values::{cells, sparse_cells};

use crate::input::{Lines, Text};
use crate::limits::MAX_COLUMNS;
use crate::record::Column;
use crate::records::Source;
use crate::{Fault, Header, Record, RowError, short};

/// The rows behind `@data`.
pub(crate) struct Arff<'a> {
    lines: Lines<'a>,
    /// What a cell is that a sparse row leaves out.
    left_out: Vec<String>,
}

impl<'a> Arff<'a> {
    /// Reads the declarations.
    pub(crate) fn open(text: Text<'a>) -> Result<(Header, Self), crate::TableError> {
        let mut lines = Lines::of(text);
        let mut columns = Vec::new();
        while let Some(line) = content(&mut lines)? {
            let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let declared = match keyword.to_ascii_lowercase().as_str() {
                "@relation" => Ok(()),
                "@attribute" => attribute(rest).and_then(|column| push(&mut columns, column)),
                "@data" => return Ok(Self::with(columns, lines)),
                _ => Err(Fault::new(format!(
                    "`{}` is not @relation, @attribute or @data",
                    short(keyword)
                ))),
            };
            declared.map_err(|fault| fault.at(lines.number()))?;
        }
        Err(Fault::new("no @data section").into())
    }

    fn with(columns: Vec<Column>, lines: Lines<'a>) -> (Header, Self) {
        let left_out = columns.iter().map(left_out).collect();
        let header = Header {
            columns,
            is_named: true,
        };
        (header, Self { lines, left_out })
    }
}

impl Source for Arff<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        let Some(line) = content(&mut self.lines)? else {
            return Ok(false);
        };
        let row = match line.strip_prefix('{') {
            None => cells(line),
            Some(sparse) => sparse_cells(sparse, &self.left_out),
        };
        let line = self.lines.number();
        let row = row.map_err(|fault| fault.at(line))?;
        record.cells = StringRecord::from(row);
        record.line = line;
        Ok(true)
    }
}

/// Returns the next line that is neither empty nor a comment.
fn content<'l>(lines: &'l mut Lines<'_>) -> Result<Option<&'l str>, RowError> {
    loop {
        match lines.read()? {
            Some(line) if line.is_empty() || line.starts_with('%') => {}
            Some(_) => return lines.latest().map(|line| Some(line.trim())),
            None => return Ok(None),
        }
    }
}

fn push(columns: &mut Vec<Column>, column: Column) -> Result<(), Fault> {
    columns.push(column);
    if columns.len() > MAX_COLUMNS {
        Err(Fault::too_many_columns())
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, Records, TableError, TableFormat, TableOptions};

    const WEATHER: &str = "% a comment\n@RELATION 'the weather'\n\n@attribute 'out look' {sunny, 'over cast',\"it\\'s\"}\n\
        @ATTRIBUTE temp\treal\n@attribute play{yes,no}\n@DATA\nsunny, 85 ,no\n% another\n'over cast',-1e1,yes\n";

    fn read(text: &str) -> Result<(Header, Vec<Record>), TableError> {
        let options = TableOptions::default();
        let records = Records::in_format(text.as_bytes(), TableFormat::Arff, &options)?;
        let header = records.header().clone();
        let rows = records.collect::<Result<_, _>>()?;
        Ok((header, rows))
    }

    #[test]
    fn declarations_quotes_and_comments_are_read() {
        let (header, rows) = read(WEATHER).unwrap();
        let nominal =
            |words: &[&str]| Kind::Nominal(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(header.names(), ["out look", "temp", "play"]);
        assert_eq!(
            header.columns()[0].kind,
            nominal(&["sunny", "over cast", "it's"])
        );
        assert_eq!(header.columns()[1].kind, Kind::Numeric);
        assert_eq!(header.columns()[2].kind, nominal(&["yes", "no"]));
        assert_eq!(
            rows[1].cells,
            StringRecord::from(vec!["over cast", "-1e1", "yes"])
        );
        assert_eq!(rows[1].line, 10);
    }

    #[test]
    fn sparse_rows_leave_out_zeros_and_first_values() {
        let text = "@attribute a real\n@attribute b {x,'y z'}\n@attribute c real\n@data\n{1 'y z', 2 3.5}\n{}\n{ 0 -1 }\n";
        let (_, rows) = read(text).unwrap();
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.cells.iter().collect()).collect();
        assert_eq!(
            cells,
            [["0", "y z", "3.5"], ["0", "x", "0"], ["-1", "x", "0"]]
        );
    }

    #[test]
    fn tabs_separate_values() {
        let text =
            "@attribute a real % metres\n@attribute b {red,\tblue}\n@data\n1\tred\n2,\t'blue'\t\n";
        let (_, rows) = read(text).unwrap();
        let cells: Vec<Vec<&str>> = rows.iter().map(|row| row.cells.iter().collect()).collect();
        assert_eq!(cells, [["1", "red"], ["2", "blue"]]);
    }

    #[test]
    fn arff_is_recognised_behind_comments() {
        let rows = Records::new(WEATHER.as_bytes(), &TableOptions::default()).unwrap();
        assert_eq!(rows.header().columns().len(), 3);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, says) in [
            ("@relation x\n@attribute a numeric\n", "no @data"),
            (
                "@attribute a relational\n@data\n1",
                "line 1: attribute `a` is of type `relational`",
            ),
            (
                "@attribute 'a numeric\n",
                "line 1: 'a numeric lacks its closing quote",
            ),
            (
                "@attribute a {x,y\n",
                "line 1: `{x,y` lacks its closing brace",
            ),
            (
                "@attribute a numeric\n@data\n1,2\n",
                "line 3: 2 cells instead of 1",
            ),
            (
                "@attribute a numeric\n@data\n{0 1\n",
                "line 3: a sparse row lacks",
            ),
            (
                "@attribute a numeric\n@data\n{1 1}\n",
                "line 3: `1 1` does not begin with the index of one of 1 attributes",
            ),
            (
                "@attribute a numeric\n@data\n{x}\n",
                "line 3: `x` does not begin with the index",
            ),
            (
                "@attribute a string\n@data\n'x' y\n",
                "line 3: a comma is missing before `y`",
            ),
            (
                "@attribute a numeric\n@data\n1, {2}\n",
                "line 3: 2 cells instead of 1",
            ),
            ("hello\n", "line 1: `hello` is not @relation"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
