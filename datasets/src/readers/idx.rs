//! IDX: MNIST's file format (LeCun, Cortes and Burges).
//!
//! Bytes `0 0 type dims`, then one big-endian `u32` per dimension, then the elements in row-major order. Only
//! type `0x08`, unsigned bytes, occurs in practice and is read. Files come in pairs: images, then their labels.

use std::fs;
use std::path::{Path, PathBuf};

use ndarray::Array2;
use tables::{Fault, guess_task};

use super::content::{PACKED, plain_name};
use super::{Block, Content, MAX_CELLS, RawTarget};
use crate::{DataError, TaskKind, Warning};

/// The name of the target.
const LABEL: &str = "label";

/// Reads pairs of files: images, labels, images, labels, …
pub(crate) fn read(
    files: &[Content],
    task: Option<TaskKind>,
) -> Result<(Block, Vec<Warning>), DataError> {
    let (mut names, mut parts) = (Vec::new(), Vec::new());
    let (mut pixels, mut labels) = (Vec::new(), Vec::new());
    for pair in files.chunks_exact(2) {
        let (dims, bytes) = elements(&pair[0])?;
        let (label_dims, of_images) = elements(&pair[1])?;
        if label_dims.len() != 1 {
            let what = format!("{} dimensions, but a label file has 1", label_dims.len());
            return Err(DataError::of(&pair[1].path, Fault::new(what)));
        }
        if dims[0] != of_images.len() {
            let what = format!(
                "{} labels for {} images; the two files do not belong together",
                of_images.len(),
                dims[0]
            );
            return Err(DataError::of(&pair[0].path, Fault::new(what)));
        }
        if names.is_empty() {
            names = pixel_names(&dims[1..]);
        }
        let width = dims[1..].iter().product();
        if width != names.len() {
            let fault = Fault::ragged(names.len(), width);
            return Err(DataError::of(&pair[0].path, fault));
        }
        pixels.extend(bytes.iter().map(|byte| f32::from(*byte)));
        labels.extend(of_images.iter().map(|label| f64::from(*label)));
        parts.push(dims[0]);
    }
    let (task, guessed) = match task {
        Some(task) => (task, None),
        None => guess_task(LABEL, labels.iter().copied()),
    };
    let block = Block {
        features: Array2::from_shape_vec((labels.len(), names.len()), pixels)
            .expect("each file held rows × width bytes"),
        names,
        target: match task {
            TaskKind::Regression => RawTarget::Numbers(labels),
            TaskKind::Classification => {
                RawTarget::Classes(labels.iter().map(f64::to_string).collect())
            }
        },
        target_name: LABEL.to_owned(),
        ascending_dates: None,
        parts,
    };
    Ok((block, guessed.into_iter().collect()))
}

/// Loads the labels that belong to a file of images: beside it, under the usual name.
pub(crate) fn load_labels(images: &Content) -> Result<Content, DataError> {
    Content::load(&labels_beside(&images.path)?)
}

/// `train-labels-idx1-ubyte` beside `train-images-idx3-ubyte`, packed or not.
fn labels_beside(images: &Path) -> Result<PathBuf, DataError> {
    let name = images
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let wanted = plain_name(Path::new(
        &name.replace("images", "labels").replace("idx3", "idx1"),
    ));
    let folder = images.parent().unwrap_or(Path::new("."));
    let ends = [""].into_iter().chain(PACKED);
    let found = ends
        .map(|end| folder.join(format!("{wanted}{end}")))
        .find(|path| path != images && fs::exists(path).unwrap_or(false));
    found.ok_or_else(|| {
        let what = format!("IDX images need their labels beside them, in a file `{wanted}`");
        DataError::of(images, Fault::new(what))
    })
}

/// Dimensions (at least one, the first is the number of items) and the bytes behind them.
fn elements(file: &Content) -> Result<(Vec<usize>, &[u8]), DataError> {
    split(&file.bytes).map_err(|fault| DataError::of(&file.path, fault))
}

fn split(bytes: &[u8]) -> Result<(Vec<usize>, &[u8]), Fault> {
    let syntax = |what: &str| Fault::new(format!("not an IDX file of unsigned bytes: {what}"));
    let [0, 0, 0x08, n_dims @ 1..=255, rest @ ..] = bytes else {
        return Err(syntax(
            "it must start with the bytes 0, 0, 8 and the number of dimensions",
        ));
    };
    let (header, data) = rest
        .split_at_checked(4 * usize::from(*n_dims))
        .ok_or_else(|| syntax("the header is cut short"))?;
    let dims: Vec<usize> = header.chunks_exact(4).map(big_endian).collect();
    let cells = dims
        .iter()
        .try_fold(1usize, |cells, dim| cells.checked_mul(*dim));
    match cells {
        Some(0) => Err(Fault::empty()),
        Some(cells) if cells == data.len() && cells <= MAX_CELLS => Ok((dims, data)),
        _ => Err(syntax(&format!(
            "dimensions {dims:?} do not match its {} bytes of data",
            data.len()
        ))),
    }
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .fold(0, |value, byte| value << 8 | usize::from(*byte))
}

/// `pixel_<row>_<column>` for images, `pixel_<i>` for anything flat; counted from 1.
fn pixel_names(dims: &[usize]) -> Vec<String> {
    match dims {
        [rows, columns] => (0..rows * columns)
            .map(|i| format!("pixel_{}_{}", i / columns + 1, i % columns + 1))
            .collect(),
        _ => (1..=dims.iter().product())
            .map(|i| format!("pixel_{i}"))
            .collect(),
    }
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
        let images = content(&[2, 1, 2], &[1, 2, 3, 255]);
        let (block, _) = read(&[images, content(&[2], &[7, 9])], None).unwrap();
        assert_eq!(block.features, array![[1., 2.], [3., 255.]]);
        assert_eq!(block.names, ["pixel_1_1", "pixel_1_2"]);
        assert!(matches!(block.target, RawTarget::Classes(labels) if labels == ["7", "9"]));
    }

    #[test]
    fn mismatches_are_errors() {
        let images = || content(&[2, 1, 2], &[1, 2, 3, 4]);
        let says = |files: [Content; 2]| read(&files, None).unwrap_err().to_string();
        assert!(says([images(), content(&[3], &[7, 9, 1])]).contains("3 labels for 2 images"));
        assert!(says([images(), content(&[2, 1], &[7, 9])]).contains("label file has 1"));
        assert!(says([content(&[2, 2], &[1]), content(&[2], &[7, 9])]).contains("do not match"));
        assert!(says([content(&[0, 2], &[]), content(&[0], &[])]).contains("no rows"));
    }

    #[test]
    fn images_without_labels_say_which_file_is_missing() {
        let path = Path::new("t10k-images-idx3-ubyte.gz");
        let error = labels_beside(path).unwrap_err().to_string();
        assert!(error.contains("`t10k-labels-idx1-ubyte`"), "{error}");
    }
}
