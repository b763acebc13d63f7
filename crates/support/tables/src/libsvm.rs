//! LIBSVM text: one row per line, `label index:value …`.
//!
//! Indices increase within a row; omitted values are zero; `#` starts a comment (SVMlight). A group (`qid:1`), which
//! learners of rankings use, is left out, and reported. Format: the README of
//! LIBSVM (Chang and Lin, ACM TIST 2011). Where rows come one after another, the user says how many features there
//! are: a later row may have a larger index than all before.

use crate::input::{Lines, Text};
use crate::record::Column;
use crate::records::Source;
use crate::{Fault, Header, Indices, Kind, Record, RowError, Warning, short};

/// What stands before a group.
const GROUP: &str = "qid:";

/// The words of a row of LIBSVM's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibsvmRow<'a> {
    /// The label, a number, as it was written.
    pub label: &'a str,
    /// Indices, which increase, and values as they were written.
    pub cells: Vec<(u32, &'a str)>,
    /// The group behind the label, as in `qid:1`. It is not a feature.
    pub group: Option<&'a str>,
}

impl<'a> LibsvmRow<'a> {
    /// Parses the row of a line; returns `None` if it is blank or a comment.
    ///
    /// # Errors
    /// Returns an error for a label that is not a number, a word that is not `index:value`, or an index that does not increase.
    ///
    /// ```
    /// let row = tables::LibsvmRow::parse("+1 3:0.5 7:1 # two features")?.expect("there is a row");
    /// assert_eq!((row.label, row.cells), ("+1", vec![(3, "0.5"), (7, "1")]));
    /// # Ok::<(), tables::Fault>(())
    /// ```
    pub fn parse(line: &'a str) -> Result<Option<Self>, Fault> {
        let content = line.split('#').next().unwrap_or_default();
        let mut words = content.split_ascii_whitespace();
        let Some(label) = words.next() else {
            return Ok(None);
        };
        // Text in another format would be read as a label without features.
        if label.parse::<f64>().is_err() {
            return Err(Fault::new(format!(
                "`{}` (label) is not a number; LIBSVM rows are `label index:value …`",
                short(label)
            )));
        }
        let mut words = words.peekable();
        let group = words.next_if(|word| word.starts_with(GROUP));
        let mut cells: Vec<(u32, &str)> = Vec::new();
        for word in words {
            let (index, value) = pair(word).ok_or_else(|| not_a_pair(word))?;
            if cells.last().is_some_and(|last| last.0 >= index) {
                return Err(Fault::new(format!(
                    "index {index} does not increase; indices of a row must"
                )));
            }
            cells.push((index, value));
        }
        Ok(Some(Self {
            label,
            cells,
            group: group.and_then(|word| word.strip_prefix(GROUP)),
        }))
    }

    /// Checks that the indices of all its features exist.
    ///
    /// # Errors
    /// Returns the first one that does not.
    pub fn check(&self, indices: Indices) -> Result<(), Fault> {
        let mut all = self.cells.iter().map(|cell| cell.0);
        match all.find(|index| !indices.range().contains(index)) {
            Some(index) => Err(Fault::new(format!(
                "index {index} is not one of {indices}, those of --indices"
            ))),
            None => Ok(()),
        }
    }
}

fn pair(word: &str) -> Option<(u32, &str)> {
    let (index, value) = word.split_once(':')?;
    Some((index.parse().ok()?, value))
}

fn not_a_pair(word: &str) -> Fault {
    Fault::new(format!(
        "`{}` is not `index:value` with a whole number as its index",
        short(word)
    ))
}

/// Returns whether a line is a row of LIBSVM's format: a number, then `index:value` or a group.
///
/// ```
/// assert!(tables::looks_like_libsvm("+1 3:0.5 7:1"));
/// assert!(tables::looks_like_libsvm("1 qid:7 1:0.5"));
/// assert!(!tables::looks_like_libsvm("1 12 30"));
/// ```
pub fn looks_like_libsvm(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let label = words.next().is_some_and(|word| word.parse::<f64>().is_ok());
    label
        && words
            .next()
            .is_some_and(|word| word.starts_with(GROUP) || pair(word).is_some())
}

/// The rows of a file whose indices are known; the columns are `label` and `f` with the index.
pub(crate) struct Libsvm<'a> {
    lines: Lines<'a>,
    indices: Indices,
    /// Whether a row had a group.
    has_groups: bool,
}

