//! What an algorithm is not made for.

use evaluation::AnyAlgorithm;

/// A limit, and whose it is.
struct Limit {
    holds: fn(&AnyAlgorithm) -> bool,
    text: &'static str,
}

static LIMITS: &[Limit] = &[
    Limit {
        holds: AnyAlgorithm::is_offline,
        text: "sees all training rows at once: --protocol holdout or kfold only",
    },
    Limit {
        holds: AnyAlgorithm::is_baseline,
        text: "ignores the features: it is there to be beaten",
    },
    Limit {
        holds: |algorithm| algorithm.name().contains("obsp"),
        text: "few features: at the same budget its trees are cut about d − 1 times as often as axis-aligned ones in d \
               dimensions, so with hundreds of features a forest takes gigabytes; use --pca, or --max-memory to be stopped",
    },
    Limit {
        holds: |algorithm| takes(algorithm, "budget") || takes(algorithm, "budget_scale"),
        text: "finite budgets expect features in [0, 1], as --scale minmax (the default) makes them",
    },
    Limit {
        holds: |algorithm| takes(algorithm, "max_nodes"),
        text: "keeps every sample and grows with the stream, unless `max_nodes` or `window` is given",
    },
    Limit {
        holds: |algorithm| algorithm.name() == "boundary-forest",
        text: "sorted or time-ordered data take a time that is quadratic in the rows: shuffle them, or give \
               `shuffle_block` (docs/results/boundary-forest/sorted.md); at most 2³⁰ samples",
    },
    Limit {
        holds: |algorithm| algorithm.name() == "adaptive",
        text: "holds two copies of every member: time and memory are those of twice as many forests",
    },
    Limit {
        holds: |algorithm| algorithm.name() == "k-nn",
        text: "keeps every training row",
    },
    Limit {
        holds: |algorithm| algorithm.name() == "svm",
        text: "few rows: fitting takes a time that is at least quadratic in them",
    },
];

/// Those of an algorithm.
pub fn of(algorithm: &AnyAlgorithm) -> impl Iterator<Item = &'static str> + '_ {
    let holds = move |limit: &&Limit| (limit.holds)(algorithm);
    LIMITS.iter().filter(holds).map(|limit| limit.text)
}

fn takes(algorithm: &AnyAlgorithm, name: &str) -> bool {
    let parameters = algorithm.parameters();
    parameters.iter().any(|parameter| parameter.name == name)
}
