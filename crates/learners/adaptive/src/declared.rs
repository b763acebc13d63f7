//! The parameters of the learner.

use std::ops::Bound;

use registry::parameters::{Parameter, Rule, Words, parsed};
use registry::settings;

use crate::member::{CHANGE, SCALINGS, WEIGHTS};
use crate::{AdaptiveSettings, AdaptiveTask, Update};

/// The word for members that are combinations.
const COMBINATIONS: &str = "combinations";

/// The word for [`AdaptiveTask::STANDARD_MEMBERS`].
const STANDARD: &str = "standard";

const UPDATES: Words<Update, 2> = Words([("turns", Update::Turns), ("forget", Update::Forget)]);

/// The parameters whose combinations are members where no list of them is given.
const COMBINED: [&str; 4] = ["base", "windows", "scaling", "weights"];

/// The first of the parameters of weights; those of the loss, which weights follow, come before it.
const ETA: &str = "eta";

/// The factor by which a loss counts less one row later.
const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));

settings! {
    [T: AdaptiveTask] AdaptiveSettings<T> {
        base: Parameter::new("base", Rule::List('+', &Rule::Text), "mondrian",
            "base learners, separated by +; their parameters by ; instead of ,"),
            |base: &Vec<String>| base.join("+"), |text| list('+', text, str::to_owned);
        windows: Parameter::new("windows", Rule::List('/', &Rule::Or(&Rule::Count(2), &["all", CHANGE])), "250/1000/4000/all",
            "windows of members: a number of latest rows, all, or change (all rows since the last detected change)"),
            |windows| joined(windows, ToString::to_string), |text| list('/', text, parsed);
        scaling: Parameter::new("scaling", Rule::List('/', &Rule::Words(&SCALINGS.names())), "quantile/none",
            "scalings of members, each fitted on the rows it is built from"),
            |scaling| joined(scaling, |one| SCALINGS.word(one)), |text| list('/', text, |word| SCALINGS.value(word));
        weights: Parameter::new("weights", Rule::List('/', &Rule::Words(&WEIGHTS.names())), "labels",
            "weights of the scaled features: equal, or by the labels"),
            |weights| joined(weights, |one| WEIGHTS.word(one)), |text| list('/', text, |word| WEIGHTS.value(word));
        // After those that clear the list, so that an explicit list wins.
        members: Parameter::new("members", Rule::List('+', &Rule::Text), STANDARD,
            "members as base@window@scaling[@labels], separated by +; standard; or combinations of base, windows, \
             scaling and weights (also chosen by setting one of these)"), members_as_text::<T>, members_of_text::<T>;
        update: Parameter::new("update", Rule::Words(&UPDATES.names()), "turns",
            "how windows follow the stream between rebuilds: by turns, or forget where learners can"), UPDATES;
        rebuild: Parameter::new("rebuild", Rule::Count(1), "1", "windows between two rebuilds of one copy");
        history: Parameter::new("history", Rule::Count(1), "16384", "rows kept for rebuilding members without a window");
        loss = T::Loss::default();
        eta: Parameter::new(ETA, Rule::List('/', &Rule::POSITIVE), "0.02/0.1",
            "how fast weights follow losses (η); of several, those with the fewest prediction errors count most"),
            |eta| joined(eta, ToString::to_string), |text| list('/', text, parsed);
        discount: Parameter::new("discount", Rule::List('/', &DISCOUNT), "0.98/0.998",
            "factor of a loss one row later (γ); each with each η"),
            |discount| joined(discount, ToString::to_string), |text| list('/', text, parsed);
        share: Parameter::new("share", Rule::Number(Bound::Included(0.0), Bound::Excluded(1.0)), "0",
            "fraction of the total weight that is redistributed equally after each row (α)");
    }
    {
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
}

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
        STANDARD => T::STANDARD_MEMBERS
            .iter()
            .copied()
            .map(str::to_owned)
            .collect(),
        text => list('+', text, str::to_owned),
    }
}

fn list<V>(separator: char, text: &str, value: impl Fn(&str) -> V) -> Vec<V> {
    text.split(separator).map(value).collect()
}

fn joined<V>(values: &[V], text: impl Fn(&V) -> String) -> String {
    values.iter().map(text).collect::<Vec<_>>().join("/")
}
