//! Learners of the library smartcore: offline baselines for online forests.

use std::sync::Arc;

use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::registry::{Entry, Role};
use forest_core::{Classification, ForestSettings, Regression, Rows, Task, TreeRng, threads};
use ndarray::{Array2, ArrayView2, Axis};
use self_cell::self_cell;
use smartcore::algorithm::neighbour::cover_tree::CoverTree;
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};
use smartcore::error::Failed;
use smartcore::linalg::basic::arrays::Array as _;
use smartcore::linalg::basic::matrix::DenseMatrix;
use smartcore::linear::logistic_regression::{LogisticRegression, LogisticRegressionParameters};
use smartcore::metrics::distance::euclidian::Euclidian;
use smartcore::svm::Kernels;
use smartcore::svm::svc::{SVC, SVCParameters};
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters,
};
use smartcore::tree::decision_tree_regressor::{
    DecisionTreeRegressor, DecisionTreeRegressorParameters,
};

use crate::offline::{Fit, Model, OfflineRow, table};
use crate::{ComparedTask, RunError, Training};

table! { BASELINES: 5;
    "random-forest", "trees on bootstrap samples, each split the best of some random features",
        "Breiman: Random Forests, Machine Learning 45, 2001", &[], ForestSettings::TREES,
        &[FEATURES, TREE[0], TREE[1]], Some(forest_of_classes), Some(forest_of_numbers);
    "decision-tree", "one tree, each split the best of all",
        "Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984", &[], 0,
        &TREE, Some(tree_of_classes), Some(tree_of_numbers);
    "k-nn", "the k nearest training samples, by Euclidean distance", SMARTCORE, &["keeps every training row"], 0,
        &forest_core::parameters! {
            "k": Rule::Count(1), "3", "how many neighbours";
        }, Some(neighbours), Some(neighbours);
    "logistic-regression", "log-odds of the classes, linear in the features", SMARTCORE, &[], 0,
        &forest_core::parameters! {
            "alpha": Rule::NUMBER, "1", "penalty on half the squared coefficients in log-likelihood";
        }, Some(logistic), None;
    "svm", "support vector machine with a Gaussian kernel; one-against-one for several classes", SMARTCORE,
        &["at most 10,000 rows of two classes: the fit takes at least quadratic time"], 0,
        &forest_core::parameters! {
            "c": Rule::POSITIVE, "1", "cost of a sample on the wrong side";
            "gamma": Rule::Or(&Rule::NUMBER, &[SCALE]), SCALE,
                "the kernel is exp(-gamma |a - b|^2); by default, gamma = 1/(features * variance)";
        }, Some(machines), None;
}
forest_core::submit!(&[
    &BASELINES[0].entry,
    &BASELINES[1].entry,
    &BASELINES[2].entry,
    &BASELINES[3].entry,
    &BASELINES[4].entry
]);

const SMARTCORE: &str = "smartcore 0.7";
const UNLIMITED: &str = "unlimited";
const ROOT: &str = "root";
const SCALE: &str = "scale";
/// Rows of two classes that a support vector machine takes.
const MOST_ROWS: usize = 10_000;

const TREE: [Parameter; 2] = forest_core::parameters! {
    "depth": Rule::Or(&Rule::Count(1), &[UNLIMITED]), UNLIMITED, "the most levels of splits";
    "min_leaf": Rule::Count(1), "1", "the fewest samples of a leaf";
};

const FEATURES: Parameter = Parameter::new(
    "features",
    Rule::Or(&Rule::Count(1), &[ROOT]),
    ROOT,
    "features that a split chooses from: their square root, rounded down, by default",
);

type Matrix = DenseMatrix<f64>;

fn matrix(rows: ArrayView2<'_, f32>) -> Matrix {
    let values = rows.t().iter().map(|&x| f64::from(x)).collect();
    let matrix = DenseMatrix::new(rows.nrows(), rows.ncols(), values, true);
    matrix.expect("there is a value for each cell")
}

fn failed(error: Failed) -> RunError {
    RunError::Failed(format!("smartcore: {error}"))
}

/// Adds a target, `weight` times, to a prediction: to the cell of its class, or to the only cell.
fn add<T: ComparedTask>(target: T::Target, weight: f64, prediction: &mut [f64]) {
    let number: f64 = target.into();
    match T::KIND {
        datasets::TaskKind::Classification => prediction[number as usize] += weight,
        datasets::TaskKind::Regression => prediction[0] += weight * number,
    }
}

/// Returns the classes that occur, ascending; an error for one class.
fn two_classes(training: &Training<'_, Classification>) -> Result<Vec<u32>, RunError> {
    let mut classes = training.targets.to_vec();
    classes.sort_unstable();
    classes.dedup();
    if classes.len() > 1 {
        return Ok(classes);
    }
    let reason = "all training rows have one class; this learner needs rows of two classes";
    Err(RunError::failed(reason))
}

