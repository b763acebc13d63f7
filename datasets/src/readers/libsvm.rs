//! LIBSVM text: which features there are, before [`tables`] reads the rows.
//!
//! Indices count from 1; if an index 0 occurs anywhere in the files, they count from 0, as scikit-learn writes them. Train
//! and test files of one set share the width of the wider one. If the user gives the range of indices, it is
//! used.

use tables::{Indices, LibsvmRow, Lines, TargetColumn};

use super::{Content, Layout, MAX_CELLS};
use crate::DataError;

/// Returns the layout with the indices of the features. The target is the label, which comes first.
pub(crate) fn with_indices(files: &[Content], layout: &Layout) -> Result<Layout, DataError> {
    let mut layout = layout.clone();
    layout.target = Some(TargetColumn::First);
    if layout.table.indices.is_none() {
        layout.table.indices = Some(found(files)?);
    }
    Ok(layout)
}

/// Returns the indices that the rows have: from 0 if one is 0, else from 1. Rows that cannot be read are reported when they are read.
fn found(files: &[Content]) -> Result<Indices, DataError> {
    let (mut first, mut last, mut rows) = (1, None, 0);
    for file in files {
        let lines = Lines::new(file.bytes.as_slice(), None);
        let mut lines = lines.map_err(|fault| DataError::of(&file.path, fault))?;
        let failed = |error| DataError::in_row(&file.path, error);
        while let Some(text) = lines.read().map_err(failed)? {
            let Ok(Some(row)) = LibsvmRow::parse(text) else {
                continue;
            };
            let mut indices = row.cells.iter().map(|cell| cell.0);
            rows += 1;
            first = indices.clone().fold(first, u32::min);
            last = last.max(indices.next_back());
        }
    }
    let last = match last {
        None if rows > 0 => {
            return Err(DataError::of(&files[0].path, tables::Fault::no_features()));
        }
        // A file without rows is reported when it is read.
        last => last.unwrap_or(first),
    };
    let columns = (last - first) as usize + 1;
    let too_large = || DataError::too_large(files[0].path.display(), rows, columns);
    let fits = rows.saturating_mul(columns) <= MAX_CELLS;
    let indices = fits.then(|| format!("{first}-{last}").parse().ok());
    indices.flatten().ok_or_else(too_large)
}

#[cfg(test)]
mod tests {
    use ndarray::array;
    use tables::TableFormat;

    use super::super::{Block, RawTarget, table};
    use super::*;

    fn content(text: &str) -> Content {
        Content {
            path: "x.svm".into(),
            sha256: String::new(),
            bytes: text.as_bytes().to_vec(),
        }
    }

    fn read(files: &[Content]) -> Block {
        let layout = with_indices(files, &Layout::default()).unwrap();
        table::read(files, TableFormat::Csv, &layout).unwrap().0
    }

    #[test]
    fn omitted_cells_are_zero_and_files_share_a_width() {
        let files = [
            content("+1 1:0.5 # note\n\n-1 2:2\n"),
            content("1 4:1e-3\n"),
        ];
        let block = read(&files);
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
        let block = read(&files);
        assert_eq!(block.features, array![[5., 0., 1.], [0., 7., 0.]]);
        assert_eq!(block.names, ["f0", "f1", "f2"]);
    }
}
