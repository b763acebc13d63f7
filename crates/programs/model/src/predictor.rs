//! Turns rows of a table into predictions.

use forest_core::registry::snapshot::Snapshot;
use ndarray::{Array2, ArrayView2};
use online_forests::{Ability, AnyLearner, InputError, OnlineLearner};
use tables::Layout;

use crate::console::CommandError;
use crate::model::Model;
use crate::row::{Outcome, Row};
use crate::table_task::{RowPrediction, TableTask};

/// What is requested besides the prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// The probability of every class.
    pub proba: bool,
    /// The bounds between which a new target lies with this probability.
    pub interval: Option<f64>,
}

/// A model, and what is requested of it.
pub struct Predictor<'m, T: TableTask> {
    model: &'m Model<T>,
    proba: bool,
    interval: Option<(f64, &'m AnyLearner<T>)>,
}

impl<'m, T: TableTask> Predictor<'m, T> {
    /// Prepares predictions by the model.
    ///
    /// # Errors
    /// Returns an error if the model does not support what is requested.
    pub fn new(model: &'m Model<T>, asked: Asked) -> Result<Self, CommandError> {
        if asked.proba && T::classes(model.schema()) == 0 {
            return Err(unsupported(model, "--proba", "a classifier"));
        }
        let learner = model.pipeline().learner();
        if asked.interval.is_some() && !learner.can(Ability::Intervals) {
            let needed = "a regressor that predicts intervals, such as mondrian-2016 or conformal";
            return Err(unsupported(model, "--interval", needed));
        }
        Ok(Self {
            model,
            proba: asked.proba,
            interval: asked.interval.map(|level| (level, learner)),
        })
    }

    /// Returns the names of the output's columns.
    pub fn columns(&self) -> Vec<String> {
        let mut columns = vec!["prediction".to_owned()];
        if self.proba {
            let names = self.model.pipeline().class_names().names();
            columns.extend(names.iter().map(|name| format!("p({name})")));
        }
        if self.interval.is_some() {
            columns.extend(["lower", "upper"].map(str::to_owned));
        }
        columns
    }

    /// Predicts every row, and counts cells whose category did not occur in the rows fitted on.
    pub fn predict(
        &self,
        layout: &Layout,
        rows: &[Row],
        unseen: &mut u64,
    ) -> Result<Vec<RowPrediction<'m>>, CommandError> {
        let (columns, names) = (self.model.columns(), self.model.pipeline().class_names());
        let (mut features, mut outcomes) = (Vec::new(), Vec::with_capacity(rows.len()));
        for row in rows {
            let before = features.len();
            let outcome = row.features(columns, layout, &mut features, unseen);
            if outcome != Outcome::Taken {
                features.truncate(before);
            }
            outcomes.push(outcome);
        }
        let shape = (features.len() / columns.width(), columns.width());
        let features =
            ArrayView2::from_shape(shape, &features).expect("rows have the width of the columns");
        let values = self.model.predict(features)?;
        let bounds = match self.interval {
            Some((level, learner)) => {
                let seen = self.model.transformed(features)?;
                Some(learner.central_intervals(seen.view(), level)?)
            }
            None => None,
        };
        let (mut predictions, mut known) = (Vec::with_capacity(rows.len()), 0);
        for outcome in outcomes {
            predictions.push(match outcome {
                Outcome::Taken => {
                    let values = values.row(known).to_vec();
                    let prediction = T::prediction(&values, names);
                    let mut numbers = if self.proba { values } else { Vec::new() };
                    numbers.extend(bounds.iter().flat_map(|bounds| bounds.row(known).to_vec()));
                    known += 1;
                    RowPrediction::Known(prediction, numbers)
                }
                Outcome::Dropped => RowPrediction::Missing,
                Outcome::Bad(reason) => RowPrediction::Bad(reason),
            });
        }
        Ok(predictions)
    }
}

/// Returns the error for an option that this model does not support.
pub fn unsupported<T: TableTask>(model: &Model<T>, option: &str, needs: &str) -> CommandError {
    let (label, task) = (model.pipeline().learner().label(), T::NAME);
    CommandError::new(format!(
        "{option} needs {needs}, but this is {label} for {task}"
    ))
}

impl<T: TableTask> Model<T> {
    /// Returns the rows as the learner sees them.
    pub(crate) fn transformed(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f32>, InputError> {
        let mut steps = self.pipeline().steps().iter();
        steps.try_fold(rows.to_owned(), |rows, step| step.transform(rows))
    }
}
