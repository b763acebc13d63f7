//! Tessellation forests by name: what cuts and label models state of themselves.

use forest_core::{Forest, Forget, OnlineLearner, Settings, Vote};
use registry::parameters::Field;
use registry::{
    Capabilities, Configuration, ForestPlan, IntervalLearner, Intervals, NamedTask, NamedTree,
    Refine,
};

use crate::planar::Planar;
use crate::{BranchOff, Budget, CountedLabels, TessellationTree, Update};

/// What is chosen for a tessellation forest before its first sample.
pub type Plan<D, L> = ForestPlan<TessellationTree<D, L>>;

/// Whether leaves are drawn exactly, up to a fixed budget.
pub fn is_exact_to_a_fixed_budget<D: NamedCuts, L: NamedLabels<D>>(plan: &Plan<D, L>) -> bool {
    let fixed = matches!(plan.trees.budget, Budget::Fixed(_));
    fixed && plan.trees.update == Update::Conditional
}

pub(crate) type ForestOf<D, L> = Forest<TessellationTree<D, L>>;

/// A distribution of cuts whose forests are known by name.
pub trait NamedCuts: Planar + 'static {
    /// How points branch off, for `labels=hierarchical`.
    type Branching: NamedBranching;

    /// The names of forests with these cuts, each with its parameters.
    fn configurations<L: NamedLabels<Self>>() -> &'static [Configuration<Plan<Self, L>>];
}

/// A label model whose forests with cuts `D` are known by name.
pub trait NamedLabels<D: NamedCuts>: CountedLabels + 'static {
    /// Its word in `labels=…`.
    const WORD: &'static str;

    /// Whether it mixes all prunings of a tree.
    const IS_AGGREGATED: bool = false;

    /// Whether it smooths along the path.
    const IS_HIERARCHICAL: bool = false;

    /// The parameters of the model alone, the vote aside.
    const FIELDS: &'static [Field<Plan<D, Self>>] = &[];

    /// The vote in the model's settings; frequencies if there is none.
    fn vote(settings: &Self::Settings) -> Vote {
        let _ = settings;
        Vote::Frequencies
    }

    /// Puts the vote into the model's settings, if there is one.
    fn set_vote(settings: &mut Self::Settings, vote: Vote) {
        let _ = (settings, vote);
    }

    /// Predictive intervals, if the model tells how sure it is.
    fn as_intervals(forest: &ForestOf<D, Self>) -> Option<&dyn Intervals> {
        let _ = forest;
        None
    }

    /// The same, to learn.
    fn as_interval_learner_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn IntervalLearner> {
        let _ = forest;
        None
    }

    /// Forgetting samples, if the model can.
    fn as_forget_mut(forest: &mut ForestOf<D, Self>) -> Option<&mut dyn Forget<Task = Self::Task>> {
        let _ = forest;
        None
    }
}

/// How points branch off, where forests are known by name.
pub trait NamedBranching: BranchOff + 'static {
    /// Number of draws in its settings, if it draws.
    fn draws(settings: &Self::Settings) -> Option<u32>;

    /// Puts the number of draws into its settings.
    fn set_draws(settings: &mut Self::Settings, draws: u32);

    /// Whether it draws.
    const DRAWS: bool;
}

impl<D: NamedCuts, L: NamedLabels<D>> NamedTree for TessellationTree<D, L> {
    fn configurations() -> &'static [Configuration<Plan<D, L>>] {
        D::configurations::<L>()
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        let in_the_plane = forest.schema().features() == 2;
        Capabilities {
            hard_vote: L::Task::as_hard_vote(forest),
            partition: Some(forest),
            explain: Some(forest),
            planar: in_the_plane.then_some(forest),
            intervals: L::as_intervals(forest),
            ..Capabilities::default()
        }
    }

    fn as_forget_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Forget<Task = L::Task>> {
        match Settings::<L::Task>::check_forgetting(forest.settings()) {
            Ok(()) => L::as_forget_mut(forest),
            Err(_) => None,
        }
    }

    fn as_interval_learner_mut(forest: &mut Forest<Self>) -> Option<&mut dyn IntervalLearner> {
        L::as_interval_learner_mut(forest)
    }

    fn as_refine_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Refine> {
        Some(forest)
    }
}
