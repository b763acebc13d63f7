//! ARFF: Weka's format, as its book and wiki describe it (Witten, Frank and Hall, *Data Mining*, section 2.4).
//!
//! Read: `@relation`, `@attribute` with `numeric`, `real`, `integer`, `string` or `{nominal, values}`, names and
//! values quoted with `'` or `"` and escaped by `\`, `%` comments, dense `@data` rows. Sparse rows, dates and
//! relational attributes are refused by name.

use csv::StringRecord;

use super::table::{self, Column, Kind, Row, Table};
use super::{Content, Fault, ReadError};

/// Reads one file.
pub(crate) fn read(file: &Content) -> Result<Table, ReadError> {
    let is_content = |line: &str| !line.is_empty() && !line.starts_with('%');
    let mut lines = (1..)
        .zip(file.text()?.lines().map(str::trim))
        .filter(|(_, line)| is_content(line));
    let columns = header(&mut lines).map_err(|(line, fault)| match line {
        0 => fault.of(&file.path),
        _ => fault.at(&file.path, line),
    })?;
    let mut rows = Vec::new();
    for (line, text) in lines {
        let cells = row(text).map_err(|fault| fault.at(&file.path, line))?;
        rows.push(Row {
            file: 0,
            line,
            cells,
        });
    }
    table::checked(file, columns, rows)
}

/// Declarations up to and including `@data`; a fault at line 0 is one of the whole file.
fn header<'a>(
    lines: &mut impl Iterator<Item = (u64, &'a str)>,
) -> Result<Vec<Column>, (u64, Fault)> {
    let mut columns = Vec::new();
    for (number, line) in lines {
        let (keyword, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match keyword.to_ascii_lowercase().as_str() {
            "@relation" => {}
            "@attribute" => columns.push(attribute(rest).map_err(|fault| (number, fault))?),
            "@data" => return Ok(columns),
            _ => {
                return Err((
                    number,
                    syntax(format!(
                        "`{keyword}` is none of @relation, @attribute, @data"
                    )),
                ));
            }
        }
    }
    Err((0, syntax("no @data section".to_owned())))
}

fn attribute(text: &str) -> Result<Column, Fault> {
    let (name, rest) = token(text.trim_start(), |c| c.is_whitespace() || c == '{')?;
    let kind = match rest.trim() {
        list if list.starts_with('{') => Kind::Nominal(nominal(list)?),
        word => match word.to_ascii_lowercase().as_str() {
            "numeric" | "real" | "integer" => Kind::Numeric,
            "string" => Kind::Unstated,
            _ => {
                return Err(syntax(format!(
                    "attribute `{name}` is of type `{word}`; numeric, string and nominal ones are read"
                )));
            }
        },
    };
    Ok(Column { name, kind })
}

fn nominal(list: &str) -> Result<Vec<String>, Fault> {
    let inner = list
        .strip_prefix('{')
        .and_then(|list| list.strip_suffix('}'));
    let inner = inner.ok_or_else(|| syntax(format!("`{list}` lacks its closing brace")))?;
    cells(inner)
}

fn row(text: &str) -> Result<StringRecord, Fault> {
    if text.starts_with('{') {
        return Err(syntax(
            "sparse rows `{index value, …}` are not read; convert the file to dense rows"
                .to_owned(),
        ));
    }
    Ok(cells(text)?.into_iter().collect())
}

/// Values separated by commas.
fn cells(mut text: &str) -> Result<Vec<String>, Fault> {
    let mut cells = Vec::new();
    loop {
        let (cell, rest) = token(text.trim_start(), |c| c == ',')?;
        cells.push(cell);
        match rest.trim_start().strip_prefix(',') {
            Some(rest) => text = rest,
            None if rest.trim().is_empty() => return Ok(cells),
            None => {
                return Err(syntax(format!(
                    "a comma is missing before `{}`",
                    rest.trim()
                )));
            }
        }
    }
}

/// One value and what follows it: quoted up to its closing quote, else up to the first `ends`.
fn token(text: &str, ends: impl Fn(char) -> bool) -> Result<(String, &str), Fault> {
    match text.chars().next() {
        Some(quote @ ('\'' | '"')) => quoted(&text[1..], quote),
        _ => {
            let (value, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
            Ok((value.trim_end().to_owned(), rest))
        }
    }
}

fn quoted(text: &str, quote: char) -> Result<(String, &str), Fault> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => value.extend(chars.next().map(|(_, escaped)| escaped)),
            _ if char == quote => return Ok((value, &text[at + char.len_utf8()..])),
            _ => value.push(char),
        }
    }
    Err(syntax(format!("{quote}{text} lacks its closing quote")))
}

fn syntax(what: String) -> Fault {
    Fault::Syntax(what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const WEATHER: &str = "% a comment\n@RELATION 'the weather'\n\n@attribute 'out look' {sunny, 'over cast',\"it\\'s\"}\n\
        @ATTRIBUTE temp\treal\n@attribute play{yes,no}\n@DATA\nsunny, 85 ,no\n% another\n'over cast',-1e1,yes\n";

    fn table(text: &str) -> Result<Table, ReadError> {
        read(&Content {
            path: "x.arff".into(),
            sha256: String::new(),
            bytes: text.as_bytes().to_vec(),
        })
    }

    #[test]
    fn declarations_quotes_and_comments_are_read() {
        let table = table(WEATHER).unwrap();
        let nominal =
            |words: &[&str]| Kind::Nominal(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(
            table.columns[0],
            Column {
                name: "out look".into(),
                kind: nominal(&["sunny", "over cast", "it's"])
            }
        );
        assert_eq!(
            table.columns[1],
            Column {
                name: "temp".into(),
                kind: Kind::Numeric
            }
        );
        assert_eq!(
            table.columns[2],
            Column {
                name: "play".into(),
                kind: nominal(&["yes", "no"])
            }
        );
        assert_eq!(
            table.rows[1].cells,
            StringRecord::from(vec!["over cast", "-1e1", "yes"])
        );
        assert_eq!(table.rows[1].line, 10);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, says) in [
            ("@relation x\n@attribute a numeric\n", "x.arff: no @data"),
            (
                "@attribute a date\n@data\n1",
                "line 1: attribute `a` is of type `date`",
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
                "line 3: 2 cells where 1 are expected",
            ),
            (
                "@attribute a numeric\n@data\n{0 1}\n",
                "line 3: sparse rows",
            ),
            (
                "@attribute a string\n@data\n'x' y\n",
                "line 3: a comma is missing before `y`",
            ),
            ("hello\n", "line 1: `hello` is none of @relation"),
            ("@attribute a numeric\n@data\n", "holds no rows"),
        ] {
            let error = table(text).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
