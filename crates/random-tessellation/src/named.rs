//! Random tessellation forests by name.

mod configurations;
mod parameters;

use forest_core::{Classification, Regression};
use registry::{Entry, Role};
use tessellation_tree::{NamedCuts, aggregated, by_labels};

use crate::{LinearCuts, PoleCuts};

/// `urtf`: every direction alike.
pub static URTF: Entry = row::<LinearCuts>(
    "urtf",
    "cuts of every direction alike, up to a fixed budget; the online tree has the batch law",
);

/// `wurtf`: weighted features.
pub static WURTF: Entry = variant::<LinearCuts>(
    "wurtf",
    "cuts whose normals are weighted by feature, up to a fixed budget",
);

/// `mrtf`: axis-aligned cuts.
pub static MRTF: Entry = variant::<PoleCuts>(
    "mrtf",
    "the Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget",
);

/// `wmrtf`: axis-aligned cuts, weighted features.
pub static WMRTF: Entry = variant::<PoleCuts>(
    "wmrtf",
    "axis-aligned cuts whose features have weights, up to a fixed budget",
);

/// `sparse`: few features a cut.
pub static SPARSE: Entry = variant::<LinearCuts>(
    "sparse",
    "cuts of every direction alike among a few random features",
);

/// `directions`: a finite set of directions a tree.
pub static DIRECTIONS: Entry = variant::<LinearCuts>(
    "directions",
    "cuts along a finite set of directions that each tree draws for itself",
);

/// `urtf-increasing`: as `urtf`, with a budget that grows.
pub static URTF_INCREASING: Entry = variant::<LinearCuts>(
    "urtf-increasing",
    "as urtf, up to a budget that grows with the number of samples",
);

/// `wurtf-increasing`: as `wurtf`, with a budget that grows.
pub static WURTF_INCREASING: Entry = variant::<LinearCuts>(
    "wurtf-increasing",
    "as wurtf, up to a budget that grows with the number of samples",
);

/// `mrtf-increasing`: as `mrtf`, with a budget that grows.
pub static MRTF_INCREASING: Entry = variant::<PoleCuts>(
    "mrtf-increasing",
    "as mrtf, up to a budget that grows with the number of samples",
);

/// `wmrtf-increasing`: as `wmrtf`, with a budget that grows.
pub static WMRTF_INCREASING: Entry = variant::<PoleCuts>(
    "wmrtf-increasing",
    "as wmrtf, up to a budget that grows with the number of samples",
);

/// `sparse-increasing`: as `sparse`, with a budget that grows.
pub static SPARSE_INCREASING: Entry = variant::<LinearCuts>(
    "sparse-increasing",
    "as sparse, up to a budget that grows with the number of samples",
);

/// `directions-increasing`: as `directions`, with a budget that grows.
pub static DIRECTIONS_INCREASING: Entry = variant::<LinearCuts>(
    "directions-increasing",
    "as directions, up to a budget that grows with the number of samples",
);

/// `aggregated-urtf`: the mixture over all prunings of fully grown trees.
pub static AGGREGATED_URTF: Entry = mixture::<LinearCuts>(
    "aggregated-urtf",
    "cuts of every direction alike; predicts by all prunings of its trees, as amf does",
);

/// `aggregated-directions`: the mixture over all prunings of fully grown trees.
pub static AGGREGATED_DIRECTIONS: Entry = mixture::<LinearCuts>(
    "aggregated-directions",
    "a finite set of directions a tree; predicts by all prunings of its trees, as amf does",
);

const fn mixture<D: NamedCuts>(name: &'static str, description: &'static str) -> Entry {
    Entry {
        classification: Some(aggregated::<D, Classification>()),
        regression: Some(aggregated::<D, Regression>()),
        ..variant::<D>(name, description)
    }
}

const fn row<D: NamedCuts>(name: &'static str, description: &'static str) -> Entry {
    Entry {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        limits: &[],
        role: Role::Forest,
        classification: Some(by_labels::<D, Classification>()),
        regression: Some(by_labels::<D, Regression>()),
    }
}

const fn variant<D: NamedCuts>(name: &'static str, description: &'static str) -> Entry {
    Entry {
        role: Role::Variant,
        ..row::<D>(name, description)
    }
}
