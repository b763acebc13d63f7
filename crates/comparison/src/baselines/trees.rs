//! Decision trees and random forests.

use forest_core::parameters::{Parameter, Rule, Values};
use forest_core::{Classification, ForestSettings, Regression, TreeRng, threads};
use smartcore::ensemble::random_forest_classifier::{
    RandomForestClassifier, RandomForestClassifierParameters,
};
use smartcore::ensemble::random_forest_regressor::{
    RandomForestRegressor, RandomForestRegressorParameters,
};
use smartcore::error::Failed;
use smartcore::tree::decision_tree_classifier::{
    DecisionTreeClassifier, DecisionTreeClassifierParameters,
};
use smartcore::tree::decision_tree_regressor::{
    DecisionTreeRegressor, DecisionTreeRegressorParameters,
};

use super::failed;
use super::matrix::{Matrix, Model, Predictor, matrix};
use crate::{BatchLearner, BatchTask, FitError, Fitted, OfflineRow, Training};

pub(super) static RANDOM_FOREST: OfflineRow = OfflineRow {
    name: "random-forest",
    description: "trees on bootstrap samples, each split the best of some random features",
    paper: "Breiman: Random Forests, Machine Learning 45, 2001",
    limits: &[],
    parameters: FOREST,
    has_trees: true,
    classification: Some(|v| Box::new(RandomForest::of(v))),
    regression: Some(|v| Box::new(RandomForest::of(v))),
};

pub(super) static DECISION_TREE: OfflineRow = OfflineRow {
    name: "decision-tree",
    description: "one tree, each split the best of all",
    paper: "Breiman, Friedman, Olshen, Stone: Classification and Regression Trees, 1984",
    limits: &[],
    parameters: &TREE,
    has_trees: false,
    classification: Some(|v| Box::new(DecisionTree::of(v))),
    regression: Some(|v| Box::new(DecisionTree::of(v))),
};

const UNLIMITED: &str = "unlimited";
const ROOT: &str = "root";

/// One tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DecisionTree {
    depth: Option<u32>,
    min_leaf: usize,
}

const TREE: [Parameter; 2] = forest_core::parameters! {
    "depth": Rule::Or(&Rule::Count(1), &[UNLIMITED]), UNLIMITED, "the most levels of splits";
    "min_leaf": Rule::Count(1), "1", "the fewest samples of a leaf";
};

/// Trees on bootstrap samples.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RandomForest {
    features: Option<usize>,
    tree: DecisionTree,
}

const FOREST: &[Parameter] = &[
    Parameter::new(
        "features",
        Rule::Or(&Rule::Count(1), &[ROOT]),
        ROOT,
        "features that a split chooses from: their square root, rounded down, by default",
    ),
    TREE[0],
    TREE[1],
];

/// What a tree predicts for rows.
type Predict<V> = Box<dyn Fn(&Matrix) -> Result<Vec<V>, Failed> + Send + Sync>;

/// Trees whose predictions are averaged.
struct Trees<T: BatchTask>(Vec<Predict<T::Target>>);

impl<T: BatchTask> Model for Trees<T> {
    fn predict_into(&self, rows: &Matrix, table: &mut [f64], width: usize) {
        let share = 1.0 / self.0.len() as f64;
        for tree in &self.0 {
            let targets = tree(rows).expect("the tree has been grown");
            for (prediction, target) in table.chunks_exact_mut(width).zip(targets) {
                T::add(target, share, prediction);
            }
        }
    }

    fn trees(&self) -> usize {
        self.0.len()
    }
}

impl DecisionTree {
    fn of(v: &mut Values) -> Self {
        let (depth, min_leaf) = (v.unless("depth", UNLIMITED), v.get("min_leaf"));
        Self { depth, min_leaf }
    }

    fn max_depth(&self) -> Option<u16> {
        self.depth.and_then(|depth| depth.try_into().ok())
    }
}

