//! The learner by name.

use std::marker::PhantomData;

use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};
use registry::parameters::{Field, Parameter, Rule, Words, field, parsed};
use registry::{Capabilities, Configuration, Entry, Named, Registry, Role, learner};

use crate::member::{CHANGE, SCALINGS, WEIGHTS};
use crate::{Adaptive, AdaptiveSettings, AdaptiveTask, NAME, NESTING, Update};

/// The row of `adaptive` in a table `R`, from which its bases come.
pub struct InTable<R>(PhantomData<fn() -> R>);

impl<R: Registry> InTable<R> {
    /// The row.
    pub const ENTRY: &'static Entry = &Entry {
        name: NAME,
        description: "for streams that change: learners on windows of several lengths, weighed by \
                      what they have just lost",
        paper: "Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, \
                Zhdanov: Prediction with Expert Advice under Discounted Loss, ALT 2010",
        limits: &[
            "holds two copies of every member: time and memory are those of twice as many forests",
        ],
        role: Role::Forest,
        classification: Some(learner::<Adaptive<Classification, R>>()),
        regression: Some(learner::<Adaptive<Regression, R>>()),
    };
}

impl<T: AdaptiveTask, R: Registry> Named for Adaptive<T, R> {
    type Settings = AdaptiveSettings<T>;

    const NESTING: u8 = NESTING;

    fn configurations() -> &'static [Configuration<AdaptiveSettings<T>>] {
        const {
            &[Configuration {
                entry: InTable::<R>::ENTRY,
                default: |_| AdaptiveSettings::default(),
                includes: |_| true,
                fields: &[Fields::<T>::MEMBERS, T::FIELDS, Fields::<T>::WEIGHTS],
            }]
        }
    }

    fn build(
        schema: Schema<T>,
        settings: AdaptiveSettings<T>,
        forest: ForestSettings,
    ) -> Result<Self, SettingError> {
        Self::new(schema, settings, forest)
    }

    fn settings(&self) -> AdaptiveSettings<T> {
        self.settings().clone()
    }

    fn trees(&self) -> usize {
        self.trees()
    }

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            mixture: Some(self),
            ..Capabilities::default()
        }
    }
}

/// The word for members that are combinations.
const COMBINATIONS: &str = "combinations";

/// The word for [`AdaptiveTask::STANDARD_MEMBERS`].
const STANDARD: &str = "standard";

fn members_as_text<T: AdaptiveTask>(members: &[String]) -> String {
    match members {
        [] => COMBINATIONS.to_owned(),
        members if members == T::STANDARD_MEMBERS => STANDARD.to_owned(),
        members => members.join("+"),
    }
}

fn members_of_text<T: AdaptiveTask>(text: &str) -> Vec<String> {
    match text {
        COMBINATIONS => Vec::new(),
        STANDARD => AdaptiveSettings::<T>::default().members,
        text => text.split('+').map(str::to_owned).collect(),
    }
}

const UPDATES: Words<Update, 2> = Words([("turns", Update::Turns), ("forget", Update::Forget)]);

struct Fields<T>(PhantomData<T>);

impl<T: AdaptiveTask> Fields<T> {
    const MEMBERS: &'static [Field<AdaptiveSettings<T>>] = &[
        Field {
            parameter: Parameter::new(
                "base",
                Rule::List('+', &Rule::Text),
                "mondrian",
                "base learners, separated by +; their parameters by ; instead of ,",
            ),
            get: |settings| settings.base.join("+"),
            set: |settings, text| {
                settings.base = text.split('+').map(str::to_owned).collect();
                settings.members.clear();
            },
        },
        Field {
            parameter: Parameter::new(
                "windows",
                Rule::List('/', &Rule::CountOrWords(2, &["all", CHANGE])),
                "250/1000/4000/all",
                "the latest rows that members follow, all, or change: all since the last change that was found",
            ),
            get: |settings| joined("/", settings.windows.iter().map(ToString::to_string)),
            set: |settings, text| {
                let windows = text.split('/').map(parsed);
                settings.windows = windows.collect();
                settings.members.clear();
            },
        },
        Field {
            parameter: Parameter::new(
                "scaling",
                Rule::List('/', &Rule::Words(&SCALINGS.names())),
                "quantile/none",
                "scalings of members, each fitted on the rows it is built from",
            ),
            get: |settings| joined("/", settings.scaling.iter().map(|one| SCALINGS.word(one))),
            set: |settings, text| {
                let scalings = text.split('/').map(|word| SCALINGS.value(word));
                settings.scaling = scalings.collect();
                settings.members.clear();
            },
        },
        Field {
            parameter: Parameter::new(
                "weights",
                Rule::List('/', &Rule::Words(&WEIGHTS.names())),
                "labels",
                "weights of features behind the scaling: equal, or by the labels",
            ),
            get: |settings| joined("/", settings.weights.iter().map(|one| WEIGHTS.word(one))),
            set: |settings, text| {
                let weights = text.split('/').map(|word| WEIGHTS.value(word));
                settings.weights = weights.collect();
                settings.members.clear();
            },
        },
        Field {
            parameter: Parameter::new(
                "members",
                Rule::List('+', &Rule::Text),
                STANDARD,
                "members as base@window@scaling[@labels], separated by +; standard; or combinations of base, windows, \
                 scaling and weights, which naming one of these means, too",
            ),
            get: |settings| members_as_text::<T>(&settings.members),
            // Behind those that clear the list, so that a list that is given counts.
            set: |settings, text| settings.members = members_of_text::<T>(text),
        },
        field!(
            Parameter::new("update", Rule::Words(&UPDATES.names()), "turns",
                "how windows follow the stream between rebuilds: by turns, or forget where learners can"),
            settings => settings.update, UPDATES
        ),
        field!(
            Parameter::new("rebuild", Rule::Count(1), "1",
                "windows between two rebuilds of one copy"),
            settings => settings.rebuild
        ),
        field!(
            Parameter::new("history", Rule::Count(1), "16384",
                "rows kept for rebuilding members without a window"),
            settings => settings.history
        ),
    ];

    const WEIGHTS: &'static [Field<AdaptiveSettings<T>>] = &[
        Field {
            parameter: Parameter::new(
                "eta",
                Rule::List('/', &Rule::Number),
                "0.02/0.1",
                "how fast weights follow losses (η); of several, those count whose answers err least",
            ),
            get: |settings| joined("/", settings.eta.iter().map(ToString::to_string)),
            set: |settings, text| settings.eta = text.split('/').map(parsed).collect(),
        },
        Field {
            parameter: Parameter::new(
                "discount",
                Rule::List('/', &Rule::Number),
                "0.98/0.998",
                "what a loss counts one row later (γ); each with each η",
            ),
            get: |settings| joined("/", settings.discount.iter().map(ToString::to_string)),
            set: |settings, text| settings.discount = text.split('/').map(parsed).collect(),
        },
        field!(
            Parameter::new("share", Rule::Number, "0",
                "part of all weight that is shared out equally after each row (α)"),
            settings => settings.share
        ),
    ];
}

fn joined(separator: &str, parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(separator)
}
