//! The parameter `vote`, which classifiers of several crates have.

use crate::Vote;
use crate::parameters::{Parameter, Rule, Words};

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
