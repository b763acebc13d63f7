//! Logistic regression.

use forest_core::Classification;
use forest_core::parameters::{Parameter, Rule};
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::linear::logistic_regression::{self as logistic, LogisticRegressionParameters};

use super::matrix::{Matrix, Model, Predictor, matrix};
use super::{SMARTCORE, failed};
use crate::{
    BatchEntry, BatchLearner, Declared as _, FitError, FitOptions, Fitted, Training, make, settings,
};

/// `logistic-regression`.
pub static LOGISTIC_REGRESSION: BatchEntry = BatchEntry {
    name: "logistic-regression",
    description: "log-odds of the classes, linear in the features",
    paper: SMARTCORE,
    limits: &[],
    parameters: LogisticRegression::parameters,
    classification: Some(make::<LogisticRegression, Classification>),
    regression: None,
};

/// Logistic regression, by L-BFGS.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticRegression {
    /// α: the negative log-likelihood of all rows is penalised by α/2 times the squared coefficients.
    pub alpha: f64,
}

settings! {
    LogisticRegression {
        alpha: Parameter::new("alpha", Rule::NUMBER, "1", "penalty on half the squared coefficients in log-likelihood");
    }
}

type Logistic = logistic::LogisticRegression<f64, u32, Matrix, Vec<u32>>;

impl BatchLearner<Classification> for LogisticRegression {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        _: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let (x, y) = (matrix(training.rows()), training.targets().to_vec());
        let parameters = LogisticRegressionParameters::default().with_alpha(self.alpha);
        let model = Logistic::fit(&x, &y, parameters).map_err(failed)?;
        Ok(Box::new(Predictor::new(training.schema(), model)))
    }
}

/// Two classes have one row of coefficients, the log-odds of the second; more classes have one row each.
impl Model for Logistic {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        let width = table.len() / rows.shape().0;
        let classes = self.classes();
        for (index, prediction) in table.chunks_exact_mut(width).enumerate() {
            let mut odds: Vec<f64> = (0..self.coefficients().shape().0)
                .map(|score| linear(rows, index, self, score))
                .collect();
            if let [second] = odds[..] {
                odds = vec![0.0, second];
            }
            let largest = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let odds = odds.iter().map(|odds| (odds - largest).exp());
            let total: f64 = odds.clone().sum();
            for (&class, odds) in classes.iter().zip(odds) {
                prediction[class as usize] = odds / total;
            }
        }
    }
}

fn linear(rows: &Matrix, row: usize, model: &Logistic, score: usize) -> f64 {
    let coefficients = model.coefficients();
    let products = (0..coefficients.shape().1)
        .map(|column| coefficients.get((score, column)) * rows.get((row, column)));
    model.intercept().get((score, 0)) + products.sum::<f64>()
}
