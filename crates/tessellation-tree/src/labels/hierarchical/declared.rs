//! The parameters of hierarchical label models.

use forest_core::parameters::{Parameter, Rule, Words};
use forest_core::registry::{VOTE, VOTES, settings};

use super::gaussian::GaussianSettings;
use super::kneser_ney::KneserNeySettings;
use super::{BranchCounts, Combination, HyperparameterRule};

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

settings! {
    KneserNeySettings {
        vote: VOTE, VOTES;
        // The paper's γ = 10·D.
        discount: Parameter::new("discount", Rule::NUMBER, "10",
            "how fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features");
        branch_counts: Parameter::new("branch_counts", Rule::Words(&BRANCH_COUNTS.names()), "tables",
            "what a branch counts of the node it is put above: its classes, or, as the authors' code, its customers"),
            BRANCH_COUNTS;
    }
}

settings! {
    GaussianSettings {
        hyperparameters: Parameter::new("hyperparameters", Rule::Words(&RULES.names()), "leave-one-out",
            "noise and slope: as in the paper, with the most evidence, or the latter with variances scaled to leave-one-out errors"),
            RULES;
        combination: Parameter::new("variance", Rule::Words(&COMBINATIONS.names()), "of-mean",
            "variance of a prediction: the expected squared error of the mean of the trees, or that of the paper's mixture of trees"),
            COMBINATIONS;
    }
}
