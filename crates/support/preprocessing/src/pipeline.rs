//! Steps and a learner as one learner.

use forest_core::{
    Classification, Forget, ForgetError, InputError, OnlineLearner, Schema, SettingError, Task,
};
use registry::{AnyLearner, NamedTask};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{LabelEncoder, PipelineError, Step};

mod check;
mod learner;
mod shard;
mod snapshot;
mod weighted;
mod window;

pub use weighted::WeightedPipeline;
use window::Window;

/// A chain of steps, and a learner of the output of the last one.
///
/// A pipeline is itself an [`OnlineLearner`]. Its schema has the number of *raw* features and the
/// classes known; its seed, threads and memory are those of its learner.
///
/// - **Fitted steps** never change. If all steps are fitted, a pipeline predicts what its learner
///   would predict for rows transformed by hand.
/// - **Steps on the first rows** ([`Pipeline::on_first_rows`]): the first rows and their targets are
///   held back until there are as many as stated. Then all steps are fitted on them in their
///   order, and the learner learns them in theirs. Until then the prediction is that of
///   [`Prior`](forest_core::Prior): class frequencies or mean of the targets so far.
/// - **Running steps** ([`Step::RunningMinMax`], [`Step::RunningStandard`]) take every row that is
///   learned, and scale it by the rows up to and including it; a row to predict is scaled by the rows
///   learned before it. Rows learned earlier keep their scale, so prefer the
///   first rows where the scale of a feature does not drift. Testing and training in one call
///   goes row by row, without the learner's gain from batches.
///
/// In all cases, a batch means its rows one after another.
///
/// ```
/// use forest_core::{OnlineLearner, Prior, Regression, Schema};
/// use ndarray::array;
/// use preprocessing::{Pipeline, Scaling};
///
/// let mean = Prior::<Regression>::new(Schema::new(2)?);
/// let mut pipeline = Pipeline::on_first_rows(100, [Scaling::Robust.into()], mean)?;
/// pipeline.learn(array![[1e6, 0.1], [3e6, 0.2]].view(), &[1.0, 3.0])?;
/// assert_eq!(pipeline.predict_one(&[2e6, 0.3])?, [2.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Serialize", deserialize = "L: DeserializeOwned"))]
pub struct Pipeline<L: OnlineLearner> {
    /// The schema of raw rows.
    schema: Schema<L::Task>,
    steps: Vec<Step>,
    learner: L,
    /// The rows held back until all steps are fitted.
    window: Option<Window<L::Task>>,
    /// The class names; empty by default.
    class_names: LabelEncoder,
}

impl<L: OnlineLearner> Pipeline<L> {
    /// Makes a pipeline of fitted or running steps.
    ///
    /// # Errors
    /// Returns an error for a step that is not fitted, or widths that do not agree.
    pub fn new(steps: impl IntoIterator<Item = Step>, learner: L) -> Result<Self, PipelineError> {
        let steps: Vec<Step> = steps.into_iter().collect();
        match steps.iter().position(|step| !step.is_fitted()) {
            Some(step) => Err(PipelineError::NotFitted { step }),
            None => Self::joined(steps, learner),
        }
    }

    /// Makes a pipeline that fits the unfitted `steps` on the first `rows` rows of its stream.
    ///
    /// # Errors
    /// Returns an error for 0 rows, or widths that do not agree.
    pub fn on_first_rows(
        rows: usize,
        steps: impl IntoIterator<Item = Step>,
        learner: L,
    ) -> Result<Self, PipelineError> {
        SettingError::require(rows > 0, "rows to fit on", "must be at least 1", rows)?;
        let mut pipeline = Self::joined(steps.into_iter().collect(), learner)?;
        if !pipeline.steps.iter().all(Step::is_fitted) {
            pipeline.window = Some(Window::new(rows, pipeline.schema));
        }
        Ok(pipeline)
    }

    fn joined(steps: Vec<Step>, learner: L) -> Result<Self, PipelineError> {
        let features = check::raw_width(&steps, &learner);
        check::widths(&steps, features, &learner)?;
        Ok(Self {
            schema: learner.schema().with_features(features)?,
            steps,
            learner,
            window: None,
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

    /// Returns the number of rows still to be learned before the steps are fitted; 0 once they are.
    pub fn rows_to_fit(&self) -> usize {
        self.window.as_ref().map_or(0, Window::room)
    }

    /// Returns the class names that are saved with a classifier; empty by default.
    pub fn class_names(&self) -> &LabelEncoder {
        &self.class_names
    }
}

impl<T: NamedTask> Pipeline<AnyLearner<T>> {
    /// Returns access to forgetting samples by their number in the stream. Running steps keep what they have seen.
    ///
    /// # Errors
    /// Returns an error if the learner cannot forget, or rows are held back.
    pub fn as_forget_mut(&mut self) -> Result<&mut dyn Forget<Task = T>, ForgetError> {
        match self.rows_to_fit() {
            0 => self.learner.as_forget_mut(),
            rows => Err(ForgetError::HeldBack { rows }),
        }
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
