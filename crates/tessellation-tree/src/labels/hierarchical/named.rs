//! Hierarchical label models by name.

use forest_core::{ForestContext, Forget, Vote};
use registry::parameters::{Field, Parameter, Rule, Words, field};
use registry::{GaussianTree, Intervals};

use super::{
    Boxes, BranchCounts, BranchOff, Draws, GaussianHierarchy, HyperparameterRule, KneserNey,
};
use crate::labels::LabelContext;
use crate::labels::named::{ForestOf, NamedLabels};
use crate::named::{NamedCuts, Plan};
use crate::{CutDistribution, TessellationTree};

const HIERARCHICAL: &str = "hierarchical";

const BRANCH_COUNTS: Words<BranchCounts, 2> = Words([
    ("tables", BranchCounts::Tables),
    ("customers", BranchCounts::Customers),
]);

const RULES: Words<HyperparameterRule, 2> = Words([
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
        Parameter::new("hyperparameters", Rule::Words(const { &RULES.names() }), "evidence",
            "noise and slope: those with the largest marginal likelihood given the tree, or as in the paper"),
        plan => plan.trees.labels.hyperparameters, RULES
    )
}

macro_rules! named {
    ($branching:ty, $($draws:expr),*) => {
        impl<D: NamedCuts> NamedLabels<D> for KneserNey<$branching> {
            const WORD: &'static str = HIERARCHICAL;

            const IS_HIERARCHICAL: bool = true;

            const FIELDS: &'static [Field<Plan<D, Self>>] = &[discount(), branch_counts(), $($draws),*];

            fn vote(settings: &Self::Settings) -> Vote {
                settings.vote
            }

            fn set_vote(settings: &mut Self::Settings, vote: Vote) {
                settings.vote = vote;
            }

            fn as_forget_mut(
                forest: &mut ForestOf<D, Self>,
            ) -> Option<&mut dyn Forget<Task = Self::Task>> {
                Some(forest)
            }
        }

        impl<D: NamedCuts> NamedLabels<D> for GaussianHierarchy<$branching> {
            const WORD: &'static str = HIERARCHICAL;

            const IS_HIERARCHICAL: bool = true;

            const FIELDS: &'static [Field<Plan<D, Self>>] = &[hyperparameters(), $($draws),*];

            fn as_intervals(forest: &ForestOf<D, Self>) -> Option<&dyn Intervals> {
                Some(forest)
            }

            fn as_forget_mut(
                forest: &mut ForestOf<D, Self>,
            ) -> Option<&mut dyn Forget<Task = Self::Task>> {
                Some(forest)
            }
        }
    };
}

named!(Boxes,);
named!(
    Draws,
    field!(DRAWS, plan => plan.trees.labels.branching.draws)
);

impl<D: CutDistribution, B: BranchOff> GaussianTree for TessellationTree<D, GaussianHierarchy<B>> {
    fn mean_and_variance(&self, x: &[f32], context: &ForestContext<'_, Self>) -> Option<[f64; 2]> {
        let labels = LabelContext {
            settings: &context.settings.labels,
            samples: context.samples,
        };
        let belief = self.labels().at(self.path(x)?, labels);
        Some([belief.mean, belief.variance])
    }
}
