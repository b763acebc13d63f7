//! Every algorithm, in more than one setting, and small learners of each.
#![allow(dead_code, reason = "each test file uses its part")]

pub(crate) mod bytes;
pub(crate) mod checks;

use forest_testing::conformance::{ConformanceTask, Stream};
use online_forests::{Algorithm, AnyLearner, ForestSettings, OnlineLearner, Schema, Task};

/// Settings beyond the defaults; one per behaviour that differs.
pub(crate) const SETTINGS: &[&str] = &[
    "mondrian:budget=2",
    "mondrian:budget=5,min_points=3,pause=pure",
    "mondrian:pause=never",
    "mondrian:budget=5,update=redraw",
    "mondrian:pause=pure,update=new-point-only",
    "amf:update=new-point-only",
    "mondrian-increasing:budget_scale=2,pause=pure",
    "mondrian-increasing:min_points=3,update=redraw",
    "mondrian:vote=majority",
    "obsp:budget_scale=4,rate=1",
    "obsp:budget=3,min_points=1,pause=pure",
    "obsp:budget=3,update=redraw",
    "obsp:budget=3,min_points=1,pause=pure,update=new-point-only",
    "obsp-redraw:vote=frequencies",
    "mondrian:window=40,pause=pure",
    "mondrian:pause=never,max_nodes=201",
    "mondrian-increasing:max_nodes=150",
    "obsp:max_nodes=100,min_points=1",
    "urtf:max_nodes=200",
    "amf:pause=never,max_nodes=201",
    "urtf:labels=aggregated,max_nodes=151",
    "mondrian-2014:discount=2,branch_counts=customers,window=40",
    "mondrian-2014:budget=3,vote=majority",
    "mondrian-2014:max_nodes=201",
    "mondrian-2016:max_nodes=201",
    "mondrian-2016:hyperparameters=paper,min_points=9",
    "mondrian-2016:budget=5,window=40",
    "mondrian-increasing:labels=hierarchical",
    "obsp:window=25",
    "urtf:budget=9,min_points=3,pause=pure",
    "wurtf:window=30",
    "wmrtf:window=30",
    "urtf:budget=increasing,budget_scale=4,pause=pure",
    "amf:step=0.5,pause=never",
    "amf:budget=5,min_points=3,dirichlet=0.2,vote=majority",
    "obsp:labels=aggregated,budget_scale=4",
    "mondrian-increasing:labels=aggregated,pause=pure",
    "dynamic-extra-trees:recheck=0",
    "dynamic-extra-trees:recheck=0,max_features=1,min_samples_split=6,window=40",
    "dynamic-extra-trees:recheck=0.1,max_features=2,min_samples_split=4",
    "dynamic-extra-trees:recheck=1,window=25",
    "dynamic-extra-trees:recheck=0,min_samples_leaf=3,thresholds=2",
    "residual-forest:recheck=0.1",
    "residual-forest:max_features=1,recheck=0,window=30",
    "residual-forest:max_features=1,window=30",
    "boundary-forest:max_children=2",
    "boundary-forest:max_children=unlimited,epsilon=0.25",
    "boundary-forest:max_children=unlimited",
    "boundary-forest:max_nodes=12",
    "stream-rf:beta=10,max_nodes=9",
    "saffari:min_samples=5,min_gain=0,max_nodes=9",
    "boundary-forest:max_children=unlimited,epsilon=0.1",
    "boundary-forest:metric=squared-euclidean",
    "boundary-forest:metric=manhattan",
    "boundary-forest:max_children=3,metric=cosine",
    "stream-rf:lambda=1,m=10,tau=0.001,alpha=1,alpha_base=1.1,beta=1000,beta_base=1.1",
    "stream-rf:fringe=3,structure=0.3",
    "stream-rf:fringe=1,tau=2,beta=8,vote=majority",
    "saffari:tests=2,m=1,min_samples=2,min_gain=0,vote=majority",
    "saffari:min_samples=5,max_depth=2",
    "adaptive:members=mondrian@20@minmax+mondrian@all@minmax@labels",
    "adaptive:members=amf:step=0.5@30@quantile+boundary-forest@25@none@labels,eta=3",
    "conformal:base=amf,scores=30",
    "conformal:base=boundary-forest,scores=20",
    "adaptive:members=obsp@40@none+stream-rf@40@none,discount=1",
];

/// Returns every algorithm that does task `T`, with its defaults and in other settings.
pub(crate) fn every<T: Task>() -> Vec<Algorithm> {
    let defaults = Algorithm::all();
    let others = SETTINGS.iter().map(|text| text.parse().unwrap());
    let all = defaults.chain(others);
    all.filter(Algorithm::supports::<T>).collect()
}

/// Returns three trees after `rows` samples in two dimensions.
pub(crate) fn learned<T: ConformanceTask>(algorithm: &Algorithm, rows: usize) -> AnyLearner<T> {
    let schema = Schema::new(2).unwrap();
    let forest = ForestSettings::default().with_trees(3).with_seed(11);
    let mut learner = algorithm.build::<T>(schema, forest).unwrap();
    let stream = Stream::<T>::uniform(rows, 2, 12);
    stream.teach(&mut learner, 0, rows).unwrap();
    learner
}

/// Returns Friedman's function of the first five features.
pub(crate) fn friedman(x: ndarray::ArrayView1<'_, f32>) -> f64 {
    let [a, b, c, d, e] = std::array::from_fn(|feature| f64::from(x[feature]));
    let bent = 10.0 * (std::f64::consts::PI * a * b).sin() + 20.0 * (c - 0.5).powi(2);
    bent + 10.0 * d + 5.0 * e
}

/// Returns predictions at fixed points, as bits; of any learner, whatever its number of features.
pub(crate) fn prediction_bits<T: ConformanceTask>(
    learner: &impl OnlineLearner<Task = T>,
) -> Vec<u64> {
    let queries = Stream::<T>::uniform(20, learner.schema().features(), 13);
    let predictions = learner.predict(queries.features.view()).unwrap();
    predictions.iter().map(|value| value.to_bits()).collect()
}
