//! Logistic regression, and support vector machines.

use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::{Classification, ForestSettings, InputError, Rows};
use ndarray::{Array2, ArrayView2, Axis};
use self_cell::self_cell;
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::linear::logistic_regression::{self as logistic, LogisticRegressionParameters};
use smartcore::svm::Kernels;
use smartcore::svm::svc::{SVC, SVCParameters};

use super::matrix::{Matrix, Model, Predictor, matrix};
use super::{SMARTCORE, failed};
use crate::{BatchLearner, FitError, Fitted, OfflineRow, Training};

pub(super) static LOGISTIC_REGRESSION: OfflineRow = OfflineRow {
    name: "logistic-regression",
    description: "log-odds of the classes, linear in the features",
    paper: SMARTCORE,
    limits: &[],
    parameters: PENALTY,
    has_trees: false,
    classification: Some(|v| {
        Box::new(LogisticRegression {
            alpha: v.get("alpha"),
        })
    }),
    regression: None,
};

pub(super) static SVM: OfflineRow = OfflineRow {
    name: "svm",
    description: "support vector machine with a Gaussian kernel; one-against-one for several classes",
    paper: SMARTCORE,
    limits: &["at most 10,000 rows of two classes: the fit takes at least quadratic time"],
    parameters: MACHINE,
    has_trees: false,
    classification: Some(|v| Box::new(Svm::of(v))),
    regression: None,
};

/// Logistic regression.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct LogisticRegression {
    alpha: f64,
}

const PENALTY: &[Parameter] = &forest_core::parameters! {
    "alpha": Rule::NUMBER, "1", "penalty on half the squared coefficients in log-likelihood";
};

/// A support vector machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Svm {
    c: f64,
    gamma: Option<f64>,
}

const SCALE: &str = "scale";
const MOST_ROWS: usize = 10_000;

const MACHINE: &[Parameter] = &forest_core::parameters! {
    "c": Rule::POSITIVE, "1", "cost of a sample on the wrong side";
    "gamma": Rule::Or(&Rule::NUMBER, &[SCALE]), SCALE,
        "the kernel is exp(-gamma |a - b|^2); by default, gamma = 1/(features * variance)";
};

impl Svm {
    fn of(v: &mut Values) -> Self {
        let (c, gamma) = (v.get("c"), v.unless("gamma", SCALE));
        Self { c, gamma }
    }
}

type Logistic = logistic::LogisticRegression<f64, u32, Matrix, Vec<u32>>;

impl BatchLearner<Classification> for LogisticRegression {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        _: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let (x, y) = (matrix(training.rows), training.targets.to_vec());
        let parameters = LogisticRegressionParameters::default().with_alpha(self.alpha);
        let model = Logistic::fit(&x, &y, parameters).map_err(failed)?;
        Ok(Predictor::boxed(training, model))
    }
}

impl Model for Logistic {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64], width: usize) {
        let (coefficients, intercept) = (self.coefficients(), self.intercept());
        let (scores, columns) = coefficients.shape();
        for (row, prediction) in table.chunks_exact_mut(width).enumerate() {
            let product =
                |score, column| coefficients.get((score, column)) * rows.get((row, column));
            let score = |score| {
                intercept.get((score, 0))
                    + (0..columns)
                        .map(|column| product(score, column))
                        .sum::<f64>()
            };
            let mut odds: Vec<f64> = (0..scores).map(score).collect();
            if let [second] = odds[..] {
                odds = vec![0.0, second];
            }
            let largest = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let odds = odds.iter().map(|odds| (odds - largest).exp());
            let total: f64 = odds.clone().sum();
            for (&class, odds) in self.classes().iter().zip(odds) {
                prediction[class as usize] = odds / total;
            }
        }
    }
}

type Parameters = SVCParameters<f64, u32, Matrix, Vec<u32>>;
type Machine<'a> = SVC<'a, f64, u32, Matrix, Vec<u32>>;

/// Rows of two classes.
struct Problem {
    x: Matrix,
    y: Vec<u32>,
    parameters: Parameters,
}

self_cell!(
    struct Pair {
        owner: Problem,
        #[covariant]
        dependent: Machine,
    }
);

/// A machine for each pair of classes; each has a vote.
struct Machines {
    pairs: Vec<([u32; 2], Pair)>,
    features: usize,
    width: usize,
}

impl BatchLearner<Classification> for Svm {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let (rows, targets) = (training.rows, training.targets);
        let kernel = Kernels::rbf().with_gamma(self.gamma.unwrap_or_else(|| scale(rows)));
        let classes = training.two_classes()?;
        let mut machines = Machines {
            pairs: Vec::new(),
            features: training.schema.features(),
            width: training.schema.width(),
        };
        for (place, &first) in classes.iter().enumerate() {
            for &second in &classes[place + 1..] {
                let pair = [first, second];
                let of_pair: Vec<usize> = (0..targets.len())
                    .filter(|&row| pair.contains(&targets[row]))
                    .collect();
                if of_pair.len() > MOST_ROWS {
                    return Err(FitError::TooManyRows(MOST_ROWS));
                }
                let parameters = Parameters::default()
                    .with_c(self.c)
                    .with_kernel(kernel.clone());
                let problem = Problem {
                    x: matrix(rows.select(Axis(0), &of_pair).view()),
                    y: of_pair.iter().map(|&row| targets[row]).collect(),
                    parameters: parameters.with_seed(Some(settings.seed)),
                };
                let machine = Pair::try_new(problem, |problem| {
                    SVC::fit(&problem.x, &problem.y, &problem.parameters).map_err(failed)
                })?;
                machines.pairs.push((pair, machine));
            }
        }
        Ok(Box::new(machines))
    }
}

fn scale(rows: ArrayView2<'_, f32>) -> f64 {
    let variance = rows.mapv(f64::from).var(0.0);
    if variance > 0.0 {
        1.0 / (rows.ncols() as f64 * variance)
    } else {
        1.0
    }
}

impl Fitted for Machines {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        Rows::check(rows, self.features)?;
        let x = matrix(rows);
        let mut predictions = Array2::zeros((rows.nrows(), self.width));
        let vote = 1.0 / self.pairs.len() as f64;
        for (pair, machine) in &self.pairs {
            let margins = machine.with_dependent(|_, machine| margins(machine, &x));
            for (mut prediction, margin) in predictions.outer_iter_mut().zip(margins) {
                prediction[pair[usize::from(margin > 0.0)] as usize] += vote;
            }
        }
        Ok(predictions)
    }
}

fn margins<'a>(machine: &Machine<'a>, rows: &'a Matrix) -> Vec<f64> {
    machine
        .decision_function(rows)
        .expect("the machine has been fitted")
}