impl RandomForest {
    fn of(v: &mut Values) -> Self {
        let (features, tree) = (v.unless("features", ROOT), DecisionTree::of(v));
        Self { features, tree }
    }

    fn features(&self, all: usize) -> usize {
        self.features
            .unwrap_or((all as f64).sqrt() as usize)
            .min(all)
    }
}

/// Grows trees in parallel, each with its own seed.
fn grow<T: BatchTask>(
    training: &Training<'_, T>,
    settings: ForestSettings,
    one: impl Fn(u64) -> Result<Predict<T::Target>, Failed> + Sync,
) -> Result<Box<dyn Fitted>, FitError> {
    ForestSettings::check_trees(settings.trees)?;
    let mut forest: Vec<_> = (0..settings.trees).map(|tree| (tree, None)).collect();
    threads::each(&mut forest, usize::MAX, |(tree, grown)| {
        *grown = Some(one(TreeRng::new(settings.seed, *tree).bits()));
    });
    let grown = forest.into_iter().filter_map(|(_, grown)| grown);
    let trees = grown.collect::<Result<_, _>>().map_err(failed)?;
    Ok(Predictor::boxed(training, Trees::<T>(trees)))
}

impl BatchLearner<Classification> for RandomForest {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let (x, y) = (matrix(training.rows), training.targets.to_vec());
        let parameters = RandomForestClassifierParameters {
            n_trees: 1,
            m: Some(self.features(training.schema.features())),
            max_depth: self.tree.max_depth(),
            min_samples_leaf: self.tree.min_leaf,
            ..RandomForestClassifierParameters::default()
        };
        grow(training, settings, |seed| {
            let tree = RandomForestClassifier::fit(&x, &y, parameters.clone().with_seed(seed))?;
            Ok(Box::new(move |rows: &Matrix| tree.predict(rows)))
        })
    }
}

impl BatchLearner<Regression> for RandomForest {
    fn fit(
        &self,
        training: &Training<'_, Regression>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let (x, y) = (matrix(training.rows), training.targets.to_vec());
        let parameters = RandomForestRegressorParameters {
            n_trees: 1,
            m: Some(self.features(training.schema.features())),
            max_depth: self.tree.max_depth(),
            min_samples_leaf: self.tree.min_leaf,
            ..RandomForestRegressorParameters::default()
        };
        grow(training, settings, |seed| {
            let tree = RandomForestRegressor::fit(&x, &y, parameters.clone().with_seed(seed))?;
            Ok(Box::new(move |rows: &Matrix| tree.predict(rows)))
        })
    }
}

impl BatchLearner<Classification> for DecisionTree {
    fn fit(
        &self,
        training: &Training<'_, Classification>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        training.two_classes()?;
        let parameters = DecisionTreeClassifierParameters {
            max_depth: self.max_depth(),
            min_samples_leaf: self.min_leaf,
            seed: Some(settings.seed),
            ..DecisionTreeClassifierParameters::default()
        };
        let (x, y) = (matrix(training.rows), training.targets.to_vec());
        let tree = DecisionTreeClassifier::fit(&x, &y, parameters).map_err(failed)?;
        let tree: Predict<u32> = Box::new(move |rows| tree.predict(rows));
        Ok(Predictor::boxed(
            training,
            Trees::<Classification>(vec![tree]),
        ))
    }
}

impl BatchLearner<Regression> for DecisionTree {
    fn fit(
        &self,
        training: &Training<'_, Regression>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let parameters = DecisionTreeRegressorParameters {
            max_depth: self.max_depth(),
            min_samples_leaf: self.min_leaf,
            seed: Some(settings.seed),
            ..DecisionTreeRegressorParameters::default()
        };
        let (x, y) = (matrix(training.rows), training.targets.to_vec());
        let tree = DecisionTreeRegressor::fit(&x, &y, parameters).map_err(failed)?;
        let tree: Predict<f64> = Box::new(move |rows| tree.predict(rows));
        Ok(Predictor::boxed(training, Trees::<Regression>(vec![tree])))
    }
}
