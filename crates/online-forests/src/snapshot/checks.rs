//! What must hold of a decoded learner beyond what it checks itself.

use forest_core::{InvariantError, Task};

use super::SnapshotError;
use super::container::Container;
use crate::{Algorithm, AnyLearner};

/// Refuses a snapshot of another task.
pub(crate) fn task<A: AnyLearner>(container: &Container<'_>) -> Result<(), SnapshotError> {
    if container.task == A::Task::NAME {
        return Ok(());
    }
    Err(SnapshotError::WrongTask {
        algorithm: container.algorithm.clone(),
        found: container.task,
        expected: A::Task::NAME,
    })
}

/// The algorithm of a label, which must stand behind the prefix of such learners and no other.
pub(crate) fn without_prefix<A: AnyLearner>(label: &str) -> Result<&str, SnapshotError> {
    let end = label.rfind('/').map_or(0, |slash| slash + 1);
    let (prefix, algorithm) = label.split_at(end);
    if prefix == A::label_prefix() {
        return Ok(algorithm);
    }
    let label = label.to_owned();
    Err(SnapshotError::WrongPrefix { label })
}

/// Refuses a learner that is not what the label says.
///
/// The label may say less than the learner: a parameter that came later is not in old labels.
pub(crate) fn algorithm<A: AnyLearner>(learner: &A, label: &str) -> Result<(), SnapshotError> {
    let labelled: Algorithm = label.parse()?;
    let actual = learner.algorithm();
    let same_name = labelled.name() == actual.name();
    let same_values = labelled
        .given()
        .all(|pair| actual.given().any(|other| other == pair));
    let what = || format!("it says {label}, but the payload is {actual}");
    InvariantError::unless(same_name && same_values, || "label", what)?;
    Ok(())
}
