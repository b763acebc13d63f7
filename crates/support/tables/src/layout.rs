//! The places of the fitted columns in another table.

use std::collections::BTreeMap;

use crate::{Fault, Header, short};

/// The places of the features and the target in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub(crate) features: Vec<usize>,
    pub(crate) target: Option<usize>,
}

impl Layout {
    pub(crate) fn find(
        fitted: &Header,
        other: &Header,
        features: impl Iterator<Item = usize> + Clone,
        target: usize,
    ) -> Result<Self, Fault> {
        let places = if fitted.is_named && other.is_named {
            by_name(fitted, other, features.clone().chain([target]))?
        } else {
            by_position(fitted, other, target)?
        };
        let place = |column: usize| {
            let name = &fitted.columns[column].name;
            places[column].ok_or_else(|| Fault::no_column(name, &other.names()))
        };
        let features: Vec<usize> = features.map(place).collect::<Result<_, _>>()?;
        other.check(features.iter().copied())?;
        Ok(Self {
            features,
            target: places[target],
        })
    }

    /// Returns the column of each feature.
    pub fn features(&self) -> &[usize] {
        &self.features
    }

    /// Returns whether the table has the target column.
    pub fn has_target(&self) -> bool {
        self.target.is_some()
    }
}

/// Returns the place of every fitted column; of columns with the same name, the n-th is the n-th.
fn by_name(
    fitted: &Header,
    other: &Header,
    used: impl Iterator<Item = usize>,
) -> Result<Vec<Option<usize>>, Fault> {
    let mut places: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (place, column) in other.columns.iter().enumerate().rev() {
        places.entry(&column.name).or_default().push(place);
    }
    let mut take = |name: &str| places.get_mut(name).and_then(Vec::pop);
    let names = fitted.columns.iter().map(|column| column.name.as_str());
    let found = names.map(&mut take).collect();
    let mut used = used.map(|column| fitted.columns[column].name.as_str());
    // Which of several is meant cannot be known.
    match used.find_map(|name| Some((name, take(name)?))) {
        Some((name, place)) => Err(Fault::new(format!(
            "column {} is also called `{}`; rename it or remove it",
            place + 1,
            short(name)
        ))),
        None => Ok(found),
    }
}

/// Returns the same places, or those without the target.
fn by_position(
    fitted: &Header,
    other: &Header,
    target: usize,
) -> Result<Vec<Option<usize>>, Fault> {
    let (expected, found) = (fitted.columns.len(), other.columns.len());
    let behind = |column: usize| column - usize::from(column > target);
    let without_target = |column: usize| (column != target).then(|| behind(column));
    if found == expected {
        Ok((0..expected).map(Some).collect())
    } else if found + 1 == expected {
        Ok((0..expected).map(without_target).collect())
    } else {
        Err(Fault::new(format!(
            "{found} columns without names where {expected} are expected; give the file a header line, or the same columns"
        )))
    }
}
