//! Tessellation forests by name.

use std::any::Any;

use forest_core::{Classification, Forest, LearnWeighted, OnlineLearner, Regression, Widen};
use registry::parameters::Parameter;
use registry::{
    Capabilities, Declared, Entry, IntervalLearner, Intervals, Kind, NamedTask, NamedTree, Refine,
};

use crate::fields::{AGGREGATED, EMPIRICAL, HIERARCHICAL, LABELS};
use crate::planar::Planar;
use crate::{
    AggregatedClasses, AggregatedMeans, BranchOff, ClassFrequencies, CountedLabels,
    CutDistribution, GaussianHierarchy, KneserNey, LabelModel, LabelSettings, LeafMeans,
    TessellationSettings, TessellationTree,
};

/// A distribution of cuts whose forests are known by name.
pub trait NamedCuts: CutDistribution<Settings: Declared> + Planar + 'static {
    /// How points branch off, for `labels=hierarchical`.
    type Branching: BranchOff<Settings: Declared> + 'static;

    /// The rows that make forests with these cuts: as [`NamedTree::rows`].
    fn rows() -> &'static [&'static Entry];

    /// A forest with these cuts as one that can go on with more features; none by default: see [`WidenCuts`](crate::WidenCuts).
    fn as_widen_mut<L: LabelModel>(
        forest: &mut Forest<TessellationTree<Self, L>>,
    ) -> Option<&mut dyn Widen<Task = L::Task>> {
        let _ = forest;
        None
    }

    /// The one of them that a forest with these settings is saved under: as [`NamedTree::row`].
    fn row<L: LabelSettings>(settings: &TessellationSettings<Self::Settings, L>) -> &'static Entry;
}

/// The forests with cuts `D` that a row makes: of each label model.
#[derive(Debug)]
pub struct Tessellation<D: NamedCuts> {
    /// The label model by its word, if there is only one.
    pub only: Option<&'static str>,
    /// The parameters, in groups; those of the label model come last.
    pub parameters: &'static [&'static [Parameter]],
    /// What is not the default of a parameter or of [`TessellationSettings`], for points of this number of features.
    pub start: fn(usize) -> TessellationSettings<D::Settings, ()>,
}

impl<D: NamedCuts> Tessellation<D> {
    /// Forests that learn classes.
    pub fn classifiers(&'static self) -> Vec<Kind<Classification>> {
        self.chosen([
            (EMPIRICAL, Self::kind::<ClassFrequencies>),
            (AGGREGATED, Self::kind::<AggregatedClasses>),
            (HIERARCHICAL, Self::kind::<KneserNey<D::Branching>>),
        ])
    }

    /// Forests that learn numbers.
    pub fn regressors(&'static self) -> Vec<Kind<Regression>> {
        self.chosen([
            (EMPIRICAL, Self::kind::<LeafMeans>),
            (AGGREGATED, Self::kind::<AggregatedMeans>),
            (HIERARCHICAL, Self::kind::<GaussianHierarchy<D::Branching>>),
        ])
    }

    fn chosen<T: NamedTask>(
        &'static self,
        models: [(&'static str, KindOf<D, T>); 3],
    ) -> Vec<Kind<T>> {
        let models = models.into_iter();
        let chosen = models.filter(|(word, _)| self.only.is_none_or(|only| only == *word));
        chosen.map(|(word, kind)| kind(self, word)).collect()
    }

    fn kind<L: CountedLabels<Settings: Declared> + 'static>(
        &'static self,
        word: &'static str,
    ) -> Kind<L::Task> {
        let own = self.parameters.iter().copied().flatten();
        let is_new = |model: &&Parameter| own.clone().all(|known| known.name != model.name);
        let of_model = L::Settings::parameters().into_iter().filter(is_new);
        Kind::new::<Forest<TessellationTree<D, L>>>(
            self.only.is_none().then_some((&LABELS, word)),
            own.clone().chain(of_model),
            |features| (self.start)(features).with_labels(L::Settings::default()),
        )
    }
}

type KindOf<D, T> = fn(&'static Tessellation<D>, &'static str) -> Kind<T>;

impl<D: NamedCuts, L: CountedLabels<Settings: Declared> + 'static> NamedTree
    for TessellationTree<D, L>
{
    fn rows() -> &'static [&'static Entry] {
        D::rows()
    }

    fn row(settings: &Self::Settings) -> &'static Entry {
        D::row(settings)
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
