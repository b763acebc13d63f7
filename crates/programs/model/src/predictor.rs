//! Turns rows of a table into predictions.

use forest_core::registry::snapshot::Snapshot;
use ndarray::{Array2, ArrayView2};
use online_forests::{Ability, AnyLearner, InputError, OnlineLearner};
use tables::Layout;

use crate::error::CommandError;
use crate::model::Model;
use crate::prediction::RowPrediction;
use crate::row::{Outcome, Row};
use crate::table_task::TableTask;

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
        let with_intervals = |level| {
            let learner = model.pipeline().learner();
            let needed = "a regressor that predicts intervals, such as mondrian-2016 or conformal";
            if !learner.can(Ability::Intervals) {
                return Err(unsupported(model, "--interval", needed));
            }
            Ok((level, learner))
        };
        Ok(Self {
            model,
            proba: asked.proba,
            interval: asked.interval.map(with_intervals).transpose()?,
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
        let (features, outcomes) = self.features(layout, rows, unseen);
        let mut known = self.predict_known(features.view())?.into_iter();
        let predictions = outcomes.into_iter().map(|outcome| match outcome {
            Outcome::Taken => known
                .next()
                .expect("each row that was read has a prediction"),
            Outcome::Dropped => RowPrediction::Missing,
            Outcome::Bad(reason) => RowPrediction::Bad(reason),
        });
        Ok(predictions.collect())
    }

    /// Returns the rows that can be read as numbers, and the outcome of each row.
    fn features(
        &self,
        layout: &Layout,
        rows: &[Row],
        unseen: &mut u64,
    ) -> (Array2<f32>, Vec<Outcome>) {
        let (mut features, mut outcomes) = (Vec::new(), Vec::with_capacity(rows.len()));
        let columns = self.model.columns();
        for row in rows {
            let before = features.len();
            let outcome = row.features(columns, layout, &mut features, unseen);
            if outcome != Outcome::Taken {
                features.truncate(before);
            }
            outcomes.push(outcome);
        }
        let shape = (features.len() / columns.width(), columns.width());
        let features = Array2::from_shape_vec(shape, features);
        (
            features.expect("rows have the width of the columns"),
            outcomes,
        )
    }

    fn predict_known(
        &self,
        features: ArrayView2<'_, f32>,
    ) -> Result<Vec<RowPrediction<'m>>, CommandError> {
        let names = self.model.pipeline().class_names();
        let predictions = self.model.predict(features)?;
        let bounds = self.bounds(features)?;
        let known = predictions
            .rows()
            .into_iter()
            .enumerate()
            .map(|(row, values)| {
                let values = values.to_vec();
                let prediction = T::prediction(&values, names);
                let mut numbers = if self.proba { values } else { Vec::new() };
                numbers.extend(bounds.iter().flat_map(|bounds| bounds.row(row).to_vec()));
                RowPrediction::Known(prediction, numbers)
            });
        Ok(known.collect())
    }

    fn bounds(&self, features: ArrayView2<'_, f32>) -> Result<Option<Array2<f64>>, CommandError> {
        let Some((level, intervals)) = self.interval else {
            return Ok(None);
        };
        let seen = self.model.transformed(features)?;
        Ok(Some(intervals.central_intervals(seen.view(), level)?))
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
