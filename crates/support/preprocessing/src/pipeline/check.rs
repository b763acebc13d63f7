//! Checks the widths of the steps and the learner.

use forest_core::{InvariantError, OnlineLearner};

use super::Pipeline;
use crate::{PipelineError, Step};

/// Returns the features of a raw row: the width that the first step with a fixed width expects, else the learner's.
/// Steps before it are scalings, which keep the width.
pub(super) fn raw_width(steps: &[Step], learner: &impl OnlineLearner) -> usize {
    let known = steps.iter().find_map(Step::width);
    known.unwrap_or(learner.schema().features())
}

/// Checks that every step accepts the output of the previous one.
pub(super) fn widths(
    steps: &[Step],
    features: usize,
    learner: &impl OnlineLearner,
) -> Result<(), PipelineError> {
    let mut found = features;
    for (index, step) in steps.iter().enumerate() {
        let receiver = || format!("step {index}");
        agree(step.width().unwrap_or(found), found, receiver)?;
        found = step.width_after(found);
    }
    agree(learner.schema().features(), found, || {
        "the learner".to_owned()
    })
}

fn agree(
    expected: usize,
    found: usize,
    receiver: impl Fn() -> String,
) -> Result<(), PipelineError> {
    if expected == found {
        return Ok(());
    }
    let receiver = receiver();
    Err(PipelineError::Width {
        receiver,
        expected,
        found,
    })
}

impl<L: OnlineLearner> Pipeline<L> {
    pub(super) fn check(&self) -> Result<(), InvariantError> {
        self.learner.check_invariants()?;
        let schema = |error| InvariantError::new("schema", error);
        self.schema.check().map_err(schema)?;
        for (index, step) in self.steps.iter().enumerate() {
            let place = format_args!("step {index}");
            InvariantError::require(
                step.is_sound(),
                place,
                "these numbers cannot result from any rows",
            )?;
        }
        let between = |error| InvariantError::new("steps", error);
        widths(&self.steps, self.schema.features(), &self.learner).map_err(between)?;
        let named = self.class_names.len() <= self.schema.width();
        InvariantError::require(named, "class names", "more names than classes")?;
        self.check_window()
    }

    /// Checks that the window exists while a step is unfitted, and holds the rows the learner has not seen.
    fn check_window(&self) -> Result<(), InvariantError> {
        let fitted = self.steps.iter().all(Step::is_fitted);
        let known = self.learner.schema().outputs();
        let consistent = match &self.window {
            Some(window) => {
                window.check(&self.schema, known)?;
                !fitted
            }
            None => fitted && known == self.schema.outputs(),
        };
        let what = "the rows to fit on, the steps and the schemas contradict each other";
        InvariantError::require(consistent, "pipeline", what)
    }
}
