//! Random tessellation forests by name.

mod presets;

use forest_core::{Classification, Regression};
use registry::{Entry, Kind, Learners, Role};
use tessellation_tree::{
    Budget, Draws, LabelSettings, NamedCuts, Tessellation, TessellationSettings,
};

use crate::{LinearCuts, NormalLaw};
use presets::{
    AXES, FEW_FEATURES, FINITE, GROWING_AXES, GROWING_FEW_FEATURES, GROWING_FINITE,
    GROWING_UNIFORM, GROWING_WEIGHTED, GROWING_WEIGHTED_AXES, PRUNINGS_OF_FINITE,
    PRUNINGS_OF_UNIFORM, UNIFORM, WEIGHTED, WEIGHTED_AXES,
};

/// The algorithms of this crate, as rows of a table.
///
/// Associated constants are compiled where they are used: unit tests, which use none, need not compile the learners. What makes
/// learners is a function without type parameters, which is compiled in this crate, and once.
#[derive(Debug)]
pub struct Algorithms;

impl Algorithms {
    /// `urtf`: every direction alike.
    pub const URTF: &'static Entry = &row(
        "urtf",
        "cuts of every direction alike, up to a fixed budget; the online tree has the batch law",
        || classifiers(&UNIFORM),
        || regressors(&UNIFORM),
    );

    /// `wurtf`: weighted features.
    pub const WURTF: &'static Entry = &variant(
        "wurtf",
        "cuts whose normals are weighted by feature, up to a fixed budget",
        || classifiers(&WEIGHTED),
        || regressors(&WEIGHTED),
    );

    /// `mrtf`: axis-aligned cuts.
    pub const MRTF: &'static Entry = &variant(
        "mrtf",
        "the Mondrian process as a tessellation: axis-aligned cuts, up to a fixed budget",
        || mondrian::classifiers(&AXES),
        || mondrian::regressors(&AXES),
    );

    /// `wmrtf`: axis-aligned cuts, weighted features.
    pub const WMRTF: &'static Entry = &variant(
        "wmrtf",
        "axis-aligned cuts whose features have weights, up to a fixed budget",
        || mondrian::classifiers(&WEIGHTED_AXES),
        || mondrian::regressors(&WEIGHTED_AXES),
    );

    /// `sparse`: few features a cut.
    pub const SPARSE: &'static Entry = &variant(
        "sparse",
        "cuts of every direction alike among a few random features",
        || classifiers(&FEW_FEATURES),
        || regressors(&FEW_FEATURES),
    );

    /// `directions`: a finite set of directions a tree.
    pub const DIRECTIONS: &'static Entry = &variant(
        "directions",
        "cuts along a finite set of directions that each tree draws for itself",
        || classifiers(&FINITE),
        || regressors(&FINITE),
    );

    /// `urtf-increasing`: as `urtf`, with a budget that grows.
    pub const URTF_INCREASING: &'static Entry = &variant(
        "urtf-increasing",
        "as urtf, up to a budget that grows with the number of samples",
        || classifiers(&GROWING_UNIFORM),
        || regressors(&GROWING_UNIFORM),
    );

    /// `wurtf-increasing`: as `wurtf`, with a budget that grows.
    pub const WURTF_INCREASING: &'static Entry = &variant(
        "wurtf-increasing",
        "as wurtf, up to a budget that grows with the number of samples",
        || classifiers(&GROWING_WEIGHTED),
        || regressors(&GROWING_WEIGHTED),
    );

    /// `mrtf-increasing`: as `mrtf`, with a budget that grows.
    pub const MRTF_INCREASING: &'static Entry = &variant(
        "mrtf-increasing",
        "as mrtf, up to a budget that grows with the number of samples",
        || mondrian::classifiers(&GROWING_AXES),
        || mondrian::regressors(&GROWING_AXES),
    );

    /// `wmrtf-increasing`: as `wmrtf`, with a budget that grows.
    pub const WMRTF_INCREASING: &'static Entry = &variant(
        "wmrtf-increasing",
        "as wmrtf, up to a budget that grows with the number of samples",
        || mondrian::classifiers(&GROWING_WEIGHTED_AXES),
        || mondrian::regressors(&GROWING_WEIGHTED_AXES),
    );

    /// `sparse-increasing`: as `sparse`, with a budget that grows.
    pub const SPARSE_INCREASING: &'static Entry = &variant(
        "sparse-increasing",
        "as sparse, up to a budget that grows with the number of samples",
        || classifiers(&GROWING_FEW_FEATURES),
        || regressors(&GROWING_FEW_FEATURES),
    );

    /// `directions-increasing`: as `directions`, with a budget that grows.
    pub const DIRECTIONS_INCREASING: &'static Entry = &variant(
        "directions-increasing",
        "as directions, up to a budget that grows with the number of samples",
        || classifiers(&GROWING_FINITE),
        || regressors(&GROWING_FINITE),
    );

    /// `aggregated-urtf`: the mixture over all prunings of fully grown trees.
    pub const AGGREGATED_URTF: &'static Entry = &variant(
        "aggregated-urtf",
        "cuts of every direction alike; predicts by all prunings of its trees, as amf does",
        || classifiers(&PRUNINGS_OF_UNIFORM),
        || regressors(&PRUNINGS_OF_UNIFORM),
    );

    /// `aggregated-directions`: the mixture over all prunings of fully grown trees.
    pub const AGGREGATED_DIRECTIONS: &'static Entry = &variant(
        "aggregated-directions",
        "a finite set of directions a tree; predicts by all prunings of its trees, as amf does",
        || classifiers(&PRUNINGS_OF_FINITE),
        || regressors(&PRUNINGS_OF_FINITE),
    );
}

