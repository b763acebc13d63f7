//! The parameters of hierarchical label models.

use registry::parameters::{Field, Parameter, Rule, Words, field};
use registry::{Declared, GaussianTree, VOTE, VOTES};

use super::gaussian::GaussianSettings;
use super::kneser_ney::KneserNeySettings;
use super::{
    BranchCounts, BranchOff, Combination, DrawSettings, GaussianHierarchy, HyperparameterRule,
};
use crate::{CutDistribution, LabelSettings, TessellationTree};

const BRANCH_COUNTS: Words<BranchCounts, 2> = Words([
    ("tables", BranchCounts::Tables),
    ("customers", BranchCounts::Customers),
]);

const COMBINATIONS: Words<Combination, 2> = Words([
    ("of-mean", Combination::OfMean),
    ("mixture", Combination::Mixture),
]);

const RULES: Words<HyperparameterRule, 3> = Words([
    ("leave-one-out", HyperparameterRule::LeaveOneOut),
    ("evidence", HyperparameterRule::Evidence),
    ("paper", HyperparameterRule::Paper),
]);

impl Declared for DrawSettings {
    const FIELDS: &'static [Field<Self>] = &[field!(
        Parameter::new("draws", Rule::Count(1), "16",
            "simulated insertions that tell where a point may leave its path, for each prediction of a tree"),
        settings => settings.draws
    )];
}

/// Implements [`Declared`] for settings that have the parameters of branching in the part `branching`.
macro_rules! declare_with_branching {
    ($settings:ident, $fields:expr) => {
        impl<S: LabelSettings + Declared> Declared for $settings<S> {
            const FIELDS: &'static [Field<Self>] = $fields;

            fn parameters() -> Vec<&'static Parameter> {
                let own = Self::FIELDS.iter().map(|field| &field.parameter);
                own.chain(S::parameters()).collect()
            }

            fn get(&self, name: &str) -> Option<String> {
                self.get_own(name).or_else(|| self.branching.get(name))
            }

            fn set(&mut self, name: &str, text: &str) -> bool {
                self.set_own(name, text) || self.branching.set(name, text)
            }
        }
    };
}

declare_with_branching!(
    KneserNeySettings,
    &[
        field!(VOTE, settings => settings.vote, VOTES),
        field!(
            Parameter::new("discount", Rule::Number, "10",
                "how fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features"),
            settings => settings.discount
        ),
        field!(
            Parameter::new("branch_counts", Rule::Words(const { &BRANCH_COUNTS.names() }), "tables",
                "what a branch counts of the node it is put above: its classes, or, as the authors' code, its customers"),
            settings => settings.branch_counts, BRANCH_COUNTS
        ),
    ]
);

declare_with_branching!(
    GaussianSettings,
    &[
        field!(
            Parameter::new("hyperparameters", Rule::Words(const { &RULES.names() }), "leave-one-out",
                "noise and slope: as in the paper; of most evidence; or these, with variances scaled to leave-one-out errors"),
            settings => settings.hyperparameters, RULES
        ),
        field!(
            Parameter::new("variance", Rule::Words(const { &COMBINATIONS.names() }), "of-mean",
                "of an answer: the expected square error of the mean of the trees, or that of the paper's mixture of trees"),
            settings => settings.combination, COMBINATIONS
        ),
    ]
);

impl<D: CutDistribution, B: BranchOff> GaussianTree for TessellationTree<D, GaussianHierarchy<B>> {}
