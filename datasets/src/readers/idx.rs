//! IDX: MNIST's file format (LeCun, Cortes and Burges).
//!
//! Bytes `0 0 type dims`, then one big-endian `u32` per dimension, then the elements in row-major order. Only
//! type `0x08`, unsigned bytes, occurs in practice and is read. Files come in pairs: images, then their labels.

use std::path::{Path, PathBuf};

use ndarray::Array2;
use tables::{TableError, guess_task};

use super::content::{Content, PACKED, of_files, plain_name};
use crate::dataset::MAX_CELLS;
use crate::error::Result;
use crate::{DataError, Dataset, Target, TaskKind, Warning};

/// Reads pairs of files: images, labels, images, labels, …
pub(crate) fn read(files: &[Content], task: Option<TaskKind>) -> Result<(Dataset, Vec<Warning>)> {
    let mut names = Vec::new();
    let mut parts = Vec::new();
    let mut pixels = Vec::new();
    let mut labels = Vec::new();
    for pair in files.chunks_exact(2) {
        let (dims, bytes) = elements(&pair[0])?;
        let (label_dims, classes) = elements(&pair[1])?;
        if names.is_empty() {
            names = pixel_names(&dims[1..]);
        }
        let images = dims[0];
        let width = dims[1..].iter().product();
        let count = classes.len();
        let wrong = |part: usize, fault| Err(DataError::of(&pair[part].path, fault));
        if label_dims.len() != 1 {
            let what = format!("{} dimensions, but a label file has 1", label_dims.len());
            return wrong(1, TableError::new(what));
        }
        if images != count {
            let what =
                format!("{count} labels for {images} images; the two files do not belong together");
            return wrong(0, TableError::new(what));
        }
        if width != names.len() {
            return wrong(0, TableError::ragged(names.len(), width));
        }
        pixels.extend(bytes.iter().map(|byte| f32::from(*byte)));
        labels.extend(classes.iter().map(|label| f64::from(*label)));
        parts.push(images);
    }
    let (task, guessed) = match task {
        Some(task) => (task, None),
        None => guess_task("label", labels.iter().copied()),
    };
    let features = Array2::from_shape_vec((labels.len(), names.len()), pixels);
    let features = features.expect("each file held rows × width bytes");
    let target = match task {
        TaskKind::Regression => Target::numbers(labels),
        TaskKind::Classification => Target::classes(labels.iter().map(f64::to_string).collect())?,
    };
    let data = Dataset::new("", features, names, target);
    let data = of_files(data, files, &parts, "label");
    Ok((data, guessed.into_iter().collect()))
}

/// Finds `train-labels-idx1-ubyte` beside `train-images-idx3-ubyte`, packed or not.
pub(crate) fn labels_beside(images: &Path) -> Result<PathBuf> {
    let name = plain_name(images).replace("images", "labels");
    let name = name.replace("idx3", "idx1");
    let ends = [""].into_iter().chain(PACKED);
    let mut paths = ends.map(|end| images.with_file_name(format!("{name}{end}")));
    let found = paths.find(|path| path != images && path.exists());
    found.ok_or_else(|| {
        let what = format!("IDX images need their labels beside them, in a file `{name}`");
        DataError::of(images, TableError::new(what))
    })
}

/// Returns the dimensions (at least one, the first is the number of items) and the bytes behind them.
fn elements(file: &Content) -> Result<(Vec<usize>, &[u8])> {
    let wrong = |what: &str| {
        let text = format!("not an IDX file of unsigned bytes: {what}");
        Err(DataError::of(&file.path, TableError::new(text)))
    };
    let [0, 0, 0x08, n_dims @ 1..=255, rest @ ..] = &file.bytes[..] else {
        return wrong("it must start with the bytes 0, 0, 8 and the number of dimensions");
    };
    let Some((header, data)) = rest.split_at_checked(4 * usize::from(*n_dims)) else {
        return wrong("the header is cut short");
    };
    let shifted = |value, byte: &u8| value << 8 | usize::from(*byte);
    let big_endian = |bytes: &[u8]| bytes.iter().fold(0, shifted);
    let dims: Vec<usize> = header.chunks_exact(4).map(big_endian).collect();
    let mut dims_left = dims.iter();
    match dims_left.try_fold(1usize, |cells, dim| cells.checked_mul(*dim)) {
        Some(0) => Err(DataError::of(&file.path, TableError::empty())),
        Some(cells) if cells == data.len() && cells <= MAX_CELLS => Ok((dims, data)),
        _ => wrong(&format!(
            "dimensions {dims:?} do not match its {} bytes of data",
            data.len()
        )),
    }
}

/// Returns `pixel_<row>_<column>` for images, `pixel_<i>` for anything flat; counted from 1.
fn pixel_names(dims: &[usize]) -> Vec<String> {
    let place = |i: usize| match dims {
        [_, columns] => format!("pixel_{}_{}", i / columns + 1, i % columns + 1),
        _ => format!("pixel_{}", i + 1),
    };
    (0..dims.iter().product()).map(place).collect()
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    fn content(dims: &[u8], data: &[u8]) -> Content {
        let mut bytes = vec![0, 0, 8, dims.len() as u8];
        dims.iter().for_each(|dim| bytes.extend([0, 0, 0, *dim]));
        bytes.extend(data);
        Content {
            path: "images".into(),
            sha256: String::new(),
            bytes,
        }
    }

    #[test]
    fn images_and_labels_are_paired() {
        let images = || content(&[2, 1, 2], &[1, 2, 3, 255]);
        let (data, _) = read(&[images(), content(&[2], &[7, 9])], None).unwrap();
        assert_eq!(data.features, array![[1., 2.], [3., 255.]]);
        assert_eq!(data.feature_names, ["pixel_1_1", "pixel_1_2"]);
        assert!(matches!(data.target, Target::Classes { names, .. } if names == ["7", "9"]));
        let labels = || content(&[2], &[7, 9]);
        for (images, labels, says) in [
            (images(), content(&[3], &[7, 9, 1]), "3 labels for 2 images"),
            (images(), content(&[2, 1], &[7, 9]), "label file has 1"),
            (content(&[2, 2], &[1]), labels(), "do not match"),
            (content(&[0, 2], &[]), content(&[0], &[]), "no rows"),
        ] {
            let error = read(&[images, labels], None).unwrap_err().to_string();
            assert!(error.contains(says), "{error}");
        }
        let error = labels_beside(Path::new("t10k-images-idx3-ubyte.gz")).unwrap_err();
        assert!(
            error.to_string().contains("`t10k-labels-idx1-ubyte`"),
            "{error}"
        );
    }
}
