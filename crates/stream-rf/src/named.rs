//! Both forests by name, where dimensions are features.

use std::marker::PhantomData;

use forest_core::{Classification, Forest, Regression};
use registry::parameters::{Field, Parameter, Rule, Words, parsed};
use registry::{
    Capabilities, Configuration, Entry, ForestPlan, NamedTree, Role, VOTE, VOTES, learner,
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
    role: Role::Forest,
    classification: Some(learner::<StreamClassifier>()),
    regression: Some(learner::<StreamRegressor>()),
};

/// `saffari`: the online forest that its paper compares with.
pub static SAFFARI: Entry = Entry {
    name: "saffari",
    description: "online bagging, random tests, splits by gain once a leaf has enough points",
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    role: Role::Forest,
    classification: Some(learner::<SaffariClassifier>()),
    regression: Some(learner::<SaffariRegressor>()),
};

impl NamedTree for StreamTree<Classification> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const {
            &[StreamFields::configuration(&[
                StreamFields::ALL,
                &[StreamFields::VOTE],
            ])]
        }
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        Capabilities {
            hard_vote: Some(forest),
            ..Capabilities::default()
        }
    }
}

impl NamedTree for StreamTree<Regression> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const { &[StreamFields::configuration(&[StreamFields::ALL])] }
    }
}

impl NamedTree for SaffariTree<Classification> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const {
            &[SaffariFields::configuration(&[
                SaffariFields::ALL,
                &[SaffariFields::VOTE],
            ])]
        }
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        Capabilities {
            hard_vote: Some(forest),
            ..Capabilities::default()
        }
    }
}

impl NamedTree for SaffariTree<Regression> {
    fn configurations() -> &'static [Configuration<ForestPlan<Self>>] {
        const { &[SaffariFields::configuration(&[SaffariFields::ALL])] }
    }
}

type StreamField<T> = Field<ForestPlan<StreamTree<T>>>;

struct StreamFields<T>(PhantomData<T>);

impl<T: Labels> StreamFields<T> {
    const fn configuration(
        fields: &'static [&'static [StreamField<T>]],
    ) -> Configuration<ForestPlan<StreamTree<T>>> {
        Configuration {
            entry: &STREAM_RF,
            default: |_| ForestPlan::new(StreamSettings::default()),
            includes: |_| true,
            fields,
        }
    }

    const ALL: &'static [StreamField<T>] = &[
        Field {
            parameter: number(
                "lambda",
                "20",
                "expected number of candidate dimensions beyond the first (λ)",
            ),
            get: |plan| plan.trees.lambda.to_string(),
            set: |plan, text| plan.trees.lambda = parsed(text),
        },
        Field {
            parameter: count(
                "m",
                "5",
                1,
                "candidate splits in each of them, 255 at most (m)",
            ),
            get: |plan| plan.trees.m.to_string(),
            set: |plan, text| plan.trees.m = parsed(text),
        },
        Field {
            parameter: number(
                "tau",
                "0.3",
                "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits",
            ),
            get: |plan| plan.trees.tau.to_string(),
            set: |plan, text| plan.trees.tau = parsed(text),
        },
        Field {
            parameter: number(
                "alpha",
                "1",
                "estimation points that each side of a split needs at the root",
            ),
            get: |plan| plan.trees.alpha.scale.to_string(),
            set: |plan, text| plan.trees.alpha.scale = parsed(text),
        },
        Field {
            parameter: number(
                "alpha_base",
                "1.05",
                "what alpha grows by from one level to the next",
            ),
            get: |plan| plan.trees.alpha.base.to_string(),
            set: |plan, text| plan.trees.alpha.base = parsed(text),
        },
        Field {
            parameter: number(
                "beta",
                "100",
                "estimation points from which the root must be split",
            ),
            get: |plan| plan.trees.beta.scale.to_string(),
            set: |plan, text| plan.trees.beta.scale = parsed(text),
        },
        Field {
            parameter: number(
                "beta_base",
                "1.05",
                "what beta grows by from one level to the next",
            ),
            get: |plan| plan.trees.beta.base.to_string(),
            set: |plan, text| plan.trees.beta.base = parsed(text),
        },
        Field {
            parameter: number(
                "structure",
                "0.5",
                "probability that a point shapes the partition",
            ),
            get: |plan| plan.trees.streams.structure.to_string(),
            set: |plan, text| plan.trees.streams.structure = parsed(text),
        },
        Field {
            parameter: number(
                "estimation",
                "0.5",
                "probability that a point votes; the rest is ignored",
            ),
            get: |plan| plan.trees.streams.estimation.to_string(),
            set: |plan, text| plan.trees.streams.estimation = parsed(text),
        },
        Field {
            parameter: Parameter {
                name: "stream_choice",
                default: "per-arrival",
                meaning: "what a stream is drawn for; per-row: equal rows share it, in every pass",
                rule: Rule::Words(&STREAM_CHOICES.names()),
            },
            get: |plan| STREAM_CHOICES.word(&plan.trees.streams.choice),
            set: |plan, text| plan.trees.streams.choice = STREAM_CHOICES.value(text),
        },
        Field {
            parameter: Parameter {
                name: "fringe",
                default: UNLIMITED,
                meaning: "leaves of a tree that may be active at a time (F)",
                rule: Rule::CountOr(1, UNLIMITED),
            },
            get: |plan| match plan.trees.fringe {
                FringeLimit::Unlimited => UNLIMITED.to_owned(),
                FringeLimit::AtMost(leaves) => leaves.to_string(),
            },
            set: |plan, text| {
                plan.trees.fringe = match text {
                    UNLIMITED => FringeLimit::Unlimited,
                    leaves => FringeLimit::AtMost(parsed(leaves)),
                }
            },
        },
    ];

    const VOTE: StreamField<T> = Field {
        parameter: VOTE,
        get: |plan| VOTES.word(&plan.trees.vote),
        set: |plan, text| plan.trees.vote = VOTES.value(text),
    };
}

