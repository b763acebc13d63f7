//! What must hold of a snapshot beyond what a learner checks itself.

use crate::{InvariantError, Task};

use super::container::Container;
use super::{Snapshot, SnapshotError};

/// Refuses a snapshot of another task.
pub(crate) fn task<A: Snapshot>(container: &Container<'_>) -> Result<(), SnapshotError> {
    if container.task == A::Task::NAME {
        return Ok(());
    }
    Err(SnapshotError::WrongTask {
        label: container.label.clone(),
        found: container.task,
        expected: A::Task::NAME,
    })
}

/// Refuses a learner that is not what the label says.
///
/// The label may say less than the learner: a parameter that came later is not in old labels.
pub(crate) fn label(stated: &str, actual: &str) -> Result<(), SnapshotError> {
    let ((name, stated_values), (actual_name, actual_values)) = (
        crate::parameters::split(stated),
        crate::parameters::split(actual),
    );
    let mut values = stated_values.split(',').filter(|value| !value.is_empty());
    let agree = values.all(|value| actual_values.split(',').any(|actual| actual == value));
    let what = format_args!("it says {stated}, but the payload is {actual}");
    InvariantError::require(name == actual_name && agree, "label", what)?;
    Ok(())
}
