//! Where a point branches off: what label models say, against insertions into copies of the tree.

use forest_core::{ForestContext, OnlineTree, Regression, SampleId, SampleStore, TreeRng};
use forest_testing::conformance::Broken;
use forest_testing::statistics;
use tessellation_tree::{
    CutDistribution, LabelContext, Subtree, TessellationSettings, TessellationTree,
};

use crate::{Experiment, judge};
use label_models::{
    BranchOff, Delay, DrawSettings, Draws, GaussianHierarchy, GaussianSettings, Passage,
};

type Tree<D, B> = TessellationTree<D, GaussianHierarchy<B>>;

type SettingsOf<D, B> = TessellationSettings<
    <D as CutDistribution>::Settings,
    GaussianSettings<<B as BranchOff>::Settings>,
>;

/// A tree of all points but the last, which is where it is asked.
struct Asked<'a, D: CutDistribution, B: BranchOff> {
    store: SampleStore<Regression>,
    settings: SettingsOf<D, B>,
    experiment: &'a Experiment<'a, D>,
    tree: Tree<D, B>,
}

impl<'a, D: CutDistribution, B: BranchOff> Asked<'a, D, B> {
    fn new(experiment: &'a Experiment<'a, D>, branching: B::Settings) -> Self {
        let labels = GaussianSettings {
            branching,
            ..GaussianSettings::default()
        };
        let mut asked = Self {
            store: experiment.store(),
            settings: TessellationSettings {
                cuts: experiment.settings.cuts.clone(),
                labels,
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

    fn context(&self) -> ForestContext<'_, Tree<D, B>> {
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

    /// Returns the probabilities of the model.
    fn passage(&self) -> Passage {
        let mut passage = Passage::default();
        let path = self.tree.path(self.x()).expect("the tree has samples");
        let labels = LabelContext::<GaussianHierarchy<B>> {
            settings: &self.settings.labels,
            samples: &self.store,
        };
        let branching = self.tree.labels().branching();
        branching.pass(path, &labels.settings.branching, &self.store, &mut passage);
        passage
    }

    /// Inserts the point into a copy: the place where it got a parent of its own, and the time since the place's
    /// birth; `None` if it joined the leaf.
    fn insert(&self, passage: &Passage, index: usize) -> Option<(usize, f64)> {
        let mut rng = TreeRng::new(self.experiment.seed + 1, index);
        let (mut tree, id) = (self.tree.clone(), SampleId::new(self.store.len() - 1));
        tree.learn(id, &self.context(), &mut rng);
        let path: Vec<_> = tree.path(self.x())?.collect();
        let parent = path.last()?;
        if tree.leaf_at(self.x()) != Some(Subtree::Sample(id)) {
            return None;
        }
        let mut places = passage.places.iter();
        let place = places.position(|place| place.subtree == parent.sibling)?;
        Some((place, parent.time - passage.places[place].birth))
    }
}

/// Of [`Experiment::trees`] insertions of the last point into one tree of the others, as many branch off at each node as
/// `B` says, and as late.
///
/// Holds without a limit on splitting and for a fixed budget.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn branching_off_has_its_law<D: CutDistribution, B: BranchOff>(
    experiment: &Experiment<'_, D>,
    branching: B::Settings,
) -> Result<(), Broken> {
    let law = "branching_off_has_its_law";
    let asked = Asked::<D, B>::new(experiment, branching);
    let passage = asked.passage();
    let places = passage.places.len();
    let (mut counts, mut delays) = (vec![0; places + 1], vec![Vec::new(); places]);
    for index in 0..experiment.trees {
        let inserted = asked.insert(&passage, index);
        counts[inserted.map_or(places, |(place, _)| place)] += 1;
        if let Some((place, delay)) = inserted {
            delays[place].push(delay);
        }
    }
    let mut probabilities = vec![0.0; places];
    probabilities.push(passage.stays);
    for departure in &passage.departures {
        probabilities[departure.place] += departure.probability;
    }
    let likely = |p: &&f64| **p * experiment.trees as f64 >= 20.0;
    let p = match probabilities.iter().filter(likely).count() {
        0 | 1 => statistics::same_probability(counts[places], experiment.trees, passage.stays),
        _ => statistics::has_frequencies(&counts, &probabilities),
    };
    judge(law, "where the point leaves", p)?;
    for departure in &passage.departures {
        let Delay::Exponential { rate, limit } = departure.delay else {
            continue;
        };
        let delays = std::mem::take(&mut delays[departure.place]);
        let discounts: Vec<f64> = delays.iter().map(|delay| (-3.0 * delay).exp()).collect();
        if delays.len() > 100 {
            let all = -(-rate * limit).exp_m1();
            let p = statistics::has_distribution(delays, |t| -(-rate * t).exp_m1() / all);
            judge(law, "when it leaves", p)?;
            let p = statistics::same_mean(&discounts, departure.delay.mean_discount(3.0));
            judge(law, "the mean discount", p)?;
        }
    }
    Ok(())
}

/// The same of [`Draws`], of which as many are made: both samples have one distribution of place and time.
///
/// # Errors
/// The first respect in which they differ, with its p-value.
pub fn draws_have_the_law_of_insertions<D: CutDistribution>(
    experiment: &Experiment<'_, D>,
) -> Result<(), Broken> {
    let law = "draws_have_the_law_of_insertions";
    let draws = u32::try_from(experiment.trees).expect("a number of draws");
    let asked = Asked::<D, Draws>::new(experiment, DrawSettings { draws });
    let passage = asked.passage();
    let insert = |index| asked.insert(&passage, index);
    let inserted: Vec<_> = (0..experiment.trees).map(insert).collect();
    let stay = experiment.trees - passage.departures.len();
    let drawn = passage.departures.iter().map(|departure| {
        let Delay::Drawn(delay) = departure.delay else {
            unreachable!("draws draw");
        };
        Some((departure.place, delay))
    });
    let drawn: Vec<_> = drawn.chain(std::iter::repeat_n(None, stay)).collect();
    let place = |sample: &[Option<(usize, f64)>]| {
        let places = sample.iter().map(|drawn| drawn.map(|(place, _)| place));
        places.collect::<Vec<_>>().into_iter()
    };
    let p = statistics::same_frequencies(place(&inserted), place(&drawn));
    judge(law, "where the point leaves", p)?;
    let times = |sample: &[Option<(usize, f64)>]| {
        let time = |(place, delay): (usize, f64)| passage.places[place].birth + delay;
        sample.iter().filter_map(|drawn| drawn.map(time)).collect()
    };
    let p = statistics::same_distribution(times(&inserted), times(&drawn));
    judge(law, "when it leaves", p)
}
