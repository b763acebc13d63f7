//! The stream-partitioned forest, and the online forest that its paper compares with.

use forest_core::Task;
use stream_rf::{
    Axes, FringeLimit, Growth, Labels, SaffariSettings, SaffariTree, StreamChoice, StreamSettings,
    StreamTree, Streams, Vote,
};

use crate::configuration::{Configuration, Role, parsed};
use crate::named::NamedTree;
use crate::parameter::{Parameter, Rule, Tasks};
use crate::{Algorithm, AnyClassifier, AnyRegressor};

use super::tessellation::VOTE;

const UNLIMITED: &str = "unlimited";
const PER_ARRIVAL: &str = "per-arrival";
const PER_ROW: &str = "per-row";

pub(crate) static STREAM_RF: Configuration = Configuration {
    name: "stream-rf",
    description: "splits by gain on one part of the stream, votes from the other: consistent",
    paper: "Denil, Matheson, de Freitas: Consistency of Online Random Forests, ICML 2013",
    role: Role::Forest,
    parameters: &[
        number(
            "lambda",
            "20",
            "expected number of candidate dimensions beyond the first (λ)",
        ),
        count(
            "m",
            "5",
            1,
            "candidate splits in each of them, 255 at most (m)",
        ),
        number(
            "tau",
            "0.3",
            "gain that a split must exceed, unless its leaf must be split (τ); for classes in bits",
        ),
        number(
            "alpha",
            "1",
            "estimation points that each side of a split needs at the root",
        ),
        number(
            "alpha_base",
            "1.05",
            "what alpha grows by from one level to the next",
        ),
        number(
            "beta",
            "100",
            "estimation points from which the root must be split",
        ),
        number(
            "beta_base",
            "1.05",
            "what beta grows by from one level to the next",
        ),
        number(
            "structure",
            "0.5",
            "probability that a point shapes the partition",
        ),
        number(
            "estimation",
            "0.5",
            "probability that a point votes; the rest is ignored",
        ),
        Parameter {
            name: "stream_choice",
            default: PER_ARRIVAL,
            meaning: "what a stream is drawn for; per-row: equal rows share it, in every pass",
            rule: Rule::Words(&[PER_ARRIVAL, PER_ROW]),
            tasks: Tasks::Both,
        },
        Parameter {
            name: "fringe",
            default: UNLIMITED,
            meaning: "leaves of a tree that may be active at a time (F)",
            rule: Rule::CountOr(1, UNLIMITED),
            tasks: Tasks::Both,
        },
        VOTE,
    ],
    classification: Some(|algorithm, context| {
        context
            .forest(stream_settings(algorithm))
            .map(AnyClassifier::StreamRf)
    }),
    regression: Some(|algorithm, context| {
        context
            .forest(stream_settings(algorithm))
            .map(AnyRegressor::StreamRf)
    }),
};

pub(crate) static SAFFARI: Configuration = Configuration {
    name: "saffari",
    description: "online bagging, random tests, splits by gain once a leaf has enough points",
    paper: "Saffari, Leistner, Santner, Godec, Bischof: On-line Random Forests, ICCV workshops 2009",
    role: Role::Forest,
    parameters: &[
        count("tests", "10", 1, "features that a leaf draws for its tests"),
        count("m", "10", 1, "thresholds for each of them, 255 at most"),
        count(
            "min_samples",
            "50",
            0,
            "points that a leaf needs before it may be split",
        ),
        number(
            "min_gain",
            "0.1",
            "gain that a split must exceed; for classes in bits",
        ),
        count(
            "max_depth",
            "50",
            0,
            "depth at which leaves are split no more",
        ),
        VOTE,
    ],
    classification: Some(|algorithm, context| {
        context
            .forest(saffari_settings(algorithm))
            .map(AnyClassifier::Saffari)
    }),
    regression: Some(|algorithm, context| {
        context
            .forest(saffari_settings(algorithm))
            .map(AnyRegressor::Saffari)
    }),
};

const fn number(name: &'static str, default: &'static str, meaning: &'static str) -> Parameter {
    let (rule, tasks) = (Rule::Number, Tasks::Both);
    Parameter {
        name,
        default,
        meaning,
        rule,
        tasks,
    }
}

const fn count(
    name: &'static str,
    default: &'static str,
    least: u32,
    meaning: &'static str,
) -> Parameter {
    let (rule, tasks) = (Rule::Count(least), Tasks::Both);
    Parameter {
        name,
        default,
        meaning,
        rule,
        tasks,
    }
}

