//! Hierarchical label models by name.

use forest_core::{Forget, Vote};
use registry::parameters::{Field, Parameter, Rule, Words, field, parsed};
use registry::{GaussianTree, IntervalLearner, Intervals};

use super::{
    Boxes, BranchCounts, BranchOff, Combination, DrawSettings, Draws, GaussianHierarchy,
    HyperparameterRule, KneserNey,
};
use crate::labels::named::HIERARCHICAL;
use crate::named::{ForestOf, NamedBranching, NamedCuts, NamedLabels, Plan};
use crate::{CutDistribution, TessellationTree};

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

const DRAWS: Parameter = Parameter::new(
    "draws",
    Rule::Count(1),
    "16",
    "simulated insertions that tell where a point may leave its path, for each prediction of a tree",
);

const fn discount<D: CutDistribution, B: BranchOff>() -> Field<Plan<D, KneserNey<B>>> {
    field!(
        Parameter::new("discount", Rule::Number, "10",
            "how fast a node forgets its parent's class probabilities (γ), as a multiple of the number of features"),
        plan => plan.trees.labels.discount
    )
}

const fn branch_counts<D: CutDistribution, B: BranchOff>() -> Field<Plan<D, KneserNey<B>>> {
    field!(
        Parameter::new("branch_counts", Rule::Words(const { &BRANCH_COUNTS.names() }), "tables",
            "what a branch counts of the node it is put above: its classes, or, as the authors' code, its customers"),
        plan => plan.trees.labels.branch_counts, BRANCH_COUNTS
    )
}

const fn hyperparameters<D: CutDistribution, B: BranchOff>() -> Field<Plan<D, GaussianHierarchy<B>>>
{
    field!(
        Parameter::new("hyperparameters", Rule::Words(const { &RULES.names() }), "leave-one-out",
            "noise and slope: as in the paper; of most evidence; or these, with variances scaled to leave-one-out errors"),
        plan => plan.trees.labels.hyperparameters, RULES
    )
}

const fn combination<D: CutDistribution, B: BranchOff>() -> Field<Plan<D, GaussianHierarchy<B>>> {
    field!(
        Parameter::new("variance", Rule::Words(const { &COMBINATIONS.names() }), "of-mean",
            "of an answer: the expected square error of the mean of the trees, or that of the paper's mixture of trees"),
        plan => plan.trees.labels.combination, COMBINATIONS
    )
}

impl NamedBranching for Boxes {
    const DRAWS: bool = false;

    fn draws((): &()) -> Option<u32> {
        None
    }

    fn set_draws((): &mut (), _: u32) {}
}

impl NamedBranching for Draws {
    const DRAWS: bool = true;

    fn draws(settings: &DrawSettings) -> Option<u32> {
        Some(settings.draws)
    }

    fn set_draws(settings: &mut DrawSettings, draws: u32) {
        settings.draws = draws;
    }
}

impl<D: NamedCuts, B: NamedBranching> NamedLabels<D> for KneserNey<B> {
    const WORD: &'static str = HIERARCHICAL;

    const IS_HIERARCHICAL: bool = true;

    const FIELDS: &'static [Field<Plan<D, Self>>] = match B::DRAWS {
        true => const { &[discount(), branch_counts(), draws_of_classes()] },
        false => const { &[discount(), branch_counts()] },
    };

    fn vote(settings: &Self::Settings) -> Vote {
        settings.vote
    }

    fn set_vote(settings: &mut Self::Settings, vote: Vote) {
        settings.vote = vote;
    }

    fn as_forget_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        Some(forest)
    }
}

impl<D: NamedCuts, B: NamedBranching> NamedLabels<D> for GaussianHierarchy<B> {
    const WORD: &'static str = HIERARCHICAL;

    const IS_HIERARCHICAL: bool = true;

    const FIELDS: &'static [Field<Plan<D, Self>>] = match B::DRAWS {
        true => const { &[hyperparameters(), combination(), draws_of_means()] },
        false => const { &[hyperparameters(), combination()] },
    };

    fn as_intervals(forest: &ForestOf<D, Self>) -> Option<&dyn Intervals> {
        Some(forest)
    }

    fn as_interval_learner_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn IntervalLearner> {
        Some(forest)
    }

    fn as_forget_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        Some(forest)
    }
}

const fn draws_of_classes<D: CutDistribution, B: NamedBranching>() -> Field<Plan<D, KneserNey<B>>> {
    Field {
        parameter: DRAWS,
        get: |plan| text(B::draws(&plan.trees.labels.branching)),
        set: |plan, draws| B::set_draws(&mut plan.trees.labels.branching, parsed(draws)),
    }
}

const fn draws_of_means<D: CutDistribution, B: NamedBranching>()
-> Field<Plan<D, GaussianHierarchy<B>>> {
    Field {
        parameter: DRAWS,
        get: |plan| text(B::draws(&plan.trees.labels.branching)),
        set: |plan, draws| B::set_draws(&mut plan.trees.labels.branching, parsed(draws)),
    }
}

fn text(draws: Option<u32>) -> String {
    draws.map_or(String::new(), |draws| draws.to_string())
}

impl<D: CutDistribution, B: BranchOff> GaussianTree for TessellationTree<D, GaussianHierarchy<B>> {}
