//! A chain of steps with a learner as one learner.

use std::ops::Range;

use forest_core::registry::AnyLearner;
use forest_core::registry::snapshot::{Snapshot, SnapshotError, decode_front, encode_value_before};
use forest_core::{
    Batch, Classification, FeatureValues, Footprint, InputError, InvariantError, OnlineLearner,
    Part, PredictionRows, Refused, Rows, Schema, Task, VoteSums,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{FitError, LabelEncoder, Step};

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
    pub fn new(steps: impl IntoIterator<Item = Step>, learner: L) -> Result<Self, FitError> {
        let steps: Vec<Step> = steps.into_iter().collect();
        check_widths(&steps, &learner).map_err(FitError)?;
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

impl<L: OnlineLearner<Task = Classification>> Pipeline<L> {
    /// Sets the names of the classes, which are saved with the pipeline. A class that appears later has a name if it comes
    /// by [`class_named`](Self::class_named).
    ///
    /// # Errors
    /// Returns an error unless there are as many names as classes that the learner knows.
    pub fn with_class_names(mut self, names: LabelEncoder) -> Result<Self, FitError> {
        let (given, classes) = (names.len(), self.schema.width());
        if given != classes {
            return Err(FitError(format!(
                "{given} class names for a learner that knows {classes} classes; make it for Schema::with_classes({given})"
            )));
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
    /// use tables::preprocessing::{LabelEncoder, Pipeline};
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
fn check_widths(steps: &[Step], learner: &impl OnlineLearner) -> Result<(), String> {
    let mut found = raw_width(steps, learner);
    let check = |receiver: &str, expected: usize, found: usize| {
        if expected == found {
            return Ok(());
        }
        Err(format!(
            "{receiver} expects rows of {expected} features, got {found}; fit it on the output of the \
             steps before it, or make the learner for that many features"
        ))
    };
    for (index, step) in steps.iter().enumerate() {
        check(&format!("step {index}"), step.width(), found)?;
        found = step.width_after();
    }
    check("the learner", learner.schema().features(), found)
}

impl<L: OnlineLearner> Pipeline<L> {
    /// Transforms raw rows for the learner.
    fn transformed(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let steps = self.steps.iter();
        steps.fold(rows.to_owned(), |rows, step| step.apply(rows.view()))
    }

    fn admit(&mut self, targets: &[<L::Task as Task>::Target]) {
        targets.iter().for_each(|&target| self.schema.admit(target));
    }
}

impl<L: OnlineLearner> OnlineLearner for Pipeline<L> {
    type Task = L::Task;

    fn schema(&self) -> &Schema<L::Task> {
        &self.schema
    }

    fn feature_values(&self) -> FeatureValues {
        let has_components = self.steps.iter().any(|step| matches!(step, Step::Pca(_)));
        if has_components {
            FeatureValues::Numbers
        } else {
            self.learner.feature_values()
        }
    }

    fn samples_seen(&self) -> u64 {
        self.learner.samples_seen()
    }

    fn has_learned(&self) -> bool {
        self.learner.has_learned()
    }

    fn footprint(&self) -> Footprint {
        let mut footprint = self.learner.footprint();
        footprint.bytes += self.steps.iter().map(Step::bytes).sum::<usize>();
        footprint
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.learner.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.learner.check_invariants()?;
        let schema = self.schema.check();
        schema.map_err(|error| InvariantError::new("schema", error))?;
        for (index, step) in self.steps.iter().enumerate() {
            let rule = "these numbers cannot result from any rows";
            InvariantError::require(step.is_sound(), format_args!("step {index}"), rule)?;
        }
        let widths = check_widths(&self.steps, &self.learner);
        widths.map_err(|error| InvariantError::new("steps", error))?;
        let same = raw_width(&self.steps, &self.learner) == self.schema.features()
            && self.learner.schema().outputs() == self.schema.outputs();
        InvariantError::require(same, "pipeline", "its schema is not that of its learner")?;
        let named = self.class_names.len() <= self.schema.width();
        InvariantError::require(named, "class names", "more names than classes")
    }

    fn check_forgetting(&self) -> Result<(), Refused> {
        self.learner.check_forgetting()
    }

    fn forget(&mut self, arrival: u64) -> Result<(), Refused> {
        self.learner.forget(arrival)
    }

    fn keep_latest(&mut self, n: usize) -> Result<(), Refused> {
        self.learner.keep_latest(n)
    }

    fn learn_batch(&mut self, batch: &Batch<'_, L::Task>) {
        self.admit(batch.targets());
        let rows = self.transformed(batch.rows().matrix());
        self.learner.learn_batch(&batch.with_rows(rows.view()));
    }

    fn predict_rows(&self, rows: &Rows<'_>, predictions: &mut [f64]) {
        let transformed = self.transformed(rows.matrix());
        let rows = rows.replaced(transformed.view());
        self.learner.predict_rows(&rows, predictions);
    }

    fn predict_then_learn_batch(&mut self, batch: &Batch<'_, L::Task>) -> PredictionRows {
        self.admit(batch.targets());
        let rows = self.transformed(batch.rows().matrix());
        let batch = batch.with_rows(rows.view());
        self.learner.predict_then_learn_batch(&batch)
    }

    fn part(&self) -> Option<Part> {
        self.learner.part()
    }

    fn keep_trees(&mut self, part: Range<usize>) -> Result<(), Refused> {
        self.learner.keep_trees(part)
    }

    fn add_votes(&self, rows: ArrayView2<'_, f32>, sums: &mut VoteSums) -> Result<(), Refused> {
        let rows = Rows::for_learner(self, rows)?;
        self.learner
            .add_votes(self.transformed(rows.matrix()).view(), sums)
    }

    fn add_votes_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[<L::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let rows = self.transformed(Rows::for_learner(self, rows)?.matrix());
        self.learner
            .add_votes_then_learn(rows.view(), targets, sums)?;
        self.admit(targets);
        Ok(())
    }

    fn finish_votes(&self, sums: &VoteSums) -> Result<PredictionRows, Refused> {
        self.learner.finish_votes(sums)
    }
}

impl<T: Task> Pipeline<AnyLearner<T>> {
    /// Takes the trees of the next shard ([`Forest::join`](forest_core::Forest::join)), which has to be behind the same steps.
    ///
    /// # Errors
    /// Returns an error, without changes, as [`AnyLearner::join`], or for other steps or names of classes.
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        let of = [
            (self.schema != next.schema, "numbers of features or classes"),
            (self.steps != next.steps, "steps"),
            (self.class_names != next.class_names, "names of classes"),
        ];
        if let Some((_, what)) = of.into_iter().find(|(different, _)| *different) {
            return Err(Refused::different(what));
        }
        self.learner.join(next.learner)
    }
}

/// The prefix of the learner's label.
const PREFIX: &str = "pipeline/";

/// A pipeline without its learner, whose bytes follow: the same whether the learner is held by name or not.
#[derive(Deserialize, Serialize)]
#[serde(bound = "")]
struct Saved<T: Task> {
    schema: Schema<T>,
    steps: Vec<Step>,
    class_names: LabelEncoder,
}

impl<L: Snapshot + OnlineLearner<Task: Task>> Snapshot for Pipeline<L> {
    /// Returns the label of the learner after `pipeline/`.
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.learner.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        let saved = Saved {
            schema: self.schema,
            steps: self.steps.clone(),
            class_names: self.class_names.clone(),
        };
        encode_value_before(&saved, self.learner.encode()?)
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        let learner = label.strip_prefix(PREFIX);
        let learner = learner.ok_or_else(|| SnapshotError::other(label, "a pipeline"))?;
        let (saved, payload) = decode_front::<Saved<L::Task>>(payload)?;
        Ok(Self {
            schema: saved.schema,
            steps: saved.steps,
            learner: L::decode(learner, payload)?,
            class_names: saved.class_names,
        })
    }
}
