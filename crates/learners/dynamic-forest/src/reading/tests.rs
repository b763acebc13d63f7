//! Readings against those of a walk that looks at all samples of every node.

use forest_core::{ForestSettings, OnlineLearner, Schema, TreeRng};

use super::*;
use crate::nodes::Link;
use crate::{DynamicSettings, ReadingForest};

const WIDTH: usize = 3;

/// Returns the classes of each node on the way of a point, from the root.
fn path(tree: &ReadingTree, store: &SampleStore<Classification>, x: &[f32]) -> Vec<Vec<u32>> {
    let mut path = Vec::new();
    let mut link = Link::Root;
    loop {
        let mut classes = Vec::new();
        let mut below = vec![link];
        while let Some(link) = below.pop() {
            match tree.nodes.split_of(link) {
                Some((index, _)) => below.extend([Link::Side(index, 0), Link::Side(index, 1)]),
                None => {
                    let first = tree.nodes.first(tree.nodes.child(link)).into_iter();
                    let ids = first.flat_map(|first| tree.links.list(first));
                    classes.extend(ids.map(|id| store.target(id)));
                }
            }
        }
        if !classes.is_empty() {
            path.push(classes);
        }
        let Some((index, split)) = tree.nodes.split_of(link) else {
            return path;
        };
        link = Link::Side(index, split.side(x));
    }
}

fn expected(path: &[Vec<u32>], known: usize) -> Vec<f64> {
    let readings = SIZES.iter().map(|&size| {
        let fits = path.iter().rev().find(|node| node.len() >= size as usize);
        let node = fits.unwrap_or(&path[0]);
        let share = |class| {
            node.iter().filter(|&&own| own as usize == class).count() as f64 / node.len() as f64
        };
        (0..known).map(share).collect::<Vec<_>>()
    });
    readings.flatten().collect()
}

/// Samples come and go; trees grow beyond every size and shrink again.
#[test]
fn readings_are_the_frequencies_of_the_deepest_node_of_each_size() {
    for recheck in [0.0, 0.5] {
        let mut rng = TreeRng::new(5, 0);
        let mut held = Vec::new();
        let mut forest = forest(recheck, 1, 2);
        for time in 0..700 {
            let share = if time < 400 { 9 } else { 2 };
            changed(&mut forest, &mut rng, &mut held, share);
            let known = OnlineLearner::schema(&forest).width();
            let store = forest.samples();
            for _ in 0..5 {
                let x: Vec<f32> = (0..2).map(|_| rng.uniform() as f32).collect();
                for tree in forest.trees() {
                    let mut readings = vec![f64::NAN; SIZES.len() * known];
                    tree.read(&x, None, store, &mut readings);
                    assert_eq!(readings, expected(&path(tree, store, &x), known));
                }
            }
        }
        forest.check_invariants().unwrap();
    }
}

fn forest(recheck: f64, side: u32, trees: usize) -> ReadingForest {
    let settings = DynamicSettings {
        recheck,
        min_samples_leaf: side,
        ..DynamicSettings::default()
    };
    let trees = ForestSettings::default().with_trees(trees).with_seed(4);
    ReadingForest::new(Schema::new(2).unwrap(), settings, trees).unwrap()
}

/// A sample comes, in `share` of ten steps, or goes: a few distinct points, with labels of noise.
fn changed(forest: &mut ReadingForest, rng: &mut TreeRng, held: &mut Vec<u64>, share: usize) {
    if rng.below(10) >= share && held.len() >= 3 {
        let arrival = held.swap_remove(rng.below(held.len()));
        return forest.forget(arrival).unwrap();
    }
    let x: Vec<f32> = (0..2).map(|_| rng.below(12) as f32 / 12.0).collect();
    let noise = rng.below(WIDTH);
    let is_noise = rng.below(4) == 0;
    let class = (x[0] * WIDTH as f32) as usize;
    held.push(forest.samples_seen());
    let class = if is_noise { noise } else { class };
    forest.learn_one(&x, class as u32).unwrap();
}

/// Compares the readings at silent samples without themselves to those of forests that have forgotten them.
fn compare_left_out(forest: &ReadingForest, rng: &mut TreeRng) {
    let store = forest.samples();
    let first = forest.trees().next().unwrap();
    let width = SIZES.len() * OnlineLearner::schema(forest).width();
    let mut silent: Vec<_> = store.ids().collect();
    silent.retain(|&id| first.is_silent(id, store));
    if silent.is_empty() {
        return;
    }
    let some: Vec<_> = (0..4).map(|_| silent[rng.below(silent.len())]).collect();
    let mut found = Vec::new();
    left_out(forest, &some, &mut found);
    for (found, &id) in found.chunks(width).zip(&some) {
        let mut without = forest.clone();
        without.forget(store.arrival(id)).unwrap();
        let mut sum = vec![0.0; width];
        let mut reading = vec![f64::NAN; width];
        let mut trees = 0.0;
        for (tree, before) in without.trees().zip(forest.trees()) {
            if before.is_silent(id, store) {
                tree.read(store.features(id), None, without.samples(), &mut reading);
                accumulate(&mut sum, &reading);
                trees += 1.0;
            }
        }
        assert_eq!(trees, 4.0);
        sum.iter_mut().for_each(|cell| *cell /= trees);
        assert_eq!(sum, found);
    }
}

/// Compares the same to the samples of all nodes on the way without one of that class.
fn compare_with_paths(forest: &ReadingForest) {
    let store = forest.samples();
    let known = OnlineLearner::schema(forest).width();
    for tree in forest.trees() {
        for id in store.ids().filter(|&id| tree.is_silent(id, store)) {
            let x = store.features(id);
            let mut readings = vec![f64::NAN; SIZES.len() * known];
            tree.read(x, Some(id), store, &mut readings);
            let mut path = path(tree, store, x);
            for node in &mut path {
                let own = node.iter().position(|&class| class == store.target(id));
                node.swap_remove(own.unwrap());
            }
            assert_eq!(readings, expected(&path, known));
        }
    }
}

/// Samples come and go, and the share of silent ones falls and rises.
#[test]
fn a_silent_sample_is_left_out_as_if_it_had_never_come() {
    for (recheck, side) in [(0.0, 1), (0.5, 1), (0.0, 3), (0.5, 3)] {
        let mut rng = TreeRng::new(5, 0);
        let mut held = Vec::new();
        let mut forest = forest(recheck, side, 8);
        for time in 0..500 {
            let share = if time < 300 { 8 } else { 2 };
            changed(&mut forest, &mut rng, &mut held, share);
            if time % 50 == 10 {
                forest.refine_to([0.5, 0.4, 0.2, 0.3][time / 50 % 4]);
            }
            forest.check_invariants().unwrap();
            if time % 7 == 0 && held.len() > 2 {
                compare_with_paths(&forest);
                // A lazy tree may choose a split again where only a silent sample was.
                if recheck == 0.0 {
                    compare_left_out(&forest, &mut rng);
                }
            }
        }
    }
}
