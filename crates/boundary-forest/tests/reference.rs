//! Algorithms 1 and 2 written down once more, naively: the forest must grow the same trees and give the same
//! predictions on data full of ties.

use boundary_forest::BoundaryClassifier;
use forest_core::{Classification, OnlineLearner, TreeRng};
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
    /// Tree `own` of the online forest: after `BFInitialization`, the rest of the stream.
    fn online(stream: &'a Stream<Classification>, limit: usize, own: usize) -> Self {
        let mut rng = TreeRng::new(SEED, own);
        let mut others: Vec<_> = (0..TREES).filter(|&row| row != own).collect();
        rng.shuffle(&mut others);
        others.extend(TREES..stream.len());
        Self::rooted(stream, limit, rng, own, others)
    }

    /// Tree `own` of the offline forest: all rows in the tree's own random order.
    fn offline(stream: &'a Stream<Classification>, limit: usize, own: usize) -> Self {
        let mut rng = TreeRng::new(SEED, own);
        let mut order: Vec<_> = (0..stream.len()).collect();
        rng.shuffle(&mut order);
        let root = order.remove(0);
        Self::rooted(stream, limit, rng, root, order)
    }

    fn rooted(
        stream: &'a Stream<Classification>,
        limit: usize,
        rng: TreeRng,
        root: usize,
        others: Vec<usize>,
    ) -> Self {
        let mut tree = Self {
            stream,
            limit,
            rows: vec![root],
            children: vec![vec![]],
            rng,
        };
        others.into_iter().for_each(|row| tree.train(row));
        tree
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
        let distances = candidates.iter().map(|&node| self.distance(node, row));
        let least = distances.fold(f64::INFINITY, f64::min);
        let mut equal = candidates.to_vec();
        equal.retain(|&node| self.distance(node, row) == least);
        match equal[..] {
            [only] => only,
            _ => equal[rng.below(equal.len())],
        }
    }

    fn distance(&self, node: usize, row: usize) -> f64 {
        let [a, b] = [self.rows[node], row].map(|row| self.stream.features.row(row));
        let difference = a.mapv(f64::from) - b.mapv(f64::from);
        difference.mapv(|d| d * d).sum().sqrt()
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

fn empty(limit: usize) -> BoundaryClassifier {
    crate::forest(TREES, Some(limit as u32), 0.0, 3)
}

/// Asserts that every tree of `forest` has the samples and the children of the naive one.
#[track_caller]
fn same_trees<'a>(forest: &BoundaryClassifier, naive: impl Fn(usize) -> Naive<'a>) {
    for (own, tree) in forest.trees().enumerate() {
        let naive = naive(own);
        assert_eq!(tree.len(), naive.rows.len());
        for (node, (sample, &row)) in tree.samples().zip(&naive.rows).enumerate() {
            let features = forest.samples().features(sample);
            assert_eq!(features, naive.stream.features.row(row).to_slice().unwrap());
            assert_eq!(forest.samples().label(sample), [naive.stream.targets[row]]);
            assert!(tree.children(node).eq(naive.children[node].iter().copied()));
        }
    }
}

#[test]
fn the_trees_are_those_of_the_paper() {
    let stream = tied_stream(1200);
    let (rows, labels) = stream.part(0, stream.len());
    for limit in [2, 5, 50] {
        let mut forest = empty(limit);
        forest.learn(rows, labels).unwrap();
        same_trees(&forest, |own| Naive::online(&stream, limit, own));
        let mut offline = empty(limit);
        offline.learn_shuffled(rows, labels).unwrap();
        same_trees(&offline, |own| Naive::offline(&stream, limit, own));
        for forest in [forest, offline] {
            assert_eq!(forest.samples_seen(), 1200);
            forest.check_invariants().unwrap();
        }
    }
}

/// Equation 1 for each row, with labels at distance 0 averaged alone.
#[test]
fn the_predictions_are_those_of_the_paper() {
    let stream = tied_stream(400);
    let mut forest = empty(3);
    stream.teach(&mut forest, 0, stream.len()).unwrap();
    let predictions = forest.predict(stream.features.view()).unwrap();
    let naive = |own| Naive::online(&stream, 3, own);
    let trees: Vec<_> = (0..TREES).map(naive).collect();
    for row in 0..stream.len() {
        let mut votes = Vec::new();
        for tree in &trees {
            let end = tree.query(row, &mut tree.rng.clone());
            votes.push((stream.targets[tree.rows[end]], tree.distance(end, row)));
        }
        let is_exact = votes.iter().any(|vote| vote.1 == 0.0);
        let mut average = [0.0; 3];
        for (class, distance) in votes {
            average[class as usize] += if is_exact {
                f64::from(u8::from(distance == 0.0))
            } else {
                1.0 / distance
            };
        }
        let total: f64 = average.iter().sum();
        for (prediction, weight) in predictions.row(row).iter().zip(average) {
            assert!((prediction - weight / total).abs() < 1e-12, "row {row}");
        }
    }
}