/// Returns a model whose predictions of rows are independent; `predict_into` adds them to zeros, a chunk for each row.
fn model<T: Task>(
    training: &Training<'_, T>,
    trees: usize,
    predict_into: impl Fn(&Matrix, std::slice::ChunksExactMut<'_, f64>) + Sync + 'static,
) -> Model {
    let features = training.schema.features();
    let width = training.schema.width();
    let predict = move |rows: ArrayView2<'_, f32>| {
        let rows = Rows::check(rows, features)?;
        let mut predictions = Array2::zeros((rows.len(), width));
        if rows.is_empty() {
            return Ok(predictions);
        }
        let table = predictions.as_slice_mut();
        let table = table.expect("a new array is contiguous");
        threads::fill_rows(table, width, rows.len() * width, |first, part| {
            let count = part.len() / width;
            let of_part = &rows.values()[first * features..][..count * features];
            let of_part = ArrayView2::from_shape((count, features), of_part);
            let of_part = matrix(of_part.expect("rows are whole"));
            predict_into(&of_part, part.chunks_exact_mut(width));
        });
        Ok(predictions)
    };
    Model::new(predict, trees, None)
}

type Tree<V> = Box<dyn Fn(&Matrix) -> Result<Vec<V>, Failed> + Send + Sync>;

fn average<T: ComparedTask>(training: &Training<'_, T>, trees: Vec<Tree<T::Target>>) -> Model {
    let count = trees.len();
    let share = 1.0 / count as f64;
    model(training, count, move |rows, table| {
        let mut cells: Vec<&mut [f64]> = table.collect();
        for tree in &trees {
            let targets = tree(rows).expect("the tree has been grown");
            for (prediction, target) in cells.iter_mut().zip(targets) {
                add::<T>(target, share, prediction);
            }
        }
    })
}

/// Grows trees in parallel, each with its own seed.
fn grow<T: ComparedTask>(
    training: &Training<'_, T>,
    settings: ForestSettings,
    one: impl Fn(u64) -> Result<Tree<T::Target>, Failed> + Sync,
) -> Result<Model, RunError> {
    ForestSettings::check_trees(settings.trees)?;
    let mut forest: Vec<_> = (0..settings.trees).map(|tree| (tree, None)).collect();
    threads::each(&mut forest, usize::MAX, |(tree, grown)| {
        *grown = Some(one(TreeRng::new(settings.seed, *tree).bits()));
    });
    let grown = forest.into_iter().filter_map(|(_, grown)| grown);
    let trees = grown.collect::<Result<_, _>>().map_err(failed)?;
    Ok(average(training, trees))
}

fn of_tree(v: &mut Values) -> (Option<u16>, usize) {
    let depth: Option<u32> = v.unless("depth", UNLIMITED);
    let depth = depth.and_then(|depth| depth.try_into().ok());
    (depth, v.get("min_leaf"))
}

fn features<T: Task>(asked: Option<usize>, training: &Training<'_, T>) -> Option<usize> {
    let all = training.schema.features();
    Some(asked.unwrap_or((all as f64).sqrt() as usize).min(all))
}

/// Defines what fits smartcore's forests and trees, which has a type for each task; a classifier needs two classes.
macro_rules! trees {
    ($task:ident, $forest:ident: $forests:ident, $forest_of:ident,
        $tree:ident: $trees:ident, $tree_of:ident, $check:expr) => {
        fn $forest(v: &mut Values) -> Arc<Fit<$task>> {
            let asked = v.unless("features", ROOT);
            let (max_depth, min_samples_leaf) = of_tree(v);
            Arc::new(move |training, settings| {
                $check(training)?;
                let x = matrix(training.rows);
                let y = training.targets.to_vec();
                let mut one = $forest_of::default().with_n_trees(1);
                one.m = features(asked, training);
                one.max_depth = max_depth;
                one.min_samples_leaf = min_samples_leaf;
                grow(training, settings, |seed| {
                    let tree = $forests::fit(&x, &y, one.clone().with_seed(seed))?;
                    Ok(Box::new(move |rows: &Matrix| tree.predict(rows)))
                })
            })
        }

        fn $tree(v: &mut Values) -> Arc<Fit<$task>> {
            let (max_depth, min_samples_leaf) = of_tree(v);
            Arc::new(move |training, settings| {
                $check(training)?;
                let x = matrix(training.rows);
                let y = training.targets.to_vec();
                let mut one = $tree_of::default();
                one.max_depth = max_depth;
                one.min_samples_leaf = min_samples_leaf;
                one.seed = Some(settings.seed);
                let tree = $trees::fit(&x, &y, one).map_err(failed)?;
                Ok(average(
                    training,
                    vec![Box::new(move |rows| tree.predict(rows))],
                ))
            })
        }
    };
}

trees! {
    Classification, forest_of_classes: RandomForestClassifier, RandomForestClassifierParameters,
    tree_of_classes: DecisionTreeClassifier, DecisionTreeClassifierParameters, two_classes
}
trees! {
    Regression, forest_of_numbers: RandomForestRegressor, RandomForestRegressorParameters,
    tree_of_numbers: DecisionTreeRegressor, DecisionTreeRegressorParameters, |_| Ok::<(), RunError>(())
}

