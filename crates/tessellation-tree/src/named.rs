//! Tessellation forests by name.

use std::any::Any;

use forest_core::{Classification, Forest, LearnWeighted, OnlineLearner, Regression, Widen};
use registry::parameters::Parameter;
use registry::{
    Capabilities, Declared, Entry, IntervalLearner, Intervals, Kind, NamedTask, NamedTree, Refine,
    Selector,
};

use crate::fields::{AGGREGATED, EMPIRICAL, HIERARCHICAL, INCREASING, LABELS};
use crate::planar::Planar;
use crate::{
    AggregatedClasses, AggregatedMeans, BranchOff, ClassFrequencies, CountedLabels,
    CutDistribution, GaussianHierarchy, KneserNey, LabelModel, LeafMeans, TessellationSettings,
    TessellationTree,
};

/// A distribution of cuts whose forests are known by name.
pub trait NamedCuts: CutDistribution<Settings: Declared> + Planar + 'static {
    /// How points branch off, for `labels=hierarchical`.
    type Branching: BranchOff<Settings: Declared> + 'static;

    /// Returns the rows that make forests with these cuts: as [`NamedTree::rows`].
    fn rows() -> &'static [&'static Entry];

    /// Returns a forest with these cuts as one that can continue with more features; none by default: see [`WidenCuts`](crate::WidenCuts).
    fn as_widen_mut<L: LabelModel>(
        forest: &mut Forest<TessellationTree<Self, L>>,
    ) -> Option<&mut dyn Widen<Task = L::Task>> {
        let _ = forest;
        None
    }
}

/// The forests with cuts `D` that a row makes: of each label model, and with each kind of budget.
#[derive(Debug)]
pub struct Tessellation<D: NamedCuts> {
    /// The label model by its word, if there is only one.
    pub only: Option<&'static str>,
    /// `budget`, with the default of the row.
    pub budget: Parameter,
    /// What a budget that grows depends on; empty if the row has fixed budgets only.
    pub schedule: &'static [Parameter],
    /// The other parameters, in groups; those of the label model come last.
    pub parameters: &'static [&'static [Parameter]],
    /// Returns the settings to start from with a fixed budget, for points of this number of features.
    pub fixed: Start<D>,
    /// Returns those with a budget that grows.
    pub increasing: Start<D>,
}

/// The settings that a row starts from, for points of a number of features.
pub type Start<D> = fn(usize) -> TessellationSettings<<D as CutDistribution>::Settings, ()>;

impl<D: NamedCuts> Tessellation<D> {
    /// Returns what makes forests that learn classes.
    pub fn classifiers(&'static self) -> Vec<Kind<Classification>> {
        self.chosen([
            (EMPIRICAL, Self::kinds::<ClassFrequencies>),
            (AGGREGATED, Self::kinds::<AggregatedClasses>),
            (HIERARCHICAL, Self::kinds::<KneserNey<D::Branching>>),
        ])
    }

    /// Returns what makes forests that learn numbers.
    pub fn regressors(&'static self) -> Vec<Kind<Regression>> {
        self.chosen([
            (EMPIRICAL, Self::kinds::<LeafMeans>),
            (AGGREGATED, Self::kinds::<AggregatedMeans>),
            (HIERARCHICAL, Self::kinds::<GaussianHierarchy<D::Branching>>),
        ])
    }

    fn chosen<T: NamedTask>(
        &'static self,
        models: [(&'static str, KindsOf<D, T>); 3],
    ) -> Vec<Kind<T>> {
        let models = models.into_iter();
        let chosen = models.filter(|(word, _)| self.only.is_none_or(|only| only == *word));
        chosen.flat_map(|(word, kinds)| kinds(self, word)).collect()
    }

    /// Returns the kinds with one label model: with a fixed budget and, if the row has one, with a schedule.
    fn kinds<L: CountedLabels<Settings: Declared> + 'static>(
        &'static self,
        word: &'static str,
    ) -> Vec<Kind<L::Task>> {
        let fixed = Selector::number(&self.budget);
        if self.schedule.is_empty() {
            return vec![self.kind::<L>(word, None, self.fixed)];
        }
        vec![
            self.kind::<L>(word, Some(fixed), self.fixed),
            self.kind::<L>(
                word,
                Some(Selector::word(&self.budget, INCREASING)),
                self.increasing,
            ),
        ]
    }

    fn kind<L: CountedLabels<Settings: Declared> + 'static>(
        &'static self,
        word: &'static str,
        budget: Option<Selector>,
        start: Start<D>,
    ) -> Kind<L::Task> {
        let grows = budget.is_some_and(|budget| budget.is_chosen_by(INCREASING));
        let schedule = self.schedule.iter().filter(|_| grows);
        let others = self.parameters.iter().copied().flatten();
        let own = [&self.budget].into_iter().chain(schedule).chain(others);
        let is_new = |model: &&Parameter| own.clone().all(|known| known.name != model.name);
        let of_model = L::Settings::parameters().into_iter().filter(is_new);
        let labels = self.only.is_none().then(|| Selector::word(&LABELS, word));
        Kind::new::<Forest<TessellationTree<D, L>>>(
            labels.into_iter().chain(budget),
            own.clone().chain(of_model),
            move |features| start(features).with_labels(L::Settings::default()),
        )
    }
}

type KindsOf<D, T> = fn(&'static Tessellation<D>, &'static str) -> Vec<Kind<T>>;

impl<D: NamedCuts, L: CountedLabels<Settings: Declared> + 'static> NamedTree
    for TessellationTree<D, L>
{
    fn rows() -> &'static [&'static Entry] {
        D::rows()
    }

    fn capabilities(forest: &Forest<Self>) -> Capabilities<'_> {
        let in_the_plane = forest.schema().features() == 2;
        let with_intervals = (forest as &dyn Any).downcast_ref::<WithIntervals<D>>();
        Capabilities {
            hard_vote: L::Task::as_hard_vote(forest),
            partition: Some(forest),
            explain: Some(forest),
            planar: in_the_plane.then_some(forest),
            intervals: with_intervals.map(|forest| forest as &dyn Intervals),
            ..Capabilities::default()
        }
    }

    fn as_weighted_mut(
        forest: &mut Forest<Self>,
    ) -> Option<&mut dyn LearnWeighted<Task = L::Task>> {
        L::as_weighted_mut(forest)
    }

    fn as_interval_learner_mut(forest: &mut Forest<Self>) -> Option<&mut dyn IntervalLearner> {
        let with_intervals = (forest as &mut dyn Any).downcast_mut::<WithIntervals<D>>();
        with_intervals.map(|forest| forest as &mut dyn IntervalLearner)
    }

    fn as_refine_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Refine> {
        Some(forest)
    }

    fn as_widen_mut(forest: &mut Forest<Self>) -> Option<&mut dyn Widen<Task = L::Task>> {
        D::as_widen_mut(forest)
    }
}

/// The forests with cuts `D` that tell how sure they are.
type WithIntervals<D> = Forest<TessellationTree<D, GaussianHierarchy<<D as NamedCuts>::Branching>>>;
