//! LIBSVM text: one row per line, `label index:value …`.
//!
//! Indices count from 1; if an index 0 occurs anywhere in the files, they count from 0, as scikit-learn writes them. Train
//! and test files of one set share the width of the wider one. Where the user says which indices there are, they are
//! those. Lines are parsed by [`LibsvmRow`].

use std::ops::Range;

use ndarray::Array2;
use tables::{Fault, Indices, LibsvmRow, Lines, RowError, Warning, short};

use super::{Block, Content, Layout, MAX_CELLS, ReadError, numbered};

struct Row {
    label: String,
    cells: Vec<(usize, f32)>,
    has_group: bool,
}

/// Reads the files one after another.
pub(crate) fn read(files: &[Content], layout: &Layout) -> Result<(Block, Vec<Warning>), ReadError> {
    let indices = layout.table.indices;
    let mut rows = Vec::new();
    let mut parts = Vec::new();
    for file in files {
        let part = read_file(file, indices)?;
        parts.push(part.len());
        rows.extend(part);
    }
    let columns = match indices {
        Some(known) => *known.range().start() as usize..*known.range().end() as usize + 1,
        None => found(&rows),
    };
    let features = dense(&rows, columns.clone());
    let features = features.map_err(|fault| ReadError::of(&files[0].path, fault))?;
    let names = columns.map(|i| format!("f{i}")).collect();
    let groups = rows
        .iter()
        .any(|row| row.has_group)
        .then_some(Warning::GroupsLeftOut);
    let labels = rows.into_iter().map(|row| row.label).collect();
    let block = numbered(features, names, labels, parts, layout.task);
    let (block, guessed) = block.map_err(|fault| ReadError::of(&files[0].path, fault))?;
    Ok((block, groups.into_iter().chain(guessed).collect()))
}

/// The indices that the rows have: from 0 if one is 0, else from 1.
fn found(rows: &[Row]) -> Range<usize> {
    let is_zero = |row: &Row| row.cells.first().is_some_and(|cell| cell.0 == 0);
    let first = usize::from(!rows.iter().any(is_zero));
    let ends = rows.iter().filter_map(|row| row.cells.last());
    first..ends.map(|cell| cell.0 + 1).max().unwrap_or(first)
}

fn read_file(file: &Content, indices: Option<Indices>) -> Result<Vec<Row>, ReadError> {
    let of_row = |error| ReadError::of_row(&file.path, error);
    let lines = Lines::new(file.bytes.as_slice(), None);
    let mut lines = lines.map_err(|fault| ReadError::of(&file.path, fault))?;
    let mut rows = Vec::new();
    while let Some(text) = lines.read().map_err(of_row)? {
        let row = LibsvmRow::parse(text).and_then(|row| {
            let row = row.map(|row| numbers(row, indices));
            row.transpose()
        });
        let line = lines.number();
        rows.extend(row.map_err(|fault| of_row(RowError { line, fault }))?);
    }
    match rows.is_empty() {
        true => Err(ReadError::of(&file.path, Fault::Empty)),
        false => Ok(rows),
    }
}

fn numbers(row: LibsvmRow<'_>, indices: Option<Indices>) -> Result<Row, Fault> {
    if let Some(indices) = indices {
        row.check(indices)?;
    }
    finite(row.label, "label")?;
    let (label, has_group) = (row.label.to_owned(), row.group.is_some());
    let cells = row.cells.into_iter();
    let cells = cells.map(|(index, value)| Ok((index as usize, narrow(index, value)?)));
    let cells = cells.collect::<Result<_, Fault>>()?;
    Ok(Row {
        label,
        cells,
        has_group,
    })
}

fn narrow(index: u32, value: &str) -> Result<f32, Fault> {
    let column = format!("f{index}");
    let narrow = finite(value, &column)? as f32;
    match narrow.is_finite() {
        true => Ok(narrow),
        false => Err(Fault::NotFinite {
            column,
            text: short(value),
        }),
    }
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

/// The matrix of rows whose features have the indices `columns`.
fn dense(rows: &[Row], columns: Range<usize>) -> Result<Array2<f32>, super::Fault> {
    let (first, width) = (columns.start, columns.len());
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

    use super::super::RawTarget;
    use super::*;

    fn content(text: &str) -> Content {
        Content {
            path: "x.svm".into(),
            sha256: String::new(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    fn read(
        files: &[Content],
        indices: Option<Indices>,
    ) -> Result<(Block, Vec<Warning>), ReadError> {
        let mut layout = Layout::default();
        layout.table.indices = indices;
        super::read(files, &layout)
    }

    #[test]
    fn omitted_cells_are_zero_and_files_share_a_width() {
        let files = [
            content("+1 1:0.5 # note\n\n-1 2:2\n"),
            content("1 4:1e-3\n"),
        ];
        let (block, _) = read(&files, None).unwrap();
        assert_eq!(
            block.features,
            array![[0.5, 0., 0., 0.], [0., 2., 0., 0.], [0., 0., 0., 0.001]]
        );
        assert_eq!(block.parts, [2, 1]);
        assert!(matches!(block.target, RawTarget::Classes(labels) if labels == ["1", "-1", "1"]));
    }

    #[test]
    fn indices_may_count_from_zero() {
        let files = [content("1 0:5 2:1\n"), content("2 1:7\n")];
        let (block, _) = read(&files, None).unwrap();
        assert_eq!(block.features, array![[5., 0., 1.], [0., 7., 0.]]);
        assert_eq!(block.names, ["f0", "f1", "f2"]);
    }

    #[test]
    fn groups_are_left_out_and_reported() {
        let (block, warnings) = read(&[content("1 qid:1 1:0.5\n0 qid:2 1:7\n")], None).unwrap();
        assert_eq!(block.features, array![[0.5], [7.]]);
        assert_eq!(warnings[0], Warning::GroupsLeftOut);
    }

    #[test]
    fn indices_may_be_stated() {
        let indices = Some("0-2".parse().unwrap());
        let (block, _) = read(&[content("1 1:5\n")], indices).unwrap();
        assert_eq!(block.features, array![[0., 5., 0.]]);
        let error = read(&[content("1 1:5\n1 3:1\n")], indices).unwrap_err();
        let says = "x.svm, line 2: index 3 is not one of 0-2";
        assert!(error.to_string().starts_with(says), "{error}");
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
            let error = read(&[content(text)], None).unwrap_err().to_string();
            assert!(error.contains(says), "{text:?}: {error}");
        }
    }
}
