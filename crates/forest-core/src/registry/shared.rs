//! Parameters that the forests of several crates have.

use crate::parameters::{Parameter, Rule, Words, parsed};
use crate::{ForestSettings, Retention, Vote};

/// The votes by name.
pub const VOTES: Words<Vote, 2> = Words([
    ("frequencies", Vote::Frequencies),
    ("majority", Vote::Majority),
]);

/// What a tree votes with.
pub const VOTE: Parameter = Parameter {
    name: "vote",
    default: "frequencies",
    meaning: "what a tree votes with: the class frequencies of its leaf, or their majority alone",
    rule: Rule::Words(&VOTES.names()),
};

/// The word for no bound.
pub const UNLIMITED: &str = "unlimited";

/// The most nodes of a tree.
pub const MAX_NODES: Parameter = Parameter {
    name: "max_nodes",
    default: UNLIMITED,
    meaning: "maximum number of nodes of a tree; a full tree stops growing, drops its samples and keeps updating its leaf statistics",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};

/// How many of the latest samples a forest remembers.
pub const WINDOW: Parameter = Parameter {
    name: "window",
    default: UNLIMITED,
    meaning: "samples remembered: older ones are forgotten",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};

pub(crate) fn window_text(forest: &ForestSettings) -> String {
    match forest.retention {
        Retention::Latest(samples) => samples.to_string(),
        Retention::Everything => UNLIMITED.to_owned(),
    }
}

/// What is not limited here is as the settings of the forest say.
pub(crate) fn set_window(forest: &mut ForestSettings, text: &str) {
    if text != UNLIMITED {
        forest.retention = Retention::Latest(parsed(text));
    }
}
