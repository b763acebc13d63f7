//! Learners that were built with typed settings, and are loaded as what they are.

use std::any::TypeId;

use super::{Payload, Snapshot, SnapshotError, check, codec, reading};
use crate::algorithm::label as label_of;
use crate::{Entry, Kind, Named};

impl<L: Named> Snapshot for L {
    /// The name of [`Named::row`], every parameter stated; without parameters if that row makes no such learners.
    fn label(&self) -> String {
        label_in(self.row(), self)
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        match kind::<L>(self.row()) {
            Some(_) => codec::encode(self),
            None => Err(SnapshotError::Encode {
                reason: format!("{} makes no learners of its type", self.row().name),
            }),
        }
    }

    fn decode(label: &str, payload: &mut Payload<'_>) -> Result<Self, SnapshotError> {
        let (name, _) = parameters::split(label);
        let of_type = |entry: &&&Entry| kind::<L>(entry).is_some();
        let known: Vec<_> = L::rows().iter().filter(of_type).collect();
        let Some(entry) = known.iter().find(|entry| entry.name == name) else {
            let names: Vec<_> = known.iter().map(|entry| entry.name).collect();
            return Err(SnapshotError::WrongLearner {
                label: label.to_owned(),
                expected: names.join(" or "),
            });
        };
        let learner = reading::algorithm(name, || payload.last_value())?;
        check::label(label, &label_in(entry, &learner))?;
        Ok(learner)
    }
}

/// What makes learners of type `L` in a row, if it does.
fn kind<L: Named>(entry: &Entry) -> Option<Kind<L::Task>> {
    let mut kinds = entry.kinds::<L::Task>().into_iter();
    kinds.find(|kind| kind.learner == TypeId::of::<L>())
}

fn label_in<L: Named>(entry: &Entry, learner: &L) -> String {
    let values = kind::<L>(entry).map(|kind| kind.stated(learner));
    label_of(entry, &values.unwrap_or_default())
}
