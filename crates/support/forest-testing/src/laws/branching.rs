//! Where a point branches off: what label models say, against insertions into copies of the tree.

use forest_core::{ForestContext, OnlineTree, Regression, SampleId, SampleStore, TreeRng};
use tessellation_tree::{
    CutDistribution, Departure, GaussianHierarchy, Passage, Place, Subtree, TessellationSettings,
    TessellationTree,
};

use super::{Experiment, judge};
use crate::conformance::Broken;
use crate::statistics;

type Tree<D> = TessellationTree<D, GaussianHierarchy>;

/// A tree of all points but the last, which is where it is asked.
struct Asked<'a, D: CutDistribution> {
    store: SampleStore<Regression>,
    settings: TessellationSettings,
    experiment: &'a Experiment<'a, D>,
    tree: Tree<D>,
}

impl<'a, D: CutDistribution> Asked<'a, D> {
    fn new(experiment: &'a Experiment<'a, D>) -> Self {
        let mut asked = Self {
            store: experiment.store(),
            settings: TessellationSettings {
                cuts: experiment.settings.cuts.clone(),
                budget: experiment.settings.budget,
                ..TessellationSettings::default()
            },
            tree: Tree::new(experiment.features(), &experiment.settings.cuts),
            experiment,
        };
        let mut rng = TreeRng::new(experiment.seed, 0);
        for id in 0..asked.store.len() - 1 {
            let mut tree = asked.tree.clone();
            tree.learn(SampleId::new(id), &asked.context(), &mut rng);
            asked.tree = tree;
        }
        asked
    }

    fn context(&self) -> ForestContext<'_, Regression> {
        ForestContext {
            settings: &self.settings,
            samples: &self.store,
            outputs: (),
        }
    }

    fn x(&self) -> &[f32] {
        let last = self.experiment.points.len() - 1;
        &self.experiment.points[last]
    }

    /// Returns the nodes on the path of the point, and the probabilities of the model.
    fn passage(&self) -> (Vec<Place>, Passage) {
        let mut passage = Passage::default();
        let boxes = self.tree.labels().boxes();
        let places = self.tree.with_path(self.x(), |path| {
            boxes.pass(path, self.store.points(), &mut passage);
            (0..=path.steps.len())
                .map(|level| path.place(level))
                .collect()
        });
        (places.expect("the tree has samples"), passage)
    }

    /// Inserts the point into a copy: where it got a parent of its own, and when since the place's birth, if it did.
    fn insert(&self, places: &[Place], index: usize) -> Option<(usize, f64)> {
        let mut rng = TreeRng::new(self.experiment.seed + 1, index);
        let id = SampleId::new(self.store.len() - 1);
        let mut tree = self.tree.clone();
        tree.learn(id, &self.context(), &mut rng);
        if tree.leaf_at(self.x()) != Some(Subtree::Sample(id)) {
            return None;
        }
        let parent = tree.with_path(self.x(), |path| path.steps.last().copied())??;
        let beside = |place: &Place| place.subtree == parent.sibling();
        let place = places.iter().position(beside)?;
        Some((place, parent.time - places[place].birth))
    }
}

/// Checks that of [`Experiment::trees`] insertions of the last point, as many branch off at each node as the boxes say,
/// and as late. Holds without a limit on splitting and for a fixed budget.
///
/// # Errors
/// Returns the first respect in which they differ, with its p-value.
pub fn branching_off_has_its_law<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
) -> Result<(), Broken> {
    Broken::catch("branching_off_has_its_law", || branching_off(experiment))
}

fn branching_off<D: CutDistribution>(experiment: &Experiment<'_, D>) {
    let asked = Asked::<D>::new(experiment);
    let (nodes, passage) = asked.passage();
    let places = nodes.len();
    let mut counts = vec![0; places + 1];
    let mut delays = vec![Vec::new(); places];
    for index in 0..experiment.trees {
        let inserted = asked.insert(&nodes, index);
        counts[inserted.map_or(places, |(place, _)| place)] += 1;
        if let Some((place, delay)) = inserted {
            delays[place].push(delay);
        }
    }
    let departures = &passage.departures;
    let mut probabilities: Vec<f64> = departures.iter().map(|here| here.probability).collect();
    probabilities.push(passage.stays);
    let likely = |p: &&f64| **p * experiment.trees as f64 >= 20.0;
    let p = match probabilities.iter().filter(likely).count() {
        0 | 1 => statistics::same_probability(counts[places], experiment.trees, passage.stays),
        _ => statistics::has_frequencies(&counts, &probabilities),
    };
    judge("where the point leaves", p);
    for (departure, delays) in departures.iter().zip(delays) {
        let Departure { rate, limit, .. } = *departure;
        let discounts: Vec<f64> = delays.iter().map(|delay| (-3.0 * delay).exp()).collect();
        if delays.len() > 100 {
            let all = -(-rate * limit).exp_m1();
            let p = statistics::has_distribution(delays, |t| -(-rate * t).exp_m1() / all);
            judge("when it leaves", p);
            let p = statistics::same_mean(&discounts, departure.mean_discount(3.0));
            judge("the mean discount", p);
        }
    }
}
