//! From rows of a table to answers.

use ndarray::{Array2, ArrayView2};
use online_forests::{InputError, Intervals, OnlineLearner};
use registry::snapshot::Snapshot;
use tables::Layout;

use crate::error::CommandError;
use crate::model::Model;
use crate::prediction::Answer;
use crate::row::{Outcome, Row};
use crate::table_task::TableTask;

/// What is asked besides the prediction.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    /// The probability of every class.
    pub proba: bool,
    /// The bounds between which a new target lies with this probability.
    pub interval: Option<f64>,
}

/// What answers rows, if it is not the model alone.
pub type Predict<'m> = &'m dyn Fn(ArrayView2<'_, f32>) -> Result<Array2<f64>, CommandError>;

/// A model, and what is asked of it.
pub struct Answers<'m, T: TableTask> {
    model: &'m Model<T>,
    by: Option<Predict<'m>>,
    proba: bool,
    interval: Option<(f64, &'m dyn Intervals)>,
}

impl<'m, T: TableTask> Answers<'m, T> {
    /// Has rows answered by the model, or by what has more than it.
    ///
    /// # Errors
    /// What the model cannot predict.
    pub fn new(
        model: &'m Model<T>,
        by: Option<Predict<'m>>,
        asked: Asked,
    ) -> Result<Self, CommandError> {
        if asked.proba && T::classes(model.schema()) == 0 {
            return Err(unsupported(model, "--proba", "a classifier"));
        }
        let with_intervals = |level| {
            let intervals = model.pipeline().learner().as_intervals();
            let needed = "a regressor that tells intervals, such as mondrian-2016 or conformal";
            let intervals = intervals.ok_or_else(|| unsupported(model, "--interval", needed))?;
            Ok::<_, CommandError>((level, intervals))
        };
        Ok(Self {
            model,
            by,
            proba: asked.proba,
            interval: asked.interval.map(with_intervals).transpose()?,
        })
    }

    /// What the columns of the output are called.
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

    /// An answer for each row. Counts cells with a category that was not there when columns were fitted.
    pub fn of(
        &self,
        layout: &Layout,
        rows: &[Row],
        unseen: &mut u64,
    ) -> Result<Vec<Answer<'m>>, CommandError> {
        let (features, outcomes) = self.features(layout, rows, unseen);
        let mut known = self.known(features.view())?.into_iter();
        let answers = outcomes.into_iter().map(|outcome| match outcome {
            Outcome::Taken => known.next().expect("each row that is taken is answered"),
            Outcome::Dropped => Answer::Gap,
            Outcome::Bad(reason) => Answer::Bad(reason),
        });
        Ok(answers.collect())
    }

    /// The rows that can be read, as numbers, and what became of each row.
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

    fn known(&self, features: ArrayView2<'_, f32>) -> Result<Vec<Answer<'m>>, CommandError> {
        let names = self.model.pipeline().class_names();
        let answers = match self.by {
            Some(predict) => predict(features)?,
            None => self.model.predict(features)?,
        };
        let bounds = self.bounds(features)?;
        let known = answers.rows().into_iter().enumerate().map(|(row, answer)| {
            let answer = answer.to_vec();
            let prediction = T::prediction(&answer, names);
            let mut numbers = if self.proba { answer } else { Vec::new() };
            numbers.extend(bounds.iter().flat_map(|bounds| bounds.row(row).to_vec()));
            Answer::Known(prediction, numbers)
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

/// Returns the error for an option that this model has nothing for.
pub fn unsupported<T: TableTask>(
    model: &Model<T>,
    option: &'static str,
    needs: &'static str,
) -> CommandError {
    CommandError::Unsupported {
        option,
        needs,
        label: model.pipeline().learner().label(),
        task: T::NAME,
    }
}

impl<T: TableTask> Model<T> {
    /// What the learner sees of rows.
    pub(crate) fn transformed(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f32>, InputError> {
        let mut steps = self.pipeline().steps().iter();
        steps.try_fold(rows.to_owned(), |rows, step| step.transform(rows))
    }
}