type SaffariField<T> = Field<ForestPlan<SaffariTree<T>>>;

struct SaffariFields<T>(PhantomData<T>);

impl<T: Labels> SaffariFields<T> {
    const fn configuration(
        fields: &'static [&'static [SaffariField<T>]],
    ) -> Configuration<ForestPlan<SaffariTree<T>>> {
        Configuration {
            entry: &SAFFARI,
            default: |_| ForestPlan::new(SaffariSettings::default()),
            includes: |_| true,
            fields,
        }
    }

    const ALL: &'static [SaffariField<T>] = &[
        Field {
            parameter: count("tests", "10", 1, "features that a leaf draws for its tests"),
            get: |plan| plan.trees.tests.to_string(),
            set: |plan, text| plan.trees.tests = parsed(text),
        },
        Field {
            parameter: count("m", "10", 1, "thresholds for each of them, 255 at most"),
            get: |plan| plan.trees.m.to_string(),
            set: |plan, text| plan.trees.m = parsed(text),
        },
        Field {
            parameter: count(
                "min_samples",
                "50",
                0,
                "points that a leaf needs before it may be split",
            ),
            get: |plan| plan.trees.min_samples.to_string(),
            set: |plan, text| plan.trees.min_samples = parsed(text),
        },
        Field {
            parameter: number(
                "min_gain",
                "0.1",
                "gain that a split must exceed; for classes in bits",
            ),
            get: |plan| plan.trees.min_gain.to_string(),
            set: |plan, text| plan.trees.min_gain = parsed(text),
        },
        Field {
            parameter: count(
                "max_depth",
                "50",
                0,
                "depth at which leaves are split no more",
            ),
            get: |plan| plan.trees.max_depth.to_string(),
            set: |plan, text| plan.trees.max_depth = parsed(text),
        },
    ];

    const VOTE: SaffariField<T> = Field {
        parameter: VOTE,
        get: |plan| VOTES.word(&plan.trees.vote),
        set: |plan, text| plan.trees.vote = VOTES.value(text),
    };
}

const UNLIMITED: &str = "unlimited";

const STREAM_CHOICES: Words<StreamChoice, 2> = Words([
    ("per-arrival", StreamChoice::PerArrival),
    ("per-row", StreamChoice::PerRow),
]);

const fn number(name: &'static str, default: &'static str, meaning: &'static str) -> Parameter {
    let rule = Rule::Number;
    Parameter {
        name,
        default,
        meaning,
        rule,
    }
}

const fn count(
    name: &'static str,
    default: &'static str,
    least: u32,
    meaning: &'static str,
) -> Parameter {
    let rule = Rule::Count(least);
    Parameter {
        name,
        default,
        meaning,
        rule,
    }
}
