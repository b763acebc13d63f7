//! The update that cuts off new points alone, against its rule written out with boxes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use forest_core::{Forest, ForestSettings, OnlineLearner, SampleId, Schema, TreeRng};
use forest_testing::statistics;
use mondrian::{MondrianTree, TessellationSettings, fixed};
use tessellation_tree::{ClassFrequencies, Pause, Update};

/// The leaf that each sample is in, named by its first sample.
type Blocks = Vec<usize>;

const TREES: usize = 20_000;

/// Two of one class, another outside of their box and one inside of it, one outside of what these make, and one that
/// comes to the first of the other class, which is mostly alone.
const SAMPLES: [([f32; 2], u32); 7] = [
    ([0.2, 0.3], 0),
    ([0.7, 0.6], 0),
    ([0.9, 0.4], 1),
    ([0.4, 0.5], 0),
    ([0.5, 0.4], 1),
    ([0.1, 0.8], 0),
    ([0.95, 0.9], 0),
];

/// A node with the bounding box of its samples; if it is cut, when, across which feature, where, and its children.
#[derive(Clone)]
struct Boxed {
    lower: [f64; 2],
    upper: [f64; 2],
    samples: Vec<usize>,
    below: Option<(f64, usize, f64, Box<[Boxed; 2]>)>,
}

impl Boxed {
    fn of(id: usize, x: [f64; 2]) -> Self {
        Self {
            lower: x,
            upper: x,
            samples: vec![id],
            below: None,
        }
    }

    /// A leaf of at most `max_uncut` points is not cut.
    fn insert(&mut self, id: usize, birth: f64, max_uncut: usize, rng: &mut TreeRng) {
        let (x, class) = SAMPLES[id];
        let x = x.map(f64::from);
        let outside = |i: usize| (self.lower[i] - x[i]).max(x[i] - self.upper[i]).max(0.0);
        let extensions = [outside(0), outside(1)];
        let agree = self.samples.iter().all(|&other| SAMPLES[other].1 == class);
        let time = birth - (1.0 - rng.uniform()).ln() / (extensions[0] + extensions[1]);
        let end = self.below.as_ref().map_or(f64::INFINITY, |below| below.0);
        let old = self.clone();
        self.samples.push(id);
        for (i, &x) in x.iter().enumerate() {
            self.lower[i] = self.lower[i].min(x);
            self.upper[i] = self.upper[i].max(x);
        }
        let may_be_cut = !agree && self.samples.len() > max_uncut;
        if may_be_cut && time < end {
            let of_first = rng.uniform() * (extensions[0] + extensions[1]) < extensions[0];
            let feature = usize::from(!of_first);
            let edge = x[feature].clamp(old.lower[feature], old.upper[feature]);
            let threshold = x[feature] + rng.uniform() * (edge - x[feature]);
            let mut children = Box::new([old, Self::of(id, x)]);
            children.rotate_left(usize::from(x[feature] <= threshold));
            self.below = Some((time, feature, threshold, children));
        } else if let Some((time, feature, threshold, children)) = &mut self.below {
            children[usize::from(x[*feature] > *threshold)].insert(id, *time, max_uncut, rng);
        }
    }

    fn name_leaves(&self, partition: &mut Blocks) {
        match &self.below {
            Some((.., children)) => {
                children[0].name_leaves(partition);
                children[1].name_leaves(partition);
            }
            None => {
                for &id in &self.samples {
                    partition[id] = self.samples[0];
                }
            }
        }
    }
}

fn of_boxes(seed: u64, max_uncut: usize) -> Blocks {
    let mut rng = TreeRng::new(seed, 0);
    let mut tree = Boxed::of(0, SAMPLES[0].0.map(f64::from));
    (1..SAMPLES.len()).for_each(|id| tree.insert(id, 0.0, max_uncut, &mut rng));
    let mut partition = vec![0; SAMPLES.len()];
    tree.name_leaves(&mut partition);
    partition
}

fn grown(settings: TessellationSettings, trees: usize) -> Forest<MondrianTree<ClassFrequencies>> {
    let trees = ForestSettings::default().with_trees(trees).with_seed(3);
    Forest::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

fn partition(tree: &MondrianTree<ClassFrequencies>) -> Blocks {
    let mut partition = vec![0; tree.len()];
    for leaf in tree.leaves() {
        let first = leaf.samples().map(SampleId::index).min().unwrap();
        leaf.samples().for_each(|id| partition[id.index()] = first);
    }
    partition
}

/// Returns the p-value that trees of this update have the distribution of boxes that keep `boxes_uncut` points, where
/// they keep `max_uncut`.
fn p_of_boxes(update: Update, max_uncut: u32, boxes_uncut: usize) -> f64 {
    let settings = TessellationSettings {
        update,
        max_uncut,
        ..fixed(f64::INFINITY)
    };
    let mut forest = grown(settings, TREES);
    for (x, class) in SAMPLES {
        forest.learn_one(&x, class).unwrap();
    }
    let trees: Vec<Blocks> = forest.trees().map(partition).collect();
    let boxes = (0..TREES as u64).map(|seed| of_boxes(seed, boxes_uncut));
    let boxes: Vec<Blocks> = boxes.collect();
    statistics::same_frequencies(trees.into_iter(), boxes.into_iter())
}

/// Sees the conditional update, and a limit on uncut points that is off by one. χ², level 10⁻³ each.
#[test]
fn trees_have_the_law_of_the_rule_with_boxes() {
    for (update, uncut, boxes_uncut, same) in [
        (Update::NewPointOnly, 1, 1, true),
        (Update::Conditional, 1, 1, false),
        (Update::NewPointOnly, 2, 2, true),
        (Update::NewPointOnly, 2, 1, false),
        (Update::NewPointOnly, 3, 3, true),
        (Update::NewPointOnly, 3, 2, false),
    ] {
        let p = p_of_boxes(update, uncut, boxes_uncut);
        assert!(
            if same { p > 1e-3 } else { p < 1e-9 },
            "{update:?}, {uncut}: {p}"
        );
    }
}

/// A budget that grows, and refining, cut nothing between them either.
#[test]
fn points_that_share_a_leaf_stay_together() {
    for settings in [fixed(f64::INFINITY), mondrian::increasing(2.0, 2)] {
        let update = Update::NewPointOnly;
        let mut forest = grown(TessellationSettings { update, ..settings }, 5);
        let mut rng = TreeRng::new(4, 0);
        let mut before = vec![Blocks::new(); 5];
        for _ in 0..60 {
            let x = [(); 2].map(|()| rng.below(9) as f32 / 9.0);
            forest.learn_one(&x, rng.below(2) as u32).unwrap();
            forest.refine_to(0.0);
            forest.check_invariants().unwrap();
            for (tree, before) in forest.trees().zip(&mut before) {
                let now = partition(tree);
                assert_eq!(now[..before.len()], before[..]);
                *before = now;
            }
        }
        let shared = before.iter().flat_map(|of| of.iter().enumerate());
        assert!(shared.filter(|(id, first)| id != *first).count() > 20);
    }
}

#[test]
fn without_pauses_it_is_the_conditional_update() {
    let [one, other] = [Update::NewPointOnly, Update::Conditional].map(|update| {
        let settings = TessellationSettings {
            update,
            pause: Pause::Never,
            ..fixed(f64::INFINITY)
        };
        let mut forest = grown(settings, 20);
        for x in crate::uniform(50, 2, 5).rows() {
            forest.learn_one(&x.to_vec(), 0).unwrap();
        }
        forest
    });
    assert!(one.trees().eq(other.trees()));
}
