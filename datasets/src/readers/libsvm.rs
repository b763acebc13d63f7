//! LIBSVM text: one row per line, `label index:value …`.
//!
//! Indices increase within a row and count from 1; if an index 0 occurs anywhere in the files, they count from 0, as
//! scikit-learn writes them. What is left out is zero; `#` starts a comment (SVMlight). Train and test files of one set
//! share the width of the wider one. Format: the README of LIBSVM (Chang and Lin, ACM TIST 2011).

use ndarray::Array2;
use tables::{Fault, Lines, RowError, short};

use super::{Block, Content, MAX_CELLS, RawTarget, ReadError};

struct Row {
    label: f64,
    cells: Vec<(usize, f32)>,
}

/// Reads the files one after another.
pub(crate) fn read(files: &[Content]) -> Result<Block, ReadError> {
    let mut rows = Vec::new();
    let mut parts = Vec::new();
    for file in files {
        let part = read_file(file)?;
        parts.push(part.len());
        rows.extend(part);
    }
    let first = first_index(&rows);
    let features = dense(&rows, first).map_err(|fault| ReadError::of(&files[0].path, fault))?;
    let names = (first..)
        .take(features.ncols())
        .map(|i| format!("f{i}"))
        .collect();
    let labels = rows.iter().map(|row| row.label).collect();
    Ok(Block {
        features,
        names,
        target: RawTarget::Numbers(labels),
        target_name: "label".to_owned(),
        parts,
    })
}

/// From where indices count: 0 if one is 0, else 1.
fn first_index(rows: &[Row]) -> usize {
    let is_zero = |row: &Row| row.cells.first().is_some_and(|cell| cell.0 == 0);
    usize::from(!rows.iter().any(is_zero))
}

fn read_file(file: &Content) -> Result<Vec<Row>, ReadError> {
    let of_row = |error| ReadError::of_row(&file.path, error);
    let lines = Lines::new(file.bytes.as_slice(), None);
    let mut lines = lines.map_err(|fault| ReadError::of(&file.path, fault))?;
    let mut rows = Vec::new();
    while let Some(text) = lines.read().map_err(of_row)? {
        let text = text.split('#').next().unwrap_or_default().trim();
        if !text.is_empty() {
            let row = parse_row(text);
            let line = lines.number();
            rows.push(row.map_err(|fault| of_row(RowError { line, fault }))?);
        }
    }
    match rows.is_empty() {
        true => Err(ReadError::of(&file.path, Fault::Empty)),
        false => Ok(rows),
    }
}

fn parse_row(line: &str) -> Result<Row, Fault> {
    let mut words = line.split_ascii_whitespace();
    let label = finite(words.next().unwrap_or_default(), "label")?;
    let mut cells: Vec<(usize, f32)> = Vec::new();
    for word in words {
        let (index, value) = parse_cell(word)?;
        if cells.last().is_some_and(|last| last.0 >= index) {
            return Err(Fault::Syntax(format!(
                "index {index} does not increase; indices of a row must"
            )));
        }
        cells.push((index, value));
    }
    Ok(Row { label, cells })
}

fn parse_cell(word: &str) -> Result<(usize, f32), Fault> {
    let syntax = || {
        Fault::Syntax(format!(
            "`{}` is not `index:value` with a whole number as its index",
            short(word)
        ))
    };
    let (index, value) = word.split_once(':').ok_or_else(syntax)?;
    let index: u32 = index.parse().map_err(|_| syntax())?;
    let wide = finite(value, &format!("f{index}"))?;
    let narrow = wide as f32;
    if !narrow.is_finite() {
        return Err(Fault::NotFinite {
            column: format!("f{index}"),
            text: short(value),
        });
    }
    Ok((index as usize, narrow))
}

fn finite(text: &str, column: &str) -> Result<f64, Fault> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) => Err(Fault::NotFinite {
            column: column.to_owned(),
            text: short(text),
        }),
        Err(_) => Err(Fault::Syntax(format!(
            "`{}` ({column}) is not a number; LIBSVM rows are `label index:value …`",
            short(text)
        ))),
    }
}

/// The matrix of rows whose indices count from `first`.
fn dense(rows: &[Row], first: usize) -> Result<Array2<f32>, super::Fault> {
    let width = |row: &Row| row.cells.last().map_or(0, |cell| cell.0 + 1 - first);
    let width = rows.iter().map(width).max().unwrap_or(0);
    if rows.len().saturating_mul(width) > MAX_CELLS {
        return Err(super::Fault::TooLarge {
            rows: rows.len(),
            columns: width,
        });
    }
    let mut features = Array2::zeros((rows.len(), width));
    for (mut out, row) in features.rows_mut().into_iter().zip(rows) {
        let cells = row.cells.iter();
        cells.for_each(|(index, value)| out[index - first] = *value);
    }
    Ok(features)
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn content(text: &str) -> Content {
        Content {
            path: "x.svm".into(),
            sha256: String::new(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    #[test]
    fn omitted_cells_are_zero_and_files_share_a_width() {
        let block = read(&[
            content("+1 1:0.5 # note\n\n-1 2:2\n"),
            content("1 4:1e-3\n"),
        ])
        .unwrap();
        assert_eq!(
            block.features,
            array![[0.5, 0., 0., 0.], [0., 2., 0., 0.], [0., 0., 0., 0.001]]
        );
        assert_eq!(block.parts, [2, 1]);
        assert!(matches!(block.target, RawTarget::Numbers(labels) if labels == [1., -1., 1.]));
    }

    #[test]
    fn indices_may_count_from_zero() {
        let block = read(&[content("1 0:5 2:1\n"), content("2 1:7\n")]).unwrap();
        assert_eq!(block.features, array![[5., 0., 1.], [0., 7., 0.]]);
        assert_eq!(block.names, ["f0", "f1", "f2"]);
    }

    #[test]
    fn faults_name_their_line() {
        for (text, says) in [
            ("1 1:2\nx 1:2", "x.svm, line 2: `x` (label)"),
            ("1 -1:2", "line 1: `-1:2` is not `index:value`"),
            ("1 1:2 1:3", "index 1 does not increase"),
            ("1 1:nan", "`nan` in column `f1` is not a finite"),
            ("1 1:1e39", "`1e39` in column `f1` is not a finite"),
            ("inf 1:1", "`inf` in column `label`"),
            ("1 4294967295:1", "do not fit in memory"),
            ("# nothing", "holds no rows"),
        ] {
            let error = read(&[content(text)]).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
