//! The parameter `max_nodes`, which the trees of several crates have.

use std::num::NonZeroU32;

use parameters::{Parameter, Rule, parsed};

const UNLIMITED: &str = "unlimited";

/// The most nodes of a tree.
pub const MAX_NODES: Parameter = Parameter {
    name: "max_nodes",
    default: UNLIMITED,
    meaning: "most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on counting",
    rule: Rule::CountOr(1, UNLIMITED),
};

/// A bound as [`MAX_NODES`] is written.
pub fn max_nodes_text(most: Option<NonZeroU32>) -> String {
    most.map_or_else(|| UNLIMITED.to_owned(), |most| most.to_string())
}

/// What a text says that keeps the rule of [`MAX_NODES`].
pub fn max_nodes(text: &str) -> Option<NonZeroU32> {
    (text != UNLIMITED).then(|| parsed(text))
}
