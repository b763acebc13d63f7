//! Finds warnings of names of classes.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::Warning;
use super::found::{example, name};
use crate::Numbers;
use crate::column_cells::ColumnCells;
use crate::columns::class_name;

/// Fewer rows than this say nothing about how many classes there are.
const FEW_ROWS: usize = 10;

/// Returns the number of classes, and warns of labels that are one class though they are written in two ways, and labels that are two classes though they
/// are one number.
pub(crate) fn labels_alike(cells: ColumnCells<'_>, numbers: Numbers) -> (usize, Vec<Warning>) {
    let target = &cells.column().name;
    let mut spellings: BTreeMap<Cow<'_, str>, &str> = BTreeMap::new();
    let mut merged = None;
    for cell in cells.present() {
        if let Ok(class) = class_name(cell, &numbers, target) {
            let first = *spellings.entry(class.clone()).or_insert(cell);
            if merged.is_none() && first != cell {
                let other = if first == class { cell } else { first };
                merged = Some(Warning::LabelsMerged {
                    target: name(cells),
                    class: class.into_owned(),
                    other: other.to_owned(),
                });
            }
        }
    }
    let apart = apart(spellings.keys()).map(|(class, other)| Warning::LabelsApart {
        target: name(cells),
        class: class.to_owned(),
        other: other.to_owned(),
    });
    let alike = merged.into_iter().chain(apart).collect();
    (spellings.len(), alike)
}

/// Returns the first two names of the same number.
fn apart<'n>(names: impl Iterator<Item = &'n Cow<'n, str>>) -> Option<(&'n str, &'n str)> {
    let mut numbers: BTreeMap<(bool, &str), &str> = BTreeMap::new();
    for name in names {
        let digits = name.trim_start_matches('-').trim_start_matches('0');
        let number = (name.starts_with('-'), digits);
        if let Some(other) = numbers.insert(number, name) {
            return Some((other, name));
        }
    }
    None
}

/// Warns of a target of text with more classes than half of its rows.
pub(crate) fn many_classes(cells: ColumnCells<'_>) -> Option<Warning> {
    let (classes, rows) = (cells.distinct().len(), cells.present().count());
    (rows >= FEW_ROWS && 2 * classes > rows).then(|| Warning::ManyClasses {
        target: name(cells),
        example: example(cells),
        classes,
        rows,
    })
}
