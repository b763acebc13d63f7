//! Savings that shortcuts could bring to a boundary forest, counted on the walks of queries.

use std::iter::successors;

use anyhow::Result;
use boundary_forest::{
    BoundaryClassifier, BoundaryTree, ClassifierSettings, Euclidean, Metric, NodeId,
};
use forest_core::{OnlineLearner, Schema};

use super::Function;
use crate::record::Row;

/// Counts comparisons of a query in all trees, the distinct points among them, and the share of work that each shortcut would save.
pub(super) const SHORTCUTS: Function = Function {
    name: "shortcuts",
    parameters: &["data", "train", "queries", "trees"],
    run: |arguments| {
        let data = arguments.classes()?;
        let (train, labels) = data.train();
        let mut forest = BoundaryClassifier::<Euclidean>::new(
            Schema::new(train.ncols())?,
            ClassifierSettings::default(),
            arguments.forest()?,
        )?;
        forest.learn(train, labels)?;
        let queries = arguments.count("queries")?;
        let mut counts = Counts::default();
        for query in data.test().0.rows().into_iter().take(queries) {
            counts.query(&forest, &query.to_vec())?;
        }
        Ok(vec![counts.row(queries)])
    },
};

/// Features summed between checks whether a distance can still be the least.
const BLOCK: usize = 64;

#[derive(Default)]
struct Counts {
    comparisons: usize,
    distinct: usize,
    beyond_triangle: usize,
    beyond_norm: usize,
    blocks: usize,
    blocks_until_abandoned: usize,
}

impl Counts {
    fn query(&mut self, forest: &BoundaryClassifier, query: &[f32]) -> Result<()> {
        let mut seen = Vec::new();
        for (walk, tree) in forest.walks(query)?.iter().zip(forest.trees()) {
            self.comparisons += walk.comparisons;
            for node in successors(Some(walk.end), |&node| tree.parent(node)) {
                self.step(forest, tree, node, query);
                seen.extend(tree.children(node).map(|child| tree.sample(child)));
            }
            seen.push(tree.sample(NodeId::ROOT));
        }
        seen.sort_unstable();
        seen.dedup();
        self.distinct += seen.len();
        Ok(())
    }

    /// Counts at one node of a walk: its children against the closest so far, starting with the node itself.
    fn step(
        &mut self,
        forest: &BoundaryClassifier,
        tree: &BoundaryTree,
        node: NodeId,
        query: &[f32],
    ) {
        let place = |node| forest.samples().features(tree.sample(node));
        let from_node = distance(place(node), query);
        let mut least = from_node;
        for child in tree.children(node) {
            let point = place(child);
            let edge = distance(place(node), point);
            self.beyond_triangle += usize::from((from_node - edge).abs() > least);
            self.beyond_norm += usize::from((norm(point) - norm(query)).abs() > least);
            self.abandon(point, query, least);
            least = least.min(distance(point, query));
        }
    }

    /// Reads features until the sum of squares exceeds the least distance.
    fn abandon(&mut self, point: &[f32], query: &[f32], least: f64) {
        let blocks = point.chunks(BLOCK).zip(query.chunks(BLOCK));
        self.blocks += blocks.len();
        let mut sum = 0.0;
        for (a, b) in blocks {
            self.blocks_until_abandoned += 1;
            sum += Euclidean::proxy(a, b);
            if sum > least * least {
                break;
            }
        }
    }

    fn row(&self, queries: usize) -> Row {
        let share = |part: usize, of: usize| part as f64 / of as f64;
        Row::new("", "boundary forest", None)
            .with("comparisons", share(self.comparisons, queries))
            .with("distinct_points", share(self.distinct, queries))
            .with(
                "triangle_inequality",
                share(self.beyond_triangle, self.comparisons),
            )
            .with(
                "difference_of_norms",
                share(self.beyond_norm, self.comparisons),
            )
            .with(
                "features_read",
                share(self.blocks_until_abandoned, self.blocks),
            )
    }
}

fn distance(a: &[f32], b: &[f32]) -> f64 {
    Euclidean::distance(Euclidean::proxy(a, b))
}

fn norm(point: &[f32]) -> f64 {
    point
        .iter()
        .map(|&x| f64::from(x).powi(2))
        .sum::<f64>()
        .sqrt()
}
