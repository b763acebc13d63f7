//! Learners that were built with typed settings, and are loaded as what they are.

use std::any::TypeId;

use super::{Payload, Snapshot, SnapshotError, check_label, encode_value};
use crate::registry::algorithm::label as label_of;
use crate::registry::{Entry, Kind, Named};

impl<L: Named> Snapshot for L {
    /// Returns the name of the first row that makes such a learner, every parameter stated; without parameters if there is none.
    fn label(&self) -> String {
        label_in(L::rows(), self).unwrap_or_else(|| L::rows()[0].name.to_owned())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        if label_in(L::rows(), self).is_some() {
            return encode_value(self);
        }
        let reason = format!("{} makes no learners of its type", L::rows()[0].name);
        Err(SnapshotError::Codec("encoded", reason))
    }

    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError> {
        let wrong_learner = || {
            let makes = |row: &&&Entry| kinds_of_type::<L>(row).next().is_some();
            let known = L::rows().iter().filter(makes).map(|row| row.name);
            SnapshotError::WrongLearner {
                label: label.to_owned(),
                expected: known.collect::<Vec<_>>().join(" or "),
            }
        };
        let (name, values) = crate::parameters::split(label);
        let row = L::rows().iter().find(|row| row.is_called(name));
        let row = row.ok_or_else(wrong_learner)?;
        let learner = payload.last_value()?;
        // An alias states the same values as its algorithm.
        let actual = label_in(&[row], &learner).ok_or_else(wrong_learner)?;
        check_label(&format!("{}:{values}", row.name), &actual)?;
        Ok(learner)
    }
}

fn kinds_of_type<L: Named>(row: &Entry) -> impl Iterator<Item = Kind<L::Task>> {
    let kinds = row.kinds::<L::Task>().into_iter();
    kinds.filter(|kind| kind.learner == TypeId::of::<L>())
}

/// Returns the label in the first of these rows one of whose kinds the learner is of.
fn label_in<L: Named>(rows: &[&'static Entry], learner: &L) -> Option<String> {
    rows.iter().find_map(|row| {
        let mut kinds = kinds_of_type::<L>(row);
        kinds.find_map(|kind| {
            let values = kind.held_by(learner)?;
            let is_of_kind = kind.is_chosen_by(&values);
            is_of_kind.then(|| label_of(row.name, &values))
        })
    })
}
