//! The task that targets suggest.

use std::collections::BTreeSet;

use tables::{Cell, Warning};

use crate::TaskKind;

/// Whole numbers of at most this number of different values are classes, as in `compare`.
const MOST_CLASSES: usize = 100;

/// Words and few different whole numbers are classes, other numbers are numbers. What whole numbers are taken for
/// comes with a warning.
pub fn task<'a>(
    name: &str,
    targets: impl Iterator<Item = Cell<'a>>,
) -> (TaskKind, Option<Warning>) {
    let mut numbers = BTreeSet::new();
    for target in targets {
        match target {
            Cell::Word(_) => return (TaskKind::Classify, None),
            Cell::Number(number) if number.fract() != 0.0 => return (TaskKind::Regress, None),
            Cell::Number(number) => numbers.insert(number.to_bits()),
        };
    }
    let (target, values) = (name.to_owned(), numbers.len());
    match values > MOST_CLASSES {
        true => (
            TaskKind::Regress,
            Some(Warning::NumbersGuessed { target, values }),
        ),
        false => (
            TaskKind::Classify,
            Some(Warning::ClassesGuessed { target, values }),
        ),
    }
}
