//! LIBSVM text: one row per line, `label index:value …`.
//!
//! Indices increase within a row; omitted values are zero; `#` starts a comment (SVMlight). A group (`qid:1`), which
//! learners of rankings use, is refused. Format: the README of LIBSVM (Chang and Lin, ACM TIST 2011). Where rows come one after another,
//! the user says how many features there are: a later row may have a larger index than all before.

use crate::input::Lines;
use crate::record::Column;
use crate::records::Source;
use crate::{Header, Indices, Kind, Record, TableError, short};

/// What stands before a group.
const GROUP: &str = "qid:";

/// The words of a row of LIBSVM's format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibsvmRow<'a> {
    /// The label, a number, as it was written.
    pub label: &'a str,
    /// Indices, which increase, and values as they were written.
    pub cells: Vec<(u32, &'a str)>,
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
    /// # Ok::<(), tables::TableError>(())
    /// ```
    pub fn parse(line: &'a str) -> Result<Option<Self>, TableError> {
        let content = line.split('#').next().unwrap_or_default();
        let mut words = content.split_ascii_whitespace();
        let Some(label) = words.next() else {
            return Ok(None);
        };
        // Text in another format would be read as a label without features.
        if label.parse::<f64>().is_err() {
            return Err(TableError::new(format!(
                "`{}` (label) is not a number; LIBSVM rows are `label index:value …`",
                short(label)
            )));
        }
        let mut cells: Vec<(u32, &str)> = Vec::new();
        for word in words {
            if word.starts_with(GROUP) {
                return Err(TableError::new(format!(
                    "`{}` is a group of a ranking, and rows are learned one by one; remove it: sed 's/ qid:[^ ]*//'",
                    short(word)
                )));
            }
            let Some((index, value)) = pair(word) else {
                return Err(TableError::new(format!(
                    "`{}` is not `index:value` with a whole number as its index",
                    short(word)
                )));
            };
            if cells.last().is_some_and(|last| last.0 >= index) {
                return Err(TableError::new(format!(
                    "index {index} does not increase; indices of a row must"
                )));
            }
            cells.push((index, value));
        }
        Ok(Some(Self { label, cells }))
    }
}

fn pair(word: &str) -> Option<(u32, &str)> {
    let (index, value) = word.split_once(':')?;
    Some((index.parse().ok()?, value))
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
}

impl<'a> Libsvm<'a> {
    pub(crate) fn open(lines: Lines<'a>, indices: Indices) -> (Header, Self) {
        let mut columns = vec![Column {
            name: "label".to_owned(),
            kind: Kind::Unstated,
        }];
        for index in indices.range() {
            columns.push(Column {
                name: format!("f{index}"),
                kind: Kind::Numeric,
            });
        }
        (Header::declared(columns), Self { lines, indices })
    }

    /// Writes the label, then a cell for every index; `false` if the line is not a row.
    fn write(&mut self, record: &mut Record) -> Result<bool, TableError> {
        let line = self.lines.latest()?;
        let Some(row) = LibsvmRow::parse(line)? else {
            return Ok(false);
        };
        let range = self.indices.range();
        if let Some((index, _)) = row.cells.iter().find(|cell| !range.contains(&cell.0)) {
            return Err(TableError::new(format!(
                "index {index} is not one of {}, those of --indices",
                self.indices
            )));
        }
        record.cells.clear();
        record.cells.push_field(row.label);
        let mut cells = row.cells.iter().peekable();
        for index in range {
            let cell = cells.next_if(|cell| cell.0 == index);
            record.cells.push_field(cell.map_or("0", |cell| cell.1));
        }
        Ok(true)
    }
}

impl Source for Libsvm<'_> {
    fn read(&mut self, record: &mut Record) -> Result<bool, TableError> {
        while self.lines.advance()? {
            record.line = self.lines.number();
            if self.write(record).map_err(|fault| fault.at(record.line))? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
