//! The parameter `max_nodes`, which the trees of several crates have.

use crate::parameters::{Parameter, Rule};

/// The word for no bound.
pub const UNLIMITED: &str = "unlimited";

/// The most nodes of a tree.
pub const MAX_NODES: Parameter = Parameter {
    name: "max_nodes",
    default: UNLIMITED,
    meaning: "maximum number of nodes of a tree; a full tree stops growing, drops its samples and keeps updating its leaf statistics",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};
