//! What only some learners can do: a `TypeError` names the learner that cannot.

use numpy::ndarray::{Array2, Array3, ArrayView2};
use online_forests::{Task, 
    Ability, AnyLearner, ExportedTree, FeatureValues, OnlineLearner as _,
    Regression, threads,
};
use pyo3::{PyErr, PyResult};

use crate::error::{cannot, refused, wrong_type, wrong_value};
use crate::inner::Inner;
use crate::task::PythonTask;

/// A node as it is drawn: whether it is a leaf, its corners, and where its cut crosses it.
pub type Drawn = (bool, Vec<[f64; 2]>, Option<[[f64; 2]; 2]>);

/// Names of features and classes for people; numbers where there are none.
pub struct Names {
    features: Vec<String>,
    classes: Vec<String>,
}

impl Names {
    /// Those that are given.
    pub fn new(features: Option<Vec<String>>, classes: Option<Vec<String>>) -> Self {
        Self {
            features: features.unwrap_or_default(),
            classes: classes.unwrap_or_default(),
        }
    }
}

/// What a learner can do besides learning and predicting, a word each.
pub fn capabilities<T: PythonTask>(inner: &mut Inner<T>) -> Vec<&'static str> {
    let [forget, widen] = match inner.learner_mut() {
        Some(learner) => [learner.check_forgetting().is_ok(), can_widen(learner)],
        None => [false; 2],
    };
    let learner = inner.learner();
    let [explain, partition, intervals] =
        [Ability::Explain, Ability::Partition, Ability::Intervals].map(|it| learner.can(it));
    // The rows of a pipeline are not those of its learner.
    let alone = matches!(inner, Inner::Learner(_));
    let words = [
        ("forget", forget),
        ("refine", partition && alone),
        ("widen", widen),
        ("weights", inner.takes_weights()),
        ("explain", explain),
        ("draw", partition && learner.schema().features() == 2),
        ("partition", partition),
        ("intervals", intervals && alone),
        ("members", !learner.members().is_empty()),
        ("missing_values", takes_missing_values(inner)),
    ];
    words
        .into_iter()
        .filter(|(_, can)| *can)
        .map(|(word, _)| word)
        .collect()
}

/// Returns whether it learns missing values and categories.
pub fn takes_missing_values<T: PythonTask>(inner: &Inner<T>) -> bool {
    inner.feature_values() == FeatureValues::NumbersAndCategories
}

/// Predicts rows into an existing array.
///
/// # Errors
/// Rows that are refused, or another number of cells.
pub fn predict_into<T: PythonTask>(
    inner: &Inner<T>,
    rows: ArrayView2<'_, f32>,
    out: &mut [f64],
) -> PyResult<()> {
    threads::with_buffer(|predictions| {
        inner.predict_into(rows, predictions).map_err(refused)?;
        if predictions.len() == out.len() {
            out.copy_from_slice(predictions);
        } else {
            let (rows, width) = (rows.nrows(), inner.schema().width());
            let message = format!(
                "out must have {rows} rows of {width} numbers, but has {} numbers",
                out.len()
            );
            return Err(wrong_value(message));
        }
        Ok(())
    })
}

/// Forgets one sample.
///
/// # Errors
/// A learner that cannot, or a sample that is not held.
pub fn forget<T: PythonTask>(inner: &mut Inner<T>, arrival: u64) -> PyResult<()> {
    forgetter(inner)?.forget(arrival).map_err(refused)
}

/// Forgets all but the latest samples.
///
/// # Errors
/// A learner that cannot, or a setting that rules it out.
pub fn keep_latest<T: PythonTask>(inner: &mut Inner<T>, n: usize) -> PyResult<()> {
    forgetter(inner)?.keep_latest(n).map_err(refused)
}

