//! A chain of steps with a learner as one learner.

use std::ops::Range;

use forest_core::registry::AnyLearner;
use forest_core::registry::snapshot::{Snapshot, SnapshotError, decode_front, encode_value_before};
use forest_core::{
    Batch, Classification, FeatureValues, Footprint, InputError, InvariantError, LabelEncoder,
    OnlineLearner, Part, PredictionRows, Refused, Rows, Schema, Task, VoteSums,
};
use ndarray::{Array2, ArrayView2};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::scale::Step;
use crate::TableError;
use crate::error::{Result, refuse};

/// A chain of steps, and a learner of the output of the last one.
///
/// A pipeline is itself an [`OnlineLearner`], which predicts what its learner would predict for rows transformed by
/// hand. Its schema has the number of *raw* features and the classes known; its seed, threads and memory are those of
/// its learner.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "L: Serialize", deserialize = "L: DeserializeOwned"))]
pub struct Pipeline<L: OnlineLearner> {
    front: Front<L::Task>,
    learner: L,
}

/// Everything before the learner.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(bound = "")]
struct Front<T: Task> {
    /// The schema of raw rows.
    schema: Schema<T>,
    steps: Vec<Step>,
    /// Empty by default.
    class_names: LabelEncoder,
}

impl<T: Task> Front<T> {
    /// Checks that every step accepts the output of the previous one, and the learner that of the last one.
    fn check_widths(&self, learner: &Schema<T>) -> Result<(), String> {
        let mut width = self.schema.features();
        for (index, step) in self.steps.iter().enumerate() {
            check_width(&format!("step {index}"), step.width(), width)?;
            width = step.width_after();
        }
        check_width("the learner", learner.features(), width)
    }
}

fn check_width(receiver: &str, expected: usize, found: usize) -> Result<(), String> {
    if expected != found {
        return Err(format!(
            "{receiver} expects rows of {expected} features, got {found}; fit it on the output of the steps before \
             it, or make the learner for that many features"
        ));
    }
    Ok(())
}

impl<L: OnlineLearner> Pipeline<L> {
    /// Makes a pipeline.
    ///
    /// # Errors
    /// Returns an error for widths that do not agree.
    pub fn new(steps: impl IntoIterator<Item = Step>, learner: L) -> Result<Self> {
        let steps = Vec::from_iter(steps);
        let own = learner.schema();
        let raw = own.with_features(steps.first().map_or(own.features(), Step::width));
        let front = Front {
            schema: raw.map_err(|error| TableError::new(error.to_string()))?,
            steps,
            class_names: LabelEncoder::default(),
        };
        front.check_widths(own).map_err(TableError::new)?;
        Ok(Self { front, learner })
    }

    /// Returns the steps, first to last.
    pub fn steps(&self) -> &[Step] {
        &self.front.steps
    }

    /// Returns the learner after the last step.
    pub fn learner(&self) -> &L {
        &self.learner
    }

    /// Returns the class names that are saved with a classifier; empty by default.
    pub fn class_names(&self) -> &LabelEncoder {
        &self.front.class_names
    }

    /// Transforms raw rows for the learner.
    fn transformed(&self, rows: ArrayView2<'_, f32>) -> Array2<f32> {
        let steps = self.front.steps.iter();
        steps.fold(rows.to_owned(), |rows, step| step.apply(rows.view()))
    }

    fn admit(&mut self, targets: &[<L::Task as Task>::Target]) {
        let schema = &mut self.front.schema;
        targets.iter().for_each(|&target| schema.admit(target));
    }
}

impl<L: OnlineLearner<Task = Classification>> Pipeline<L> {
    /// Sets the names of the classes, which are saved with the pipeline. A class that appears later gets its name by
    /// [`class_named`](Self::class_named).
    ///
    /// # Errors
    /// Returns an error unless there are as many names as classes that the learner knows.
    pub fn with_class_names(mut self, names: LabelEncoder) -> Result<Self> {
        let given = names.len();
        let classes = self.front.schema.width();
        if given != classes {
            refuse!("{given} class names for a learner that knows {classes} classes");
        }
        self.front.class_names = names;
        Ok(self)
    }

