//! Steps and a learner as one learner.

use std::fmt::Display;

use forest_core::registry::{AnyLearner, NamedTask};
use forest_core::{Classification, Forget, ForgetError, InputError, OnlineLearner, Schema, Task};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{LabelEncoder, PipelineError, Step};

mod learner;
mod shard;
mod snapshot;

/// A chain of steps, and a learner of the output of the last one.
///
/// A pipeline is itself an [`OnlineLearner`], which predicts what its learner would predict for rows transformed by hand. Its
/// schema has the number of *raw* features and the classes known; its seed, threads and memory are those of its learner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Serialize", deserialize = "L: DeserializeOwned"))]
pub struct Pipeline<L: OnlineLearner> {
    /// The schema of raw rows.
    schema: Schema<L::Task>,
    steps: Vec<Step>,
    learner: L,
    /// The class names; empty by default.
    class_names: LabelEncoder,
}

impl<L: OnlineLearner> Pipeline<L> {
    /// Makes a pipeline.
    ///
    /// # Errors
    /// Returns an error for widths that do not agree.
    pub fn new(steps: impl IntoIterator<Item = Step>, learner: L) -> Result<Self, PipelineError> {
        let steps: Vec<Step> = steps.into_iter().collect();
        check_widths(&steps, &learner)?;
        let features = raw_width(&steps, &learner);
        Ok(Self {
            schema: learner.schema().with_features(features)?,
            steps,
            learner,
            class_names: LabelEncoder::default(),
        })
    }

    /// Returns the steps, first to last.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the learner after the last step.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// Returns the class names that are saved with a classifier; empty by default.
    pub fn class_names(&self) -> &LabelEncoder {
        &self.class_names
    }
}

impl<T: NamedTask> Pipeline<AnyLearner<T>> {
    /// Returns access to forgetting samples by their number in the stream.
    ///
    /// # Errors
    /// Returns an error if the learner cannot forget.
    pub fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        self.learner.as_forget_mut()
    }
}

impl<L: OnlineLearner<Task = Classification>> Pipeline<L> {
    /// Sets the names of the classes, which are saved with the pipeline. A class that appears later has a name if it comes
    /// by [`class_named`](Self::class_named).
    ///
    /// # Errors
    /// Returns an error unless there are as many names as classes that the learner knows.
    pub fn with_class_names(mut self, names: LabelEncoder) -> Result<Self, PipelineError> {
        let (given, classes) = (names.len(), self.schema.width());
        if given != classes {
            let names = given;
            return Err(PipelineError::ClassNames { names, classes });
        }
        self.class_names = names;
        Ok(self)
    }

    /// Returns the class of a name. A new name is that of the next class, which the next label should have.
    ///
    /// # Errors
    /// Returns an error for a new name beyond the maximum number of classes of the schema.
    ///
    /// ```
    /// use forest_core::{Classification, OnlineLearner, Prior, Schema};
    /// use preprocessing::{LabelEncoder, Pipeline};
    ///
    /// let schema = Schema::<Classification>::new(1)?.with_classes(1)?;
    /// let names = LabelEncoder::fit(["cat"]);
    /// let mut pipeline = Pipeline::new([], Prior::new(schema))?.with_class_names(names)?;
    /// let dog = pipeline.class_named("dog")?;
    /// pipeline.learn_one(&[0.5], dog)?;
    /// assert_eq!(pipeline.class_names().names(), ["cat", "dog"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn class_named(&mut self, name: &str) -> Result<u32, InputError> {
        if let Ok(class) = self.class_names.index(name) {
            return Ok(class);
        }
        Classification::check(&self.schema.outputs(), self.class_names.len() as u32, 0)?;
        Ok(self.class_names.index_or_add(name))
    }
}

/// Returns the features of a raw row: the width that the first step expects, else the learner's.
fn raw_width(steps: &[Step], learner: &impl OnlineLearner) -> usize {
    let first = steps.first().map(Step::width);
    first.unwrap_or(learner.schema().features())
}

/// Checks that every step, and the learner, accepts the output of the previous one.
fn check_widths(steps: &[Step], learner: &impl OnlineLearner) -> Result<(), PipelineError> {
    let agree = |receiver: &dyn Display, expected, found| {
        let receiver = receiver.to_string();
        let wrong = PipelineError::Width {
            receiver,
            expected,
            found,
        };
        if expected == found {
            Ok(())
        } else {
            Err(wrong)
        }
    };
    let mut found = raw_width(steps, learner);
    for (index, step) in steps.iter().enumerate() {
        agree(&format_args!("step {index}"), step.width(), found)?;
        found = step.width_after();
    }
    agree(&"the learner", learner.schema().features(), found)
}