fn forgetter<T: PythonTask>(inner: &mut Inner<T>) -> PyResult<&mut AnyLearner<T>> {
    let refusal = cannot(inner.algorithm(), "forget samples");
    let learner = inner.learner_mut().ok_or(refusal)?;
    match learner.check_forgetting() {
        Ok(()) => Ok(learner),
        Err(reason) => Err(wrong_type(reason.to_string())),
    }
}

/// With as many features as before nothing changes.
pub fn can_widen<T: Task>(learner: &mut AnyLearner<T>) -> bool {
    let features = learner.schema().features();
    learner.widen(features).is_ok()
}

/// Returns whether it can continue with more features.
pub fn widens<T: PythonTask>(inner: &mut Inner<T>) -> bool {
    let learner = inner.learner_mut();
    learner.is_some_and(can_widen)
}

/// Refuses a learner that takes no more features than it has.
///
/// # Errors
/// Such a learner.
pub fn expect_widening<T: PythonTask>(inner: &mut Inner<T>) -> PyResult<()> {
    if widens(inner) {
        Ok(())
    } else {
        Err(cannot_widen(inner))
    }
}

/// Makes room for samples of more features.
///
/// # Errors
/// A learner that cannot, or fewer features than before.
pub fn widen<T: PythonTask>(inner: &mut Inner<T>, features: usize) -> PyResult<()> {
    expect_widening(inner)?;
    match inner.learner_mut() {
        Some(learner) => learner.widen(features).map_err(refused),
        None => Err(cannot_widen(inner)),
    }
}

fn cannot_widen<T: PythonTask>(inner: &Inner<T>) -> PyErr {
    cannot(inner.algorithm(), "continue with samples of more features")
}

/// What a learner that takes no weights raises.
pub fn takes_no_weights<T: PythonTask>(inner: &Inner<T>) -> PyErr {
    match inner {
        Inner::Learner(_) => cannot(inner.algorithm(), "learn with weights"),
        Inner::Pipeline(_) => cannot("this pipeline", "learn with weights, or not yet"),
        Inner::Model(_) => cannot("a model of the program", "learn with weights"),
    }
}

/// Brings every leaf up to a growing budget.
///
/// # Errors
/// A learner that cannot.
pub fn refine<T: PythonTask>(inner: &mut Inner<T>) -> PyResult<()> {
    let refusal = cannot(inner.algorithm(), "refine its leaves");
    let learner = inner
        .learner_mut()
        .ok_or_else(|| cannot("a pipeline", "refine its leaves"))?;
    learner.refine().map_err(|_| refusal)
}

fn explain<T: PythonTask>(inner: &Inner<T>) -> PyResult<&AnyLearner<T>> {
    if inner.learner().can(Ability::Explain) {
        return Ok(inner.learner());
    }
    Err(cannot(inner.algorithm(), "explain its predictions"))
}

/// The importance of each feature.
///
/// # Errors
/// A learner that cannot explain.
pub fn feature_importances<T: PythonTask>(inner: &Inner<T>) -> PyResult<Vec<f64>> {
    explain(inner)?.feature_importance().map_err(refused)
}

/// A tree as data.
///
/// # Errors
/// A learner that cannot explain, or a tree that it does not have.
pub fn exported<T: PythonTask>(
    inner: &Inner<T>,
    tree: usize,
    max_depth: Option<usize>,
    names: &Names,
) -> PyResult<ExportedTree> {
    let tree = explain(inner)?.export(tree).map_err(refused)?;
    let tree = tree.down_to(max_depth.unwrap_or(usize::MAX));
    Ok(tree.named(&names.features, &names.classes))
}

/// Returns the path of a row through a tree, in words.
///
/// # Errors
/// A learner that cannot explain, a tree that it does not have, or a row that is refused.
pub fn decision_path<T: PythonTask>(
    inner: &Inner<T>,
    tree: usize,
    x: &[f32],
    names: &Names,
) -> PyResult<String> {
    let path = explain(inner)?.decision_path(tree, x).map_err(refused)?;
    Ok(path.named(&names.features, &names.classes).to_string())
}