impl<'a> Libsvm<'a> {
    pub(crate) fn open(text: Text<'a>, indices: Indices) -> (Header, Self) {
        let feature = |index| Column {
            name: format!("f{index}"),
            kind: Kind::Numeric,
        };
        let columns = [Column::unstated("label")].into_iter();
        let header = Header {
            columns: columns.chain(indices.range().map(feature)).collect(),
            is_named: true,
        };
        let lines = Lines::of(text);
        let libsvm = Self {
            lines,
            indices,
            has_groups: false,
        };
        (header, libsvm)
    }
}

impl Source for Libsvm<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool, RowError> {
        loop {
            let Some(line) = self.lines.read()? else {
                return Ok(false);
            };
            let written = LibsvmRow::parse(line).and_then(|row| match row {
                Some(row) => {
                    self.has_groups |= row.group.is_some();
                    write(&row, self.indices, record).map(|()| true)
                }
                None => Ok(false),
            });
            let number = self.lines.number();
            if written.map_err(|fault| fault.at(number))? {
                record.line = number;
                return Ok(true);
            }
        }
    }

    fn left_out(&self) -> Option<Warning> {
        self.has_groups.then(|| {
            Warning::new(
                "rows have a group (`qid:…`), which is left out: it is not a feature, and rows are learned one by one"
                    .to_owned(),
            )
        })
    }
}

/// Writes the label, then a cell for every index.
fn write(row: &LibsvmRow<'_>, indices: Indices, record: &mut Record) -> Result<(), Fault> {
    row.check(indices)?;
    record.cells.clear();
    record.cells.push_field(row.label);
    let mut cells = row.cells.iter().peekable();
    for index in indices.range() {
        let cell = cells.next_if(|cell| cell.0 == index);
        record.cells.push_field(cell.map_or("0", |cell| cell.1));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Records, TableOptions};

    fn read(text: &str, indices: &str) -> (Vec<String>, Vec<Result<String, String>>) {
        let options = TableOptions {
            indices: Some(indices.parse().unwrap()),
            ..TableOptions::default()
        };
        let rows = Records::new(text.as_bytes(), &options).unwrap();
        let names = rows.header().names();
        let joined = |row: Record| row.cells.iter().collect::<Vec<_>>().join(" ");
        let rows = rows.map(|row| row.map(joined).map_err(|error| error.to_string()));
        (names, rows.collect())
    }

    #[test]
    fn what_is_left_out_is_zero() {
        let text = "# a comment\n+1 1:0.5 3:-2 # note\n\n-1\n";
        let (names, rows) = read(text, "1-3");
        assert_eq!(names, ["label", "f1", "f2", "f3"]);
        assert_eq!(rows, [Ok("+1 0.5 0 -2".into()), Ok("-1 0 0 0".into())]);
        let (names, rows) = read("2.5 0:7 1:8\n", "0-1");
        assert_eq!(names, ["label", "f0", "f1"]);
        assert_eq!(rows, [Ok("2.5 7 8".into())]);
    }

    #[test]
    fn groups_are_not_features_and_are_reported() {
        let options = TableOptions {
            indices: "1-2".parse().ok(),
            ..TableOptions::default()
        };
        let text = "1 qid:1 1:0.5 2:0.1\n0 qid:2 1:7\n";
        let mut rows = Records::new(text.as_bytes(), &options).unwrap();
        let cells = |row: Record| row.cells.iter().collect::<Vec<_>>().join(" ");
        let read: Vec<String> = rows.by_ref().map(|row| cells(row.unwrap())).collect();
        assert_eq!(read, ["1 0.5 0.1", "0 7 0"]);
        let said = rows.warnings()[0].to_string();
        assert!(said.starts_with("rows have a group"), "{said}");
        let without = text.replace(" qid:1", "").replace(" qid:2", "");
        let mut rows = Records::new(without.as_bytes(), &options).unwrap();
        assert!(rows.by_ref().all(|row| row.is_ok()) && rows.warnings().is_empty());
        let refused = Records::new(text.as_bytes(), &TableOptions::default());
        assert!(refused.err().unwrap().to_string().contains("--indices"));
    }

    #[test]
    fn a_bad_row_is_reported_and_the_next_one_is_read() {
        let text = "1 0:1\n1 4:1\n1 2:1 2:3\n1 x:1\n1 1\n1,2,3\n1 2:1\n";
        let (_, rows) = read(text, "1-3");
        let says = [
            "line 1: index 0 is not one of 1-3",
            "line 2: index 4 is not one of 1-3",
            "line 3: index 2 does not increase",
            "line 4: `x:1` is not `index:value`",
            "line 5: `1` is not `index:value`",
            "line 6: `1,2,3` (label) is not a number",
        ];
        for (row, says) in rows.iter().zip(says) {
            let error = row.as_ref().unwrap_err();
            assert!(error.contains(says), "{error}");
        }
        assert_eq!(rows[6], Ok("1 0 1 0".into()));
    }
}
