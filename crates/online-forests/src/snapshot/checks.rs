//! What must hold of a decoded learner beyond what it checks itself.

use forest_core::{InvariantError, SettingError, Task};

use super::SnapshotError;
use super::container::Container;
use crate::{Algorithm, AnyLearner, Facade};

/// The widest prediction row of a saved learner: a crafted class count must not become an
/// allocation of any size at the first question.
const WIDEST: usize = 1 << 24;

/// Refuses a learner whose prediction rows are too wide to be saved.
pub(crate) fn width<A: AnyLearner>(learner: &A) -> Result<(), SnapshotError> {
    let (found, limit) = (learner.schema().width(), WIDEST);
    if found <= limit {
        Ok(())
    } else {
        Err(SnapshotError::TooManyClasses { found, limit })
    }
}

/// Refuses a decoded learner that contradicts its schema, its settings or itself.
pub(crate) fn meaning<A: AnyLearner>(learner: &A) -> Result<(), SnapshotError> {
    let rule = |error: SettingError| InvariantError::new("schema", error);
    A::Task::check_schema(learner.schema()).map_err(rule)?;
    width(learner)?;
    learner.check_origin()?;
    learner.check_invariants()?;
    Ok(())
}

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
