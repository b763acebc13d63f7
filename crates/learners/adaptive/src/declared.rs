//! The parameters of the learner.

use std::ops::Bound;

use forest_core::parameters::{Parameter, Rule, parsed};
use forest_core::settings;

use crate::AdaptiveSettings;

/// The word for the members that a task has by default.
const STANDARD: &str = "standard";

/// The factor by which a loss counts less one row later.
const DISCOUNT: Rule = Rule::Number(Bound::Excluded(0.0), Bound::Included(1.0));

settings! {
    AdaptiveSettings {
        members: Parameter::new("members", Rule::List('+', &Rule::Text), STANDARD,
            "members as base@window@scaling[@labels], separated by +, with ; in place of , between the parameters of a base; windows are a number \
             of latest rows, all, or change (all since the last detected change); or standard"), members_as_text, members_of_text;
        eta: Parameter::new("eta", Rule::List('/', &Rule::POSITIVE), "0.02/0.1",
            "how fast weights follow losses (η); of several, those with the fewest prediction errors count most"),
            |eta| joined(eta, ToString::to_string), |text| list('/', text, parsed);
        discount: Parameter::new("discount", Rule::List('/', &DISCOUNT), "0.98/0.998",
            "factor of a loss one row later (γ); each with each η"),
            |discount| joined(discount, ToString::to_string), |text| list('/', text, parsed);
    }
}

#[expect(
    clippy::ptr_arg,
    reason = "the table of parameters reads a field as it is"
)]
fn members_as_text(members: &Vec<String>) -> String {
    if members.is_empty() {
        STANDARD.to_owned()
    } else {
        members.join("+")
    }
}

fn members_of_text(text: &str) -> Vec<String> {
    match text {
        STANDARD => Vec::new(),
        text => list('+', text, str::to_owned),
    }
}

fn list<V>(separator: char, text: &str, value: impl Fn(&str) -> V) -> Vec<V> {
    text.split(separator).map(value).collect()
}

fn joined<V>(values: &[V], text: impl Fn(&V) -> String) -> String {
    values.iter().map(text).collect::<Vec<_>>().join("/")
}
