//! Support vector machines.

use forest_core::parameters::{Parameter, Rule};
use forest_core::{Classification, InputError, Rows};
use ndarray::{Array2, ArrayView2, Axis};
use self_cell::self_cell;
use smartcore::svm::Kernels;
use smartcore::svm::svc::{SVC, SVCParameters};

use super::matrix::{Matrix, matrix};
use super::{SMARTCORE, failed};
use crate::{
    BatchEntry, BatchLearner, Declared as _, FitError, FitOptions, Fitted, Training, make, settings,
};

/// `svm`.
pub static SVM: BatchEntry = BatchEntry {
    name: "svm",
    description: "support vector machine with a Gaussian kernel; one-against-one for several classes",
    paper: SMARTCORE,
    limits: &["at most 10,000 rows of two classes: the fit takes at least quadratic time"],
    parameters: Svm::parameters,
    classification: Some(make::<Svm, Classification>),
    regression: None,
};

const SCALE: &str = "scale";

/// The most rows of two classes: the kernel of all their pairs takes 5 GB.
const MOST_ROWS: usize = 10_000;

/// Support vector machines with the Gaussian kernel exp(−γ·|a − b|²), one for each pair of classes; a probability is a share of their votes.
#[derive(Clone, Debug, PartialEq)]
pub struct Svm {
    /// The cost of a sample on the wrong side, above 0.
    pub c: f64,
    /// γ; by default, 1 / (features · variance of all values), as in scikit-learn.
    pub gamma: Option<f64>,
}

settings! {
    Svm {
        c: Parameter::new("c", Rule::POSITIVE, "1", "cost of a sample on the wrong side");
        gamma: Parameter::new("gamma", Rule::Or(&Rule::NUMBER, &[SCALE]), SCALE,
            "the kernel is exp(-gamma |a - b|^2); by default, gamma = 1/(features * variance)"), SCALE => None, Some;
    }
}

impl BatchLearner<Classification> for Svm {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        options: FitOptions,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let gamma = self.gamma.unwrap_or_else(|| scale(training.rows()));
        let kernel = Kernels::rbf().with_gamma(gamma);
        one_against_one(training, self.c, &kernel, options)
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

type Parameters = SVCParameters<f64, u32, Matrix, Vec<u32>>;
type Machine<'a> = SVC<'a, f64, u32, Matrix, Vec<u32>>;

/// Samples of two classes, as smartcore takes them.
struct Problem {
    x: Matrix,
    y: Vec<u32>,
    parameters: Parameters,
}

self_cell!(
    /// smartcore's machine borrows its parameters.
    struct Pair {
        owner: Problem,
        #[covariant]
        dependent: Machine,
    }
);

/// A machine for each pair of classes.
struct Machines {
    pairs: Vec<([u32; 2], Pair)>,
    features: usize,
    width: usize,
}

fn one_against_one(
    training: &Training<'_, Classification>,
    c: f64,
    kernel: &Kernels,
    options: FitOptions,
) -> Result<Box<dyn Fitted>, FitError> {
    let classes = training.two_classes()?;
    let later = |place: usize| classes[place + 1..].iter();
    let pairs: Vec<[u32; 2]> = classes
        .iter()
        .enumerate()
        .flat_map(|(place, &a)| later(place).map(move |&b| [a, b]))
        .collect();
    let mut machines = Machines {
        pairs: Vec::new(),
        features: training.schema().features(),
        width: training.schema().width(),
    };
    for pair in pairs {
        let parameters = Parameters::default()
            .with_c(c)
            .with_kernel(kernel.clone())
            .with_seed(Some(options.seed));
        let problem = problem(training, pair, parameters);
        if problem.y.len() > MOST_ROWS {
            return Err(FitError::TooManyRows(MOST_ROWS));
        }
        let machine = Pair::try_new(problem, |problem| {
            SVC::fit(&problem.x, &problem.y, &problem.parameters).map_err(failed)
        })?;
        machines.pairs.push((pair, machine));
    }
    Ok(Box::new(machines))
}

/// Selects the samples of a pair of classes.
fn problem(
    training: &Training<'_, Classification>,
    pair: [u32; 2],
    parameters: Parameters,
) -> Problem {
    let targets = training.targets();
    let rows: Vec<usize> = (0..targets.len())
        .filter(|&row| pair.contains(&targets[row]))
        .collect();
    Problem {
        x: matrix(training.rows().select(Axis(0), &rows).view()),
        y: rows.iter().map(|&row| targets[row]).collect(),
        parameters,
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
                let class = pair[usize::from(margin > 0.0)];
                prediction[class as usize] += vote;
            }
        }
        Ok(predictions)
    }
}

/// Returns the margin of each row on the side of the second class.
fn margins<'a>(machine: &Machine<'a>, rows: &'a Matrix) -> Vec<f64> {
    let margins = machine.decision_function(rows);
    margins.expect("the machine has been fitted")
}