    /// Returns the class of a name. A new name is that of the next class, which the next label should have.
    ///
    /// # Errors
    /// Returns an error for a new name beyond the maximum number of classes of the schema.
    pub fn class_named(&mut self, name: &str) -> Result<u32, InputError> {
        let outputs = self.front.schema.outputs();
        let names = &mut self.front.class_names;
        if names.index(name).is_err() {
            Classification::check(&outputs, names.len() as u32, 0)?;
        }
        Ok(names.index_or_add(name))
    }
}

impl<L: OnlineLearner> OnlineLearner for Pipeline<L> {
    type Task = L::Task;

    fn schema(&self) -> &Schema<L::Task> {
        &self.front.schema
    }

    fn feature_values(&self) -> FeatureValues {
        if self.steps().iter().any(|step| matches!(step, Step::Pca(_))) {
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
        footprint.bytes += self.steps().iter().map(Step::bytes).sum::<usize>();
        footprint
    }

    fn check_room(&self, rows: usize) -> Result<(), InputError> {
        self.learner.check_room(rows)
    }

    fn check_invariants(&self) -> Result<(), InvariantError> {
        self.learner.check_invariants()?;
        let front = &self.front;
        let learner = self.learner.schema();
        let schema = front.schema.check();
        schema.map_err(|error| InvariantError::new("schema", error))?;
        for (index, step) in front.steps.iter().enumerate() {
            let rule = "these numbers cannot result from any rows";
            InvariantError::require(step.is_sound(), format_args!("step {index}"), rule)?;
        }
        let widths = front.check_widths(learner);
        widths.map_err(|error| InvariantError::new("steps", error))?;
        let same = learner.outputs() == front.schema.outputs();
        InvariantError::require(same, "pipeline", "its schema is not that of its learner")?;
        let named = front.class_names.len() <= front.schema.width();
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
        let rows = self.transformed(self.check_rows(rows)?.matrix());
        self.learner.add_votes(rows.view(), sums)
    }

    fn add_votes_then_learn(
        &mut self,
        rows: ArrayView2<'_, f32>,
        targets: &[<L::Task as Task>::Target],
        sums: &mut VoteSums,
    ) -> Result<(), Refused> {
        let rows = self.transformed(self.check_rows(rows)?.matrix());
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
    /// Takes the trees of the next shard ([`Forest::join`](forest_core::Forest::join)), which has to be behind the same
    /// steps.
    ///
    /// # Errors
    /// Returns an error, without changes, as [`AnyLearner::join`], or for other steps or names of classes.
    pub fn join(&mut self, next: Self) -> Result<(), Refused> {
        let own = &self.front;
        let others = &next.front;
        let is_same = own.schema == others.schema
            && own.steps == others.steps
            && own.class_names == others.class_names;
        if !is_same {
            return Err(Refused::different(
                "steps, or numbers of features or classes, or their names",
            ));
        }
        self.learner.join(next.learner)
    }
}

/// The prefix of the learner's label.
const PREFIX: &str = "pipeline/";

impl<L: Snapshot + OnlineLearner<Task: Task>> Snapshot for Pipeline<L> {
    /// Returns the label of the learner after `pipeline/`.
    fn label(&self) -> String {
        format!("{PREFIX}{}", self.learner.label())
    }

    fn encode(&self) -> Result<Vec<u8>, SnapshotError> {
        encode_value_before(&self.front, self.learner.encode()?)
    }

    fn decode(label: &str, payload: &[u8]) -> Result<Self, SnapshotError> {
        let learner = label.strip_prefix(PREFIX);
        let learner = learner.ok_or_else(|| SnapshotError::other(label, "a pipeline"))?;
        let (front, payload) = decode_front(payload)?;
        let learner = L::decode(learner, payload)?;
        Ok(Self { front, learner })
    }
}