const fn variant(
    name: &'static str,
    description: &'static str,
    classifiers: Learners<Classification>,
    regressors: Learners<Regression>,
) -> Entry {
    Entry {
        role: Role::Variant,
        ..row(name, description, classifiers, regressors)
    }
}

const fn row(
    name: &'static str,
    description: &'static str,
    classifiers: Learners<Classification>,
    regressors: Learners<Regression>,
) -> Entry {
    Entry {
        name,
        description,
        paper: "Ge, Wang, Teh, Wang, Elliott: Random Tessellation Forests, NeurIPS 2019",
        limits: &[],
        role: Role::Forest,
        classification: Some(classifiers),
        regression: Some(regressors),
    }
}

fn classifiers(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Classification>> {
    row.classifiers()
}

fn regressors(row: &'static Tessellation<LinearCuts>) -> Vec<Kind<Regression>> {
    row.regressors()
}

impl NamedCuts for LinearCuts {
    type Branching = Draws;

    fn rows() -> &'static [&'static Entry] {
        &[
            Algorithms::URTF,
            Algorithms::URTF_INCREASING,
            Algorithms::WURTF,
            Algorithms::WURTF_INCREASING,
            Algorithms::SPARSE,
            Algorithms::SPARSE_INCREASING,
            Algorithms::DIRECTIONS,
            Algorithms::DIRECTIONS_INCREASING,
            Algorithms::AGGREGATED_URTF,
            Algorithms::AGGREGATED_DIRECTIONS,
        ]
    }

    fn row<L: LabelSettings>(settings: &TessellationSettings<NormalLaw, L>) -> &'static Entry {
        let [fixed, growing] = match settings.cuts {
            NormalLaw::Uniform => [Algorithms::URTF, Algorithms::URTF_INCREASING],
            NormalLaw::Weighted(_) => [Algorithms::WURTF, Algorithms::WURTF_INCREASING],
            NormalLaw::Sparse(_) => [Algorithms::SPARSE, Algorithms::SPARSE_INCREASING],
            NormalLaw::Finite(_) => [Algorithms::DIRECTIONS, Algorithms::DIRECTIONS_INCREASING],
        };
        match settings.budget {
            Budget::Fixed(_) => fixed,
            Budget::Schedule { .. } => growing,
        }
    }
}
