//! Linear models.

use forest_core::{Classification, Regression};
use ndarray::Axis;
use parameters::{Parameter, Rule};
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::linear::logistic_regression::{self as logistic, LogisticRegressionParameters};
use smartcore::linear::ridge_regression::{RidgeRegression, RidgeRegressionParameters};

use crate::matrix::{Matrix, Model, Predictor, matrix};
use crate::{SMARTCORE, failed};
use evaluation::{
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

/// `ridge`.
pub static RIDGE: BatchEntry = BatchEntry {
    name: "ridge",
    description: "linear least squares with a penalty on the squared coefficients",
    paper: SMARTCORE,
    limits: &[],
    parameters: Ridge::parameters,
    classification: None,
    regression: Some(make::<Ridge, Regression>),
};

const ALPHA: Parameter = Parameter::new(
    "alpha",
    Rule::NUMBER,
    "1",
    "penalty: on half the squared coefficients in log-likelihood, on all of them in least squares",
);

/// Logistic regression, by L-BFGS.
#[derive(Clone, Debug, PartialEq)]
pub struct LogisticRegression {
    /// α: the negative log-likelihood of all rows is penalised by α/2 times the squared coefficients.
    pub alpha: f64,
}

/// Ridge regression, intercept free.
#[derive(Clone, Debug, PartialEq)]
pub struct Ridge {
    /// α: the squared errors of all rows are penalised by α times the squared coefficients.
    pub alpha: f64,
}

settings! {
    LogisticRegression { alpha: ALPHA; }
}

settings! {
    Ridge { alpha: ALPHA; }
}

type Logistic = logistic::LogisticRegression<f64, u32, Matrix, Vec<u32>>;

impl BatchLearner<Classification> for LogisticRegression {
    fn bytes_to_fit(&self, training: &Training<'_, Classification>, _: usize) -> Option<u64> {
        // The rows, and the coefficients of L-BFGS's latest steps.
        let (rows, features) = training.rows().dim();
        let coefficients = training.schema().width() * (features + 1);
        Some((rows * (8 * features + 96) + 256 * coefficients) as u64)
    }

    fn fit(
        &self,
        training: &Training<'_, Classification>,
        _: FitOptions<'_>,
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

/// Coefficients of centred features, which have no intercept.
struct Centred {
    means: Vec<f64>,
    mean: f64,
    coefficients: Vec<f64>,
}

impl BatchLearner<Regression> for Ridge {
    fn bytes_to_fit(&self, training: &Training<'_, Regression>, _: usize) -> Option<u64> {
        // The rows four times, and the matrix of the normal equations.
        let (rows, features) = training.rows().dim();
        Some((32 * (rows + features) * (features + 2)) as u64)
    }

    fn fit(
        &self,
        training: &Training<'_, Regression>,
        _: FitOptions<'_>,
    ) -> Result<Box<dyn Fitted>, FitError> {
        // smartcore's model has an intercept only if it scales too, and then it refuses constant features.
        let rows = training.rows().mapv(f64::from);
        let means = rows.mean_axis(Axis(0)).ok_or(FitError::NoRows)?;
        let centred = &rows - &means;
        let mean = training.targets().iter().sum::<f64>() / training.targets().len() as f64;
        let y: Vec<f64> = training
            .targets()
            .iter()
            .map(|target| target - mean)
            .collect();
        let (count, features) = centred.dim();
        let x =
            Matrix::new(count, features, centred.into_iter().collect(), false).map_err(failed)?;
        let parameters = RidgeRegressionParameters {
            alpha: self.alpha,
            normalize: false,
            ..RidgeRegressionParameters::default()
        };
        let model = RidgeRegression::<f64, f64, Matrix, Vec<f64>>::fit(&x, &y, parameters)
            .map_err(failed)?;
        let coefficients = model.coefficients().iterator(0).copied().collect();
        let centred = Centred {
            means: means.to_vec(),
            mean,
            coefficients,
        };
        Ok(Box::new(Predictor::new(training.schema(), centred)))
    }
}

impl Model for Centred {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64]) {
        for (index, prediction) in table.iter_mut().enumerate() {
            let features = self.coefficients.iter().zip(&self.means).enumerate();
            let products = features
                .map(|(column, (weight, mean))| weight * (rows.get((index, column)) - mean));
            *prediction = self.mean + products.sum::<f64>();
        }
    }
}