/// What each feature adds to the prediction for each row, and behind the features the prediction where none is known.
///
/// # Errors
/// A learner without this capability, or rows that are refused.
pub fn contributions<T: PythonTask>(
    inner: &Inner<T>,
    rows: ArrayView2<'_, f32>,
) -> PyResult<Array3<f64>> {
    explain_rows(inner)?.contributions(rows).map_err(refused)
}

/// In which node of each exported tree each row ends.
///
/// # Errors
/// A learner without this capability, or rows that are refused.
pub fn leaves<T: PythonTask>(inner: &Inner<T>, rows: ArrayView2<'_, f32>) -> PyResult<Array2<u32>> {
    explain_rows(inner)?.leaves(rows).map_err(refused)
}

fn explain_rows<T: PythonTask>(inner: &Inner<T>) -> PyResult<&AnyLearner<T>> {
    match inner {
        Inner::Learner(_) => explain(inner),
        // The rows of a pipeline are not those of its learner.
        Inner::Pipeline(_) | Inner::Model(_) => {
            Err(cannot("a pipeline", "explain rows; its learner alone can"))
        }
    }
}

/// The nodes of a tree in a convex window.
///
/// # Errors
/// A learner that cannot be drawn.
pub fn drawn_nodes<T: PythonTask>(
    inner: &Inner<T>,
    tree: usize,
    corners: &[[f64; 2]],
) -> PyResult<Vec<Drawn>> {
    let nodes = inner.learner().nodes_of(tree, corners);
    let nodes =
        nodes.map_err(|_| cannot(inner.algorithm(), "be drawn; forests over two features can"))?;
    Ok(nodes
        .into_iter()
        .map(|node| (node.is_leaf, node.hull, node.cut))
        .collect())
}

/// The share of the trees that have both rows in one leaf.
///
/// # Errors
/// A learner without a partition, or a row that is refused.
pub fn share_a_leaf<T: PythonTask>(inner: &Inner<T>, a: &[f32], b: &[f32]) -> PyResult<f64> {
    if !inner.learner().can(Ability::Partition) {
        return Err(cannot(
            inner.algorithm(),
            "report which points share a leaf",
        ));
    }
    inner.learner().share_a_leaf(a, b).map_err(refused)
}

/// The members of a mixture with their weights.
///
/// # Errors
/// A learner that has none.
pub fn members<T: PythonTask>(inner: &Inner<T>) -> PyResult<Vec<(String, f64)>> {
    let members = inner.learner().members();
    if members.is_empty() {
        return Err(cannot(
            inner.algorithm(),
            "report members: it is not a mixture",
        ));
    }
    Ok(members
        .into_iter()
        .map(|member| (member.name, member.weight))
        .collect())
}

/// Mean and variance of a new target at each row.
///
/// # Errors
/// A learner without this capability, or rows that are refused.
pub fn means_and_variances(
    inner: &Inner<Regression>,
    rows: ArrayView2<'_, f32>,
) -> PyResult<Array2<f64>> {
    intervals_of(inner)?
        .means_and_variances(rows)
        .map_err(refused)
}

/// Bounds of a new target at each row.
///
/// # Errors
/// A learner without intervals, a level that is not a probability, or rows that are refused.
pub fn intervals(
    inner: &Inner<Regression>,
    rows: ArrayView2<'_, f32>,
    level: f64,
) -> PyResult<Array2<f64>> {
    intervals_of(inner)?
        .central_intervals(rows, level)
        .map_err(refused)
}

fn intervals_of(inner: &Inner<Regression>) -> PyResult<&AnyLearner<Regression>> {
    match inner {
        Inner::Learner(learner) if learner.can(Ability::Intervals) => Ok(learner),
        // The rows of a pipeline are not those of its learner.
        _ => Err(cannot(inner.algorithm(), "report variances and intervals")),
    }
}
