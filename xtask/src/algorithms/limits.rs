//! What an algorithm is not made for.

use evaluation::AnyAlgorithm;

/// A limit of all algorithms of a kind.
struct Limit {
    holds: fn(&AnyAlgorithm) -> bool,
    text: &'static str,
}

static COMMON: &[Limit] = &[
    Limit {
        holds: AnyAlgorithm::is_offline,
        text: "sees all training rows at once: --protocol holdout or kfold only",
    },
    Limit {
        holds: AnyAlgorithm::is_baseline,
        text: "ignores the features: it is there to be beaten",
    },
    Limit {
        holds: |algorithm| takes(algorithm, "budget") || takes(algorithm, "budget_scale"),
        text: "finite budgets expect features in [0, 1], as --scale minmax (the default) makes them",
    },
    Limit {
        holds: |algorithm| takes(algorithm, "max_nodes"),
        text: "keeps every sample and grows with the stream, unless `max_nodes` or `window` is given",
    },
];

/// Those of its kind, then its own.
pub fn of(algorithm: &AnyAlgorithm) -> impl Iterator<Item = &'static str> + '_ {
    let common = COMMON.iter().filter(|limit| (limit.holds)(algorithm));
    let common = common.map(|limit| limit.text);
    common.chain(algorithm.limits().iter().copied())
}

fn takes(algorithm: &AnyAlgorithm, name: &str) -> bool {
    let parameters = algorithm.parameters();
    parameters.iter().any(|parameter| parameter.name == name)
}