fn neighbours<T: ComparedTask>(v: &mut Values) -> Arc<Fit<T>> {
    let k: usize = v.get("k");
    Arc::new(move |training, _| {
        let rows = training.rows.outer_iter();
        let rows = rows.map(|row| row.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>());
        let targets = training.targets.to_vec();
        let tree = CoverTree::new(rows.collect(), Euclidian::new()).map_err(failed)?;
        let k = k.min(targets.len());
        Ok(model(training, 0, move |rows, table| {
            for (index, prediction) in table.enumerate() {
                let cell = |column| *rows.get((index, column));
                let row = (0..rows.shape().1).map(cell).collect();
                let found = tree.find(&row, k).expect("there are at least k samples");
                let share = 1.0 / found.len() as f64;
                for (sample, ..) in found {
                    add::<T>(targets[sample], share, prediction);
                }
            }
        }))
    })
}

fn logistic(v: &mut Values) -> Arc<Fit<Classification>> {
    let alpha = v.get("alpha");
    Arc::new(move |training, _| {
        two_classes(training)?;
        let x = matrix(training.rows);
        let y = training.targets.to_vec();
        let parameters = LogisticRegressionParameters::default().with_alpha(alpha);
        let fitted = LogisticRegression::fit(&x, &y, parameters).map_err(failed)?;
        Ok(model(training, 0, move |rows, table| {
            let coefficients = fitted.coefficients();
            let intercept = fitted.intercept();
            let (scores, columns) = coefficients.shape();
            for (row, prediction) in table.enumerate() {
                let mut odds = Vec::new();
                for score in 0..scores {
                    let product =
                        |column| coefficients.get((score, column)) * rows.get((row, column));
                    let sum: f64 = (0..columns).map(product).sum();
                    odds.push(intercept.get((score, 0)) + sum);
                }
                if let [second] = odds[..] {
                    odds = vec![0.0, second];
                }
                let largest = odds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let odds = odds.iter().map(|odds| (odds - largest).exp());
                let total: f64 = odds.clone().sum();
                for (&class, odds) in fitted.classes().iter().zip(odds) {
                    prediction[class as usize] = odds / total;
                }
            }
        }))
    })
}

type Machine<'a> = SVC<'a, f64, u32, Matrix, Vec<u32>>;

struct Problem {
    x: Matrix,
    y: Vec<u32>,
    parameters: SVCParameters<f64, u32, Matrix, Vec<u32>>,
}

self_cell!(
    struct Pair {
        owner: Problem,
        #[covariant]
        dependent: Machine,
    }
);

/// A machine for each pair of classes; each has a vote.
fn machines(v: &mut Values) -> Arc<Fit<Classification>> {
    let c: f64 = v.get("c");
    let gamma: Option<f64> = v.unless("gamma", SCALE);
    Arc::new(move |training, settings| {
        let rows = training.rows;
        let targets = training.targets;
        let kernel = Kernels::rbf().with_gamma(gamma.unwrap_or_else(|| scale(rows)));
        let classes = two_classes(training)?;
        let mut pairs = Vec::new();
        for (place, &first) in classes.iter().enumerate() {
            for &second in &classes[place + 1..] {
                let pair = [first, second];
                let of_pair = (0..targets.len()).filter(|&row| pair.contains(&targets[row]));
                let of_pair: Vec<usize> = of_pair.collect();
                if of_pair.len() > MOST_ROWS {
                    return Err(RunError::Failed(format!(
                        "more than {MOST_ROWS} training rows of two classes; use fewer rows, or another learner"
                    )));
                }
                let parameters = SVCParameters::default()
                    .with_c(c)
                    .with_kernel(kernel.clone());
                let x = matrix(rows.select(Axis(0), &of_pair).view());
                let y = of_pair.iter().map(|&row| targets[row]).collect();
                let parameters = parameters.with_seed(Some(settings.seed));
                let problem = Problem { x, y, parameters };
                let machine = Pair::try_new(problem, |problem| {
                    SVC::fit(&problem.x, &problem.y, &problem.parameters).map_err(failed)
                })?;
                pairs.push((pair, machine));
            }
        }
        let features = training.schema.features();
        let width = training.schema.width();
        let predict = move |rows: ArrayView2<'_, f32>| {
            Rows::check(rows, features)?;
            let x = matrix(rows);
            let mut predictions = Array2::zeros((rows.nrows(), width));
            let vote = 1.0 / pairs.len() as f64;
            for ([first, second], machine) in &pairs {
                let margins = machine.borrow_dependent().decision_function(&x);
                let margins = margins.expect("the machine has been fitted");
                for (mut prediction, margin) in predictions.outer_iter_mut().zip(margins) {
                    let winner = if margin > 0.0 { second } else { first };
                    prediction[*winner as usize] += vote;
                }
            }
            Ok(predictions)
        };
        Ok(Model::new(predict, 0, None))
    })
}

fn scale(rows: ArrayView2<'_, f32>) -> f64 {
    let variance = rows.mapv(f64::from).var(0.0);
    if variance > 0.0 {
        1.0 / (rows.ncols() as f64 * variance)
    } else {
        1.0
    }
}
