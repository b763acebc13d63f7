//! Both forests by name, where dimensions are features.

use registry::parameters::{Field, Parameter, Rule, Words, field};
use registry::{
    Configuration, Entry, ForestPlan, MAX_NODES, NamedTask, NamedTree, Role, UNLIMITED, VOTE,
    VOTES, learner,
};

use crate::{
    FringeLimit, Labels, SaffariClassifier, SaffariRegressor, SaffariSettings, SaffariTree,
    StreamChoice, StreamClassifier, StreamRegressor, StreamSettings, StreamTree,
};

/// `stream-rf`: the stream-partitioned forest.
pub static STREAM_RF: Entry = Entry {
    name: "stream-rf",
    description: "splits by gain on one part of the stream, votes from the other: consistent",
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    limits: &[],
    role: Role::Forest,
    classification: Some(learner::<StreamClassifier>()),
    regression: Some(learner::<StreamRegressor>()),
};

/// `saffari`: the online forest that its paper compares with.
pub static SAFFARI: Entry = Entry {
    name: "saffari",
    description: "online bagging, random tests, splits by gain once a leaf has enough points",
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    limits: &[],
    role: Role::Forest,
    classification: Some(learner::<SaffariClassifier>()),
    regression: Some(learner::<SaffariRegressor>()),
};

impl<T: Labels + NamedTask> NamedTree for StreamTree<T> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const {
            &[Configuration {
                entry: &STREAM_RF,
                default: |_| ForestPlan::new(StreamSettings::default()),
                includes: |_| true,
                fields: &[Self::FIELDS, Self::VOTE],
            }]
        }
    }
}

impl<T: Labels + NamedTask> NamedTree for SaffariTree<T> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const {
            &[Configuration {
                entry: &SAFFARI,
                default: |_| ForestPlan::new(SaffariSettings::default()),
                includes: |_| true,
                fields: &[Self::FIELDS, Self::VOTE],
            }]
        }
    }
}

impl<T: Labels + NamedTask> StreamTree<T> {
    const FIELDS: &'static [Field<ForestPlan<Self>>] = &[
        field!(
            Parameter::new("lambda", Rule::Number, "20",
                "expected number of candidate dimensions beyond the first (λ)"),
            plan => plan.trees.lambda
        ),
        field!(
            Parameter::new("m", Rule::Count(1), "5",
                "candidate splits in each of them, 255 at most (m)"),
            plan => plan.trees.m
        ),
        field!(
            Parameter::new("tau", Rule::Number, "0.3",
                "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits"),
            plan => plan.trees.tau
        ),
        field!(
            Parameter::new("alpha", Rule::Number, "1",
                "estimation points that each side of a split needs at the root"),
            plan => plan.trees.alpha.scale
        ),
        field!(
            Parameter::new("alpha_base", Rule::Number, "1.05",
                "what alpha grows by from one level to the next"),
            plan => plan.trees.alpha.base
        ),
        field!(
            Parameter::new("beta", Rule::Number, "100",
                "estimation points from which the root must be split"),
            plan => plan.trees.beta.scale
        ),
        field!(
            Parameter::new("beta_base", Rule::Number, "1.05",
                "what beta grows by from one level to the next"),
            plan => plan.trees.beta.base
        ),
        field!(
            Parameter::new("structure", Rule::Number, "0.5",
                "probability that a point shapes the partition"),
            plan => plan.trees.streams.structure
        ),
        field!(
            Parameter::new("estimation", Rule::Number, "0.5",
                "probability that a point votes; the rest is ignored"),
            plan => plan.trees.streams.estimation
        ),
        field!(
            Parameter::new("stream_choice", Rule::Words(&STREAM_CHOICES.names()), "per-arrival",
                "what a stream is drawn for; per-row: equal rows share it, in every pass"),
            plan => plan.trees.streams.choice, STREAM_CHOICES
        ),
        field!(
            Parameter::new("fringe", Rule::CountOr(1, UNLIMITED), UNLIMITED,
                "leaves of a tree that may be active at a time (F)"),
            plan => plan.trees.fringe, UNLIMITED => FringeLimit::Unlimited, FringeLimit::AtMost
        ),
        field!(MAX_NODES, plan => plan.trees.max_nodes, UNLIMITED => None, Some),
    ];

    const VOTE: &'static [Field<ForestPlan<Self>>] = if T::HAS_VOTE {
        &[field!(VOTE, plan => plan.trees.vote, VOTES)]
    } else {
        &[]
    };
}

impl<T: Labels + NamedTask> SaffariTree<T> {
    const FIELDS: &'static [Field<ForestPlan<Self>>] = &[
        field!(
            Parameter::new("tests", Rule::Count(1), "10",
                "features that a leaf draws for its tests"),
            plan => plan.trees.tests
        ),
        field!(
            Parameter::new("m", Rule::Count(1), "10", "thresholds for each of them, 255 at most"),
            plan => plan.trees.m
        ),
        field!(
            Parameter::new("min_samples", Rule::Count(0), "50",
                "points that a leaf needs before it may be split"),
            plan => plan.trees.min_samples
        ),
        field!(
            Parameter::new("min_gain", Rule::Number, "0.1",
                "gain that a split must exceed; for classes in bits"),
            plan => plan.trees.min_gain
        ),
        field!(
            Parameter::new("max_depth", Rule::Count(0), "50",
                "depth at which leaves are split no more"),
            plan => plan.trees.max_depth
        ),
        field!(MAX_NODES, plan => plan.trees.max_nodes, UNLIMITED => None, Some),
    ];

    const VOTE: &'static [Field<ForestPlan<Self>>] = if T::HAS_VOTE {
        &[field!(VOTE, plan => plan.trees.vote, VOTES)]
    } else {
        &[]
    };
}

const STREAM_CHOICES: Words<StreamChoice, 2> = Words([
    ("per-arrival", StreamChoice::PerArrival),
    ("per-row", StreamChoice::PerRow),
]);