fn stream_settings(algorithm: &Algorithm) -> StreamSettings {
    let default = StreamSettings::<Axes>::default();
    StreamSettings {
        lambda: algorithm.value("lambda", default.lambda),
        m: algorithm.value("m", default.m),
        tau: algorithm.value("tau", default.tau),
        alpha: growth(algorithm, ["alpha", "alpha_base"], default.alpha),
        beta: growth(algorithm, ["beta", "beta_base"], default.beta),
        streams: Streams {
            structure: algorithm.value("structure", default.streams.structure),
            estimation: algorithm.value("estimation", default.streams.estimation),
            choice: algorithm
                .text("stream_choice")
                .map_or(default.streams.choice, stream_choice),
        },
        fringe: algorithm.text("fringe").map_or(default.fringe, fringe),
        vote: algorithm.text(VOTE.name).map_or(default.vote, vote),
        features: default.features,
    }
}

fn growth(algorithm: &Algorithm, [scale, base]: [&str; 2], default: Growth) -> Growth {
    Growth {
        scale: algorithm.value(scale, default.scale),
        base: algorithm.value(base, default.base),
    }
}

fn stream_choice(text: &str) -> StreamChoice {
    match text {
        PER_ROW => StreamChoice::PerRow,
        _ => StreamChoice::PerArrival,
    }
}

fn stream_choice_text(choice: StreamChoice) -> String {
    let text = match choice {
        StreamChoice::PerArrival => PER_ARRIVAL,
        StreamChoice::PerRow => PER_ROW,
    };
    text.to_string()
}

fn fringe(text: &str) -> FringeLimit {
    match text {
        UNLIMITED => FringeLimit::Unlimited,
        count => FringeLimit::AtMost(parsed(count)),
    }
}

fn fringe_text(limit: FringeLimit) -> String {
    match limit {
        FringeLimit::Unlimited => UNLIMITED.to_string(),
        FringeLimit::AtMost(count) => count.to_string(),
    }
}

fn vote(text: &str) -> Vote {
    match text {
        "majority" => Vote::Majority,
        _ => Vote::Frequencies,
    }
}

fn vote_text(vote: Vote) -> String {
    let text = match vote {
        Vote::Frequencies => "frequencies",
        Vote::Majority => "majority",
    };
    text.to_string()
}

fn saffari_settings(algorithm: &Algorithm) -> SaffariSettings {
    let default = SaffariSettings::<Axes>::default();
    SaffariSettings {
        tests: algorithm.value("tests", default.tests),
        m: algorithm.value("m", default.m),
        min_samples: algorithm.value("min_samples", default.min_samples),
        min_gain: algorithm.value("min_gain", default.min_gain),
        max_depth: algorithm.value("max_depth", default.max_depth),
        vote: algorithm.text(VOTE.name).map_or(default.vote, vote),
        features: default.features,
    }
}

/// `configuration` with those values that mean something for task `T`.
fn stated<T: Task>(
    configuration: &'static Configuration,
    values: impl IntoIterator<Item = (&'static str, String)>,
) -> Algorithm {
    let told = |name| {
        let known = configuration.parameter(name);
        known.is_none_or(|known| known.tasks.include::<T>())
    };
    configuration.with(values.into_iter().filter(|(name, _)| told(name)))
}

impl<T: Labels> NamedTree for StreamTree<T> {
    fn algorithm(settings: &StreamSettings, _: String) -> Algorithm {
        let values = [
            ("lambda", settings.lambda.to_string()),
            ("m", settings.m.to_string()),
            ("tau", settings.tau.to_string()),
            ("alpha", settings.alpha.scale.to_string()),
            ("alpha_base", settings.alpha.base.to_string()),
            ("beta", settings.beta.scale.to_string()),
            ("beta_base", settings.beta.base.to_string()),
            ("structure", settings.streams.structure.to_string()),
            ("estimation", settings.streams.estimation.to_string()),
            ("stream_choice", stream_choice_text(settings.streams.choice)),
            ("fringe", fringe_text(settings.fringe)),
            (VOTE.name, vote_text(settings.vote)),
        ];
        stated::<T>(&STREAM_RF, values)
    }
}

impl<T: Labels> NamedTree for SaffariTree<T> {
    fn algorithm(settings: &SaffariSettings, _: String) -> Algorithm {
        let values = [
            ("tests", settings.tests.to_string()),
            ("m", settings.m.to_string()),
            ("min_samples", settings.min_samples.to_string()),
            ("min_gain", settings.min_gain.to_string()),
            ("max_depth", settings.max_depth.to_string()),
            (VOTE.name, vote_text(settings.vote)),
        ];
        stated::<T>(&SAFFARI, values)
    }
}
