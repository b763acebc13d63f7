//! Algorithms 1 and 2 written down once more, naively: the forest must grow the same trees and give
//! the same predictions on data full of ties.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use boundary_forest::{BoundaryClassifier, ChildLimit, TreeSettings};
use forest_core::{Classification, ForestSettings, OnlineLearner, Schema, TreeRng};
use forest_testing::conformance::Stream;

/// A tree of rows of a stream, with lists of children.
struct Naive<'a> {
    stream: &'a Stream<Classification>,
    limit: usize,
    rows: Vec<usize>,
    children: Vec<Vec<usize>>,
    rng: TreeRng,
}

impl<'a> Naive<'a> {
    /// Tree `own` after `BFInitialization`.
    fn initial(stream: &'a Stream<Classification>, limit: usize, own: usize) -> Self {
        let mut rng = TreeRng::new(SEED, own);
        let mut others: Vec<_> = (0..TREES).filter(|&row| row != own).collect();
        rng.shuffle(&mut others);
        Self::rooted(stream, limit, rng, own).trained(others)
    }

    /// Tree `own` of the online forest.
    fn online(stream: &'a Stream<Classification>, limit: usize, own: usize) -> Self {
        Self::initial(stream, limit, own).trained(TREES..stream.len())
    }

    /// Tree `own` of the offline forest: all rows in the tree's own random order.
    fn offline(stream: &'a Stream<Classification>, limit: usize, own: usize) -> Self {
        let mut rng = TreeRng::new(SEED, own);
        let mut order: Vec<_> = (0..stream.len()).collect();
        rng.shuffle(&mut order);
        let root = order.remove(0);
        Self::rooted(stream, limit, rng, root).trained(order)
    }

    fn rooted(stream: &'a Stream<Classification>, limit: usize, rng: TreeRng, root: usize) -> Self {
        Self {
            stream,
            limit,
            rows: vec![root],
            children: vec![vec![]],
            rng,
        }
    }

    fn trained(mut self, rows: impl IntoIterator<Item = usize>) -> Self {
        rows.into_iter().for_each(|row| self.train(row));
        self
    }

    fn train(&mut self, row: usize) {
        let mut rng = self.rng.clone();
        let parent = self.query(row, &mut rng);
        self.rng = rng;
        if self.stream.targets[self.rows[parent]] != self.stream.targets[row] {
            self.children[parent].push(self.rows.len());
            self.rows.push(row);
            self.children.push(vec![]);
        }
    }

    /// `BTQuery`: the node where a walk for `row` ends.
    fn query(&self, row: usize, rng: &mut TreeRng) -> usize {
        let mut here = 0;
        loop {
            let children = self.children[here].iter().copied();
            let stays = self.children[here].len() < self.limit;
            let candidates: Vec<_> = children.chain(stays.then_some(here)).collect();
            let next = self.closest(&candidates, row, rng);
            if next == here {
                return here;
            }
            here = next;
        }
    }

    fn closest(&self, candidates: &[usize], row: usize, rng: &mut TreeRng) -> usize {
        let distance = |node: &usize| self.distance(*node, row);
        let least = candidates
            .iter()
            .map(distance)
            .fold(f64::INFINITY, f64::min);
        let equal: Vec<_> = candidates
            .iter()
            .filter(|node| distance(node) == least)
            .collect();
        match equal[..] {
            [only] => *only,
            _ => *equal[rng.below(equal.len())],
        }
    }

    fn distance(&self, node: usize, row: usize) -> f64 {
        let [a, b] = [self.rows[node], row].map(|row| self.stream.features.row(row));
        let squares = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| (f64::from(a) - f64::from(b)).powi(2));
        squares.sum::<f64>().sqrt()
    }
}

const TREES: usize = 6;

const SEED: u64 = 3;

/// Returns a stream on a grid of 64 cells, where most walks meet ties and most positions occur often.
fn tied_stream(rows: usize) -> Stream<Classification> {
    let mut stream = Stream::uniform(rows, 3, 41);
    stream
        .features
        .mapv_inplace(|value| (value * 4.0).floor() / 4.0);
    let mut rng = TreeRng::new(42, 0);
    stream.targets.fill_with(|| rng.below(3) as u32);
    stream
}

