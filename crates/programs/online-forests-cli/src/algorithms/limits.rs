//! Limitations of algorithms.

use super::{Kind, Listed};

/// A limitation of all algorithms of a kind.
struct Limit {
    holds: fn(&Listed) -> bool,
    text: &'static str,
}

static COMMON: &[Limit] = &[
    Limit {
        holds: |one| one.kind == Kind::Offline,
        text: "sees all training rows at once: --protocol holdout or kfold only",
    },
    Limit {
        holds: |one| one.kind == Kind::Baseline,
        text: "ignores the features: it is there to be beaten",
    },
    Limit {
        holds: |one| takes(one, "budget") || takes(one, "budget_scale"),
        text: "finite budgets expect features in [0, 1], as --scale minmax (the default) makes them",
    },
    Limit {
        holds: |one| takes(one, "max_nodes"),
        text: "keeps every sample and grows with the stream, unless `max_nodes` or `window` is given",
    },
];

/// Returns those of its kind, then its own.
pub(super) fn list(one: &Listed) -> impl Iterator<Item = &'static str> {
    let common = COMMON.iter().filter(|limit| (limit.holds)(one));
    let common = common.map(|limit| limit.text);
    common.chain(one.limits.iter().copied())
}

fn takes(one: &Listed, name: &str) -> bool {
    let mut parameters = one.parameters.iter();
    parameters.any(|parameter| parameter.name == name)
}
