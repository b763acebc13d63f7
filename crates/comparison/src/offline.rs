//! Offline learners: they see all training rows at once, and predict afterwards.

use std::sync::Arc;

use dynamic_forest::{DynamicSettings, DynamicTree, Labels, PARAMETERS as DYNAMIC};
use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::registry::{Entry, Role};
use forest_core::{
    Classification, Footprint, Forest, ForestSettings, InputError, OnlineLearner, Regression, Rows,
    Schema, Task,
};
use mondrian::AxisCuts;
use ndarray::{Array2, ArrayView2};
use random_tessellation::batch::{self, BatchForest, BatchSettings, Rates};
use random_tessellation::{CutDistribution, CutSettings, LinearCuts};

use crate::RunError;
use crate::record::WEIGHTS;

/// A row of the table of algorithms, and what fits its models.
pub(crate) struct OfflineRow {
    pub entry: Entry,
    /// Reads the parameters of a classifier, if there is one.
    pub classification: Option<Make<Classification>>,
    /// Reads the parameters of a regressor, if there is one.
    pub regression: Option<Make<Regression>>,
}

/// Reads parameters, and returns what fits models with them.
pub(crate) type Make<T> = fn(&mut Values) -> Arc<Fit<T>>;

/// Fits a model to rows, or says why it cannot.
pub type Fit<T> = dyn Fn(&Training<'_, T>, ForestSettings) -> Result<Model, RunError> + Send + Sync;

type Predict = dyn Fn(ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError>;

/// A fitted model.
pub struct Model {
    /// Predicts class probabilities, or a number, for each row; rejects rows of another width or with infinite values.
    pub predict: Box<Predict>,
    /// The number of trees; 0 for a model without trees.
    pub trees: usize,
    /// What it holds, if that is known.
    pub footprint: Option<Footprint>,
}

impl Model {
    /// Returns a model with this number of trees.
    pub fn new(
        predict: impl Fn(ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> + 'static,
        trees: usize,
        footprint: Option<Footprint>,
    ) -> Self {
        Self {
            predict: Box::new(predict),
            trees,
            footprint,
        }
    }
}

/// Checked training rows.
#[derive(Clone, Debug)]
pub struct Training<'a, T: Task> {
    /// The classes of the targets, and the number of features.
    pub schema: Schema<T>,
    /// The rows.
    pub rows: ArrayView2<'a, f32>,
    /// A target for each row.
    pub targets: &'a [T::Target],
    /// Rows to be predicted, for transductive learners; they are not checked.
    pub unlabelled: ArrayView2<'a, f32>,
}

impl<'a, T: Task> Training<'a, T> {
    /// Checks rows and targets.
    ///
    /// # Errors
    /// Returns an error for no rows, another number of targets, values that are not finite, or too many classes.
    pub fn new(
        rows: ArrayView2<'a, f32>,
        targets: &'a [T::Target],
        unlabelled: ArrayView2<'a, f32>,
    ) -> Result<Self, RunError> {
        let mut schema = Schema::new(rows.ncols())?;
        Rows::check(rows, rows.ncols())?;
        schema.check_targets(rows.nrows(), targets)?;
        if targets.is_empty() {
            return Err(RunError::failed("no training rows; pass at least one"));
        }
        targets.iter().for_each(|&target| schema.admit(target));
        Ok(Self {
            schema,
            rows,
            targets,
            unlabelled,
        })
    }
}

pub(crate) fn offline_rows() -> impl Iterator<Item = &'static OfflineRow> {
    #[cfg(not(feature = "baselines"))]
    let baselines = &[];
    #[cfg(feature = "baselines")]
    let baselines = &crate::baselines::BASELINES;
    FORESTS.iter().chain(baselines)
}

/// Rows of the table of algorithms: name, description, paper, limits, trees, parameters, what fits classes and numbers.
macro_rules! table {
    ($table:ident: $number:literal; $($name:literal, $description:literal, $paper:expr,
        $limits:expr, $trees:expr, $parameters:expr, $classes:expr, $numbers:expr;)*) => {
        pub(crate) static $table: [OfflineRow; $number] = [$(OfflineRow {
            entry: Entry {
                paper: $paper,
                limits: $limits,
                role: Role::Offline,
                trees: $trees,
                parameters: &[$parameters],
                ..Entry::new($name, $description)
            },
            classification: $classes,
            regression: $numbers,
        }),*];
    };
}
#[cfg(feature = "baselines")]
pub(crate) use table;

const EXTRA_TREES: &str =
    "Geurts, Ernst, Wehenkel: Extremely Randomized Trees, Machine Learning 63, 2006";
const TESSELLATION: &str =
    "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019";

// The last parameter of dynamic trees, `recheck`, has no meaning where rows are neither added nor removed.
table! { FORESTS: 5;
    "batch-dynamic-extra-trees", "the trees of dynamic-extra-trees:recheck=0, built at once", EXTRA_TREES,
        &[], ForestSettings::TREES, DYNAMIC.split_at(DYNAMIC.len() - 1).0, Some(extra_trees), Some(extra_trees);
    "batch-urtf", "cuts of all directions equally likely, chosen among particles by their labels", TESSELLATION,
        &[], ForestSettings::TREES, UNWEIGHTED, Some(forest::<LinearCuts>), None;
    "batch-wurtf", "cuts whose normals are weighted by feature, chosen among particles by their labels", TESSELLATION,
        &[], ForestSettings::TREES, PARAMETERS, Some(forest::<LinearCuts>), None;
    "batch-mrtf", "axis-aligned cuts, chosen among particles by their labels", TESSELLATION,
        &[], ForestSettings::TREES, UNWEIGHTED, Some(forest::<AxisCuts>), None;
    "batch-wmrtf", "axis-aligned cuts of weighted features, chosen among particles by their labels", TESSELLATION,
        &[], ForestSettings::TREES, PARAMETERS, Some(forest::<AxisCuts>), None;
}
forest_core::submit!(&[
    &FORESTS[0].entry,
    &FORESTS[1].entry,
    &FORESTS[2].entry,
    &FORESTS[3].entry,
    &FORESTS[4].entry
]);

/// The batch trees that `dynamic-extra-trees` reproduces online.
fn extra_trees<T: Labels>(values: &mut Values) -> Arc<Fit<T>> {
    let settings = DynamicSettings::of(values);
    Arc::new(move |training, forest| {
        let mut grown: Forest<DynamicTree<T>> =
            Forest::new(training.schema, settings.clone(), forest)?;
        if let Some(fitted) = grown.fit_at_once(training.rows, training.targets, None, &|| true) {
            fitted?;
        }
        let footprint = Some(OnlineLearner::footprint(&grown));
        let trees = grown.trees().len();
        let predict = move |rows: ArrayView2<'_, f32>| OnlineLearner::predict(&grown, rows);
        Ok(Model::new(predict, trees, footprint))
    })
}

const EQUAL: &str = "equal";

const PARAMETERS: &[Parameter] = &forest_core::parameters! {
    "particles": Rule::Count(1), "100", "partitions that compete for a tree";
    "budget": Rule::NUMBER_OR_INFINITY, "inf", "the time up to which cuts are drawn";
    "rates": Rule::Words(&["exact", "ball"]), "exact",
        "rates of cuts: exact, or of a ball around the points, as the paper has them";
    "likelihood": Rule::Words(&["used", "ignored"]), "used",
        "whether labels choose among particles; ignored: the forests `.i` of the paper";
    // Online forests do not see the rows to be predicted.
    "prediction": Rule::Words(&["transductive", "inductive"]), "inductive",
        "transductive: rows to be predicted are cut along with the others, without labels (the paper)";
    "weights": Rule::Or(&Rule::NUMBERS, &[EQUAL]), EQUAL, "weight of each feature, separated by `/`";
};

const UNWEIGHTED: &[Parameter] = PARAMETERS.split_at(PARAMETERS.len() - 1).0;

const RATES: [(&str, Rates); 2] = [("exact", Rates::Exact), ("ball", Rates::BallAsPrinted)];

fn settings(values: &mut Values) -> BatchSettings {
    let mut particles = values.get("particles");
    if values.is("likelihood", "ignored") {
        // A draw from the prior.
        particles = 1;
    }
    let weights = values.knows(WEIGHTS).then(|| values.list(WEIGHTS, EQUAL));
    BatchSettings {
        cuts: CutSettings {
            weights,
            ..CutSettings::default()
        },
        budget: values.get("budget"),
        particles,
        rates: values.one_of("rates", &RATES),
        ..BatchSettings::default()
    }
}

fn forest<D: CutDistribution>(values: &mut Values) -> Arc<Fit<Classification>> {
    let settings = settings(values);
    let is_transductive = values.is("prediction", "transductive");
    Arc::new(move |training, forest| {
        let test_rows = is_transductive.then_some(training.unlabelled);
        if let Some(rows) = test_rows {
            Rows::check(rows, training.rows.ncols())?;
        }
        let samples = batch::Training {
            rows: training.rows,
            targets: training.targets,
            test_rows,
        };
        let grown = BatchForest::<D>::fit(training.schema, samples, &settings, forest, |_| ())?;
        let trees = grown.trees().len();
        let predict = move |rows: ArrayView2<'_, f32>| grown.predict(rows);
        Ok(Model::new(predict, trees, None))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_reach_the_settings_and_defaults_are_those_of_the_forest() {
        let read = |known: &[Parameter], text: &str| {
            settings(&mut Values::read("forest", known, text).unwrap())
        };
        let given = read(PARAMETERS, "weights=1/0.5,rates=ball,budget=3,particles=7");
        assert_eq!(given.cuts, CutSettings::weighted(&[1.0, 0.5]));
        assert_eq!((given.budget, given.rates), (3.0, Rates::BallAsPrinted));
        assert_eq!(given.particles, 7);
        let ignored = read(PARAMETERS, "likelihood=ignored");
        assert_eq!(ignored.particles, 1);
        assert_eq!(read(UNWEIGHTED, ""), BatchSettings::default());
    }

    #[test]
    fn every_parameter_is_read() {
        for row in offline_rows() {
            let mut values = Values::defaults(row.entry.parameters[0]);
            row.classification.map(|make| make(&mut values));
            row.regression.map(|make| make(&mut values));
            assert_eq!(values.unread(), None, "{}", row.entry.name);
        }
    }
}
