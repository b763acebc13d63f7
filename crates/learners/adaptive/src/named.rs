//! The learner by name.

use forest_core::{Classification, ForestSettings, Regression, Schema, SettingError};
use registry::parameters::{Field, Parameter, Rule, Words, field, parsed};
use registry::{Capabilities, Capable, Declared, Entry, Named, Role, learner};

use crate::member::{CHANGE, SCALINGS, WEIGHTS};
use crate::{Adaptive, AdaptiveSettings, AdaptiveTask, NAME, NESTING, Update};

/// The row of `adaptive`.
pub const ADAPTIVE: &Entry = &Entry {
    name: NAME,
    description: "for streams that change: learners on windows of several lengths, weighed by \
                  what they have just lost",
    paper: "Herbster, Warmuth: Tracking the Best Expert, Machine Learning 1998; Chernov, \
            Zhdanov: Prediction with Expert Advice under Discounted Loss, ALT 2010",
    limits: &[
        "holds two copies of every member: time and memory are those of twice as many forests",
    ],
    role: Role::Forest,
    aliases: &[],
    classification: Some(learner::<Adaptive<Classification>>),
    regression: Some(learner::<Adaptive<Regression>>),
};

impl<T: AdaptiveTask> Named for Adaptive<T> {
    type Settings = AdaptiveSettings<T>;

    const NESTING: u8 = NESTING;

    fn rows() -> &'static [&'static Entry] {
        &[ADAPTIVE]
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
}

impl<T: AdaptiveTask> Capable for Adaptive<T> {
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

/// The parameters whose combinations are members where no list of them is given.
const COMBINED: [&str; 4] = ["base", "windows", "scaling", "weights"];

/// The first of the parameters of weights; those of the loss, which weights follow, come before it.
const ETA: &str = "eta";

impl<T: AdaptiveTask> Declared for AdaptiveSettings<T> {
    const FIELDS: &'static [Field<Self>] = &[
        Field {
            parameter: Parameter::new(
                "base",
                Rule::List('+', &Rule::Text),
                "mondrian",
                "base learners, separated by +; their parameters by ; instead of ,",
            ),
            get: |settings| settings.base.join("+"),
            set: |settings, text| settings.base = list('+', text, str::to_owned),
        },
        Field {
            parameter: Parameter::new(
                "windows",
                Rule::List('/', &Rule::CountOrWords(2, &["all", CHANGE])),
                "250/1000/4000/all",
                "the latest rows that members follow, all, or change: all since the last change that was found",
            ),
            get: |settings| joined(&settings.windows, ToString::to_string),
            set: |settings, text| settings.windows = list('/', text, parsed),
        },
        Field {
            parameter: Parameter::new(
                "scaling",
                Rule::List('/', &Rule::Words(&SCALINGS.names())),
                "quantile/none",
                "scalings of members, each fitted on the rows it is built from",
            ),
            get: |settings| joined(&settings.scaling, |one| SCALINGS.word(one)),
            set: |settings, text| settings.scaling = list('/', text, |word| SCALINGS.value(word)),
        },
        Field {
            parameter: Parameter::new(
                "weights",
                Rule::List('/', &Rule::Words(&WEIGHTS.names())),
                "labels",
                "weights of features behind the scaling: equal, or by the labels",
            ),
            get: |settings| joined(&settings.weights, |one| WEIGHTS.word(one)),
            set: |settings, text| settings.weights = list('/', text, |word| WEIGHTS.value(word)),
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
        Field {
            parameter: Parameter::new(
                ETA,
                Rule::List('/', &Rule::Number),
                "0.02/0.1",
                "how fast weights follow losses (η); of several, those count whose answers err least",
            ),
            get: |settings| joined(&settings.eta, ToString::to_string),
            set: |settings, text| settings.eta = list('/', text, parsed),
        },
        Field {
            parameter: Parameter::new(
                "discount",
                Rule::List('/', &Rule::Number),
                "0.98/0.998",
                "what a loss counts one row later (γ); each with each η",
            ),
            get: |settings| joined(&settings.discount, ToString::to_string),
            set: |settings, text| settings.discount = list('/', text, parsed),
        },
        field!(
            Parameter::new("share", Rule::Number, "0",
                "part of all weight that is shared out equally after each row (α)"),
            settings => settings.share
        ),
    ];

    fn parameters() -> Vec<&'static Parameter> {
        let own = Self::FIELDS.iter().map(|field| &field.parameter);
        let mut all: Vec<_> = own.collect();
        let eta = all.iter().position(|parameter| parameter.name == ETA);
        let eta = eta.expect("it is among them");
        all.splice(eta..eta, T::Loss::parameters());
        all
    }

    fn get(&self, name: &str) -> Option<String> {
        self.get_own(name).or_else(|| self.loss.get(name))
    }

    fn set(&mut self, name: &str, text: &str) -> bool {
        if COMBINED.contains(&name) {
            self.members.clear();
        }
        self.set_own(name, text) || self.loss.set(name, text)
    }
}

fn list<V>(separator: char, text: &str, value: impl Fn(&str) -> V) -> Vec<V> {
    text.split(separator).map(value).collect()
}

fn joined<V>(values: &[V], text: impl Fn(&V) -> String) -> String {
    values.iter().map(text).collect::<Vec<_>>().join("/")
}
