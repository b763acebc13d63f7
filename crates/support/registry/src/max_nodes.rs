//! The parameter `max_nodes`, which the trees of several crates have.

use parameters::{Parameter, Rule};

/// The word for no bound.
pub const UNLIMITED: &str = "unlimited";

/// The most nodes of a tree.
pub const MAX_NODES: Parameter = Parameter {
    name: "max_nodes",
    default: UNLIMITED,
    meaning: "most nodes of a tree; one that has them grows no more, holds nothing for further growth and goes on counting",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};