fn settings(limit: usize) -> TreeSettings {
    TreeSettings {
        max_children: ChildLimit::AtMost(limit as u32),
        ..TreeSettings::default()
    }
}

fn online(stream: &Stream<Classification>, settings: TreeSettings) -> BoundaryClassifier {
    let schema = Schema::new(3).unwrap();
    let mut forest = BoundaryClassifier::new(
        schema,
        settings,
        ForestSettings::default().with_trees(TREES).with_seed(SEED),
    )
    .unwrap();
    stream.teach(&mut forest, 0, stream.len()).unwrap();
    forest
}

fn offline(stream: &Stream<Classification>, limit: usize) -> BoundaryClassifier {
    let (schema, (rows, labels)) = (Schema::new(3).unwrap(), stream.part(0, stream.len()));
    let settings = settings(limit);
    BoundaryClassifier::offline(
        schema,
        settings,
        ForestSettings::default().with_trees(TREES).with_seed(SEED),
        rows,
        labels,
    )
    .unwrap()
}

/// Asserts that every tree of `forest` has the samples and the children of the naive one.
#[track_caller]
fn same_trees<'a>(forest: &BoundaryClassifier, naive: impl Fn(usize) -> Naive<'a>) {
    for (own, tree) in forest.trees().enumerate() {
        let naive = naive(own);
        assert_eq!(tree.len(), naive.rows.len());
        for (node, &row) in tree.nodes().zip(&naive.rows) {
            let sample = tree.sample(node);
            let features = forest.samples().features(sample);
            assert_eq!(features, naive.stream.features.row(row).to_slice().unwrap());
            assert_eq!(forest.samples().label(sample), [naive.stream.targets[row]]);
            let children: Vec<_> = tree.children(node).map(|child| child.index()).collect();
            assert_eq!(children, naive.children[node.index()]);
        }
    }
}

#[test]
fn the_trees_are_those_of_the_paper() {
    let stream = tied_stream(1500);
    for limit in [2, 5, 50] {
        let forest = online(&stream, settings(limit));
        same_trees(&forest, |own| Naive::online(&stream, limit, own));
    }
}

#[test]
fn the_offline_trees_are_those_of_the_paper() {
    let stream = tied_stream(1000);
    for limit in [2, 5, 50] {
        let forest = offline(&stream, limit);
        same_trees(&forest, |own| Naive::offline(&stream, limit, own));
        assert_eq!(forest.samples_seen(), 1000);
        forest.check_invariants().unwrap();
    }
}

#[test]
fn the_predictions_are_those_of_the_paper() {
    let stream = tied_stream(400);
    let forest = online(&stream, settings(3));
    let predictions = forest.predict(stream.features.view()).unwrap();
    let naive = |own| Naive::online(&stream, 3, own);
    let trees: Vec<_> = (0..TREES).map(naive).collect();
    for row in 0..stream.len() {
        let expected = shepard(&trees, row);
        for (prediction, expected) in predictions.row(row).iter().zip(expected) {
            assert!((prediction - expected).abs() < 1e-12, "row {row}");
        }
    }
}

/// Equation 1 for a row, with labels at distance 0 averaged alone.
fn shepard(trees: &[Naive<'_>], row: usize) -> [f64; 3] {
    let votes: Vec<_> = trees
        .iter()
        .map(|tree| {
            let end = tree.query(row, &mut tree.rng.clone());
            (tree.stream.targets[tree.rows[end]], tree.distance(end, row))
        })
        .collect();
    let exact = votes.iter().any(|vote| vote.1 == 0.0);
    let mut average = [0.0; 3];
    for (class, distance) in votes {
        average[class as usize] += if exact {
            f64::from(u8::from(distance == 0.0))
        } else {
            1.0 / distance
        };
    }
    let total: f64 = average.iter().sum();
    average.map(|weight| weight / total)
}
