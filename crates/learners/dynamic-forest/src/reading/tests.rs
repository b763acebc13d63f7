//! Readings against those of a walk that looks at all samples of every node.

use forest_core::{Forest, ForestSettings, Forget, OnlineLearner, Schema, TreeRng};

use super::*;
use crate::DynamicSettings;
use crate::nodes::{Below, Child};

const WIDTH: usize = 3;

/// Returns the classes of all samples below a child.
fn classes(tree: &Tree<Readable>, store: &SampleStore<Classification>, child: Child) -> Vec<u32> {
    match child.get() {
        Below::Nothing => Vec::new(),
        Below::Pure(first) => {
            let ids = tree.parts.links.list(first);
            ids.map(|id| store.target(id)).collect()
        }
        Below::Node(index) => {
            let (first, second) = tree.parts.nodes.get(index).below();
            let below = [Some(first), second].into_iter().flatten();
            below
                .flat_map(|child| classes(tree, store, child))
                .collect()
        }
    }
}

/// Returns the classes of each node on the way of a point, from the root.
fn path(tree: &Tree<Readable>, store: &SampleStore<Classification>, x: &[f32]) -> Vec<Vec<u32>> {
    let (mut path, mut next) = (Vec::new(), Some(tree.parts.nodes.root));
    while let Some(child) = next {
        path.push(classes(tree, store, child));
        let node = child.as_node().map(|index| tree.parts.nodes.get(index));
        next = node.and_then(|node| Some(node.children[node.as_cut()?.side(x)]));
    }
    path
}

fn expected(path: &[Vec<u32>], known: usize) -> Vec<f64> {
    let readings = ReadingTree::SIZES.iter().map(|&size| {
        let fits = path.iter().rev().find(|node| node.len() >= size as usize);
        let node = fits.unwrap_or(&path[0]);
        let share = |class| {
            node.iter().filter(|&&own| own as usize == class).count() as f64 / node.len() as f64
        };
        (0..known).map(share).collect::<Vec<_>>()
    });
    readings.flatten().collect()
}

fn compare(forest: &Forest<ReadingTree>, rng: &mut TreeRng) {
    let known = OnlineLearner::schema(forest).width();
    for _ in 0..5 {
        let x: Vec<f32> = (0..2).map(|_| rng.uniform() as f32).collect();
        let context = forest.context();
        for tree in forest.trees() {
            let mut readings = vec![f64::NAN; ReadingTree::SIZES.len() * known];
            tree.read(&x, context.samples, &mut readings);
            let path = path(&tree.0, context.samples, &x);
            assert_eq!(readings, expected(&path, known));
        }
    }
}

/// Samples come and go; trees grow beyond every size and shrink again.
#[test]
fn readings_are_the_frequencies_of_the_deepest_node_of_each_size() {
    for recheck in [0.0, 0.5] {
        let settings = DynamicSettings {
            recheck,
            ..DynamicSettings::default()
        };
        let trees = ForestSettings::default().with_trees(2).with_seed(4);
        let mut forest =
            Forest::<ReadingTree>::new(Schema::new(2).unwrap(), settings, trees).unwrap();
        let (mut rng, mut held) = (TreeRng::new(5, 0), Vec::new());
        for time in 0..700 {
            let grows = rng.below(10) < if time < 400 { 9 } else { 2 };
            if grows || held.len() < 2 {
                let x: Vec<f32> = (0..2).map(|_| rng.below(12) as f32 / 12.0).collect();
                let class = (x[0] * WIDTH as f32) as u32;
                let class = if rng.below(4) == 0 {
                    rng.below(WIDTH) as u32
                } else {
                    class
                };
                held.push(forest.samples_seen());
                forest.learn_one(&x, class).unwrap();
            } else {
                forest
                    .forget(held.swap_remove(rng.below(held.len())))
                    .unwrap();
            }
            compare(&forest, &mut rng);
        }
        forest.check_invariants().unwrap();
    }
}
