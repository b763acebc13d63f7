//! Both forests by name, where dimensions are features.

use forest_core::{Classification, Regression};
use registry::parameters::{Field, Parameter, Rule, Words, field};
use registry::{
    Declared, Entry, Kind, MAX_NODES, NamedTask, NamedTree, Role, UNLIMITED, VOTE, VOTES, learner,
};

use crate::{
    FringeLimit, Labels, SaffariClassifier, SaffariRegressor, SaffariSettings, SaffariTree,
    StreamChoice, StreamClassifier, StreamRegressor, StreamSettings, StreamTree,
};

/// The algorithms of this crate, as rows of the table.
pub const ALGORITHMS: &[&Entry] = &[STREAM_RF, SAFFARI];

// Constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes learners is a
// function without type parameters, which is compiled in this crate, and once.

/// `stream-rf`: the stream-partitioned forest.
pub const STREAM_RF: &Entry = &Entry {
    name: "stream-rf",
    description: "splits by gain on one part of the stream, votes from the other: consistent",
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[],
    role: Role::Forest,
    aliases: &[],
    classification: Some(stream_classifiers),
    regression: Some(stream_regressors),
};

/// `saffari`: the online forest that its paper compares with.
pub const SAFFARI: &Entry = &Entry {
    name: "saffari",
    description: "online bagging, random tests, splits by gain once a leaf has enough points",
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[],
    role: Role::Forest,
    aliases: &[],
    classification: Some(saffari_classifiers),
    regression: Some(saffari_regressors),
};

fn stream_classifiers() -> Vec<Kind<Classification>> {
    learner::<StreamClassifier>()
}

fn stream_regressors() -> Vec<Kind<Regression>> {
    learner::<StreamRegressor>()
}

fn saffari_classifiers() -> Vec<Kind<Classification>> {
    learner::<SaffariClassifier>()
}

fn saffari_regressors() -> Vec<Kind<Regression>> {
    learner::<SaffariRegressor>()
}

impl<T: Labels + NamedTask> NamedTree for StreamTree<T> {
    fn rows() -> &'static [&'static Entry] {
        &[STREAM_RF]
    }
}

impl<T: Labels + NamedTask> NamedTree for SaffariTree<T> {
    fn rows() -> &'static [&'static Entry] {
        &[SAFFARI]
    }
}

impl Declared for StreamSettings {
    const FIELDS: &'static [Field<Self>] = &[
        field!(
            Parameter::new("lambda", Rule::Number, "20",
                "expected number of candidate dimensions beyond the first (λ)"),
            settings => settings.lambda
        ),
        field!(
            Parameter::new("m", Rule::Count(1), "5",
                "candidate splits in each of them, 255 at most (m)"),
            settings => settings.m
        ),
        field!(
            Parameter::new("tau", Rule::Number, "0.3",
                "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits"),
            settings => settings.tau
        ),
        field!(
            Parameter::new("alpha", Rule::Number, "1",
                "estimation points that each side of a split needs at the root"),
            settings => settings.alpha.scale
        ),
        field!(
            Parameter::new("alpha_base", Rule::Number, "1.05",
                "what alpha grows by from one level to the next"),
            settings => settings.alpha.base
        ),
        field!(
            Parameter::new("beta", Rule::Number, "100",
                "estimation points from which the root must be split"),
            settings => settings.beta.scale
        ),
        field!(
            Parameter::new("beta_base", Rule::Number, "1.05",
                "what beta grows by from one level to the next"),
            settings => settings.beta.base
        ),
        field!(
            Parameter::new("structure", Rule::Number, "0.5",
                "probability that a point shapes the partition"),
            settings => settings.streams.structure
        ),
        field!(
            Parameter::new("estimation", Rule::Number, "0.5",
                "probability that a point votes; the rest is ignored"),
            settings => settings.streams.estimation
        ),
        field!(
            Parameter::new("stream_choice", Rule::Words(&STREAM_CHOICES.names()), "per-arrival",
                "what a stream is drawn for; per-row: equal rows share it, in every pass"),
            settings => settings.streams.choice, STREAM_CHOICES
        ),
        field!(
            Parameter::new("fringe", Rule::CountOr(1, UNLIMITED), UNLIMITED,
                "leaves of a tree that may be active at a time (F)"),
            settings => settings.fringe, UNLIMITED => FringeLimit::Unlimited, FringeLimit::AtMost
        ),
        field!(MAX_NODES, settings => settings.max_nodes, UNLIMITED => None, Some),
        field!(VOTE, settings => settings.vote, VOTES),
    ];
}

impl Declared for SaffariSettings {
    const FIELDS: &'static [Field<Self>] = &[
        field!(
            Parameter::new("tests", Rule::Count(1), "10",
                "features that a leaf draws for its tests"),
            settings => settings.tests
        ),
        field!(
            Parameter::new("m", Rule::Count(1), "10", "thresholds for each of them, 255 at most"),
            settings => settings.m
        ),
        field!(
            Parameter::new("min_samples", Rule::Count(0), "50",
                "points that a leaf needs before it may be split"),
            settings => settings.min_samples
        ),
        field!(
            Parameter::new("min_gain", Rule::Number, "0.1",
                "gain that a split must exceed; for classes in bits"),
            settings => settings.min_gain
        ),
        field!(
            Parameter::new("max_depth", Rule::Count(0), "50",
                "depth at which leaves are split no more"),
            settings => settings.max_depth
        ),
        field!(MAX_NODES, settings => settings.max_nodes, UNLIMITED => None, Some),
        field!(VOTE, settings => settings.vote, VOTES),
    ];
}

const STREAM_CHOICES: Words<StreamChoice, 2> = Words([
    ("per-arrival", StreamChoice::PerArrival),
    ("per-row", StreamChoice::PerRow),
]);
