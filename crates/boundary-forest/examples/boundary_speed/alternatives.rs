//! What other shortcuts could save on MNIST, counted on the walks of a forest that has learned it.

use std::fmt::Write;

use boundary_forest::{
    BoundaryClassifier, BoundaryTree, ClassifierSettings, Euclidean, Metric, NodeId,
};
use forest_core::{ForestSettings, OnlineLearner, Schema};

use crate::common::Split;

/// Queries counted.
const QUERIES: usize = 500;

/// Features summed between two looks at whether a distance can still be the least.
const BLOCK: usize = 64;

#[derive(Default)]
struct Counts {
    comparisons: usize,
    distinct: usize,
    beyond_triangle: usize,
    blocks: usize,
    blocks_until_abandoned: usize,
    beyond_norm: usize,
}

/// The report, as Markdown.
pub fn report(split: &Split) -> Result<String, Box<dyn std::error::Error>> {
    let forest = learned(split)?;
    let (queries, mut counts) = (split.test().0, Counts::default());
    for query in queries.rows().into_iter().take(QUERIES) {
        let query = query.to_slice().ok_or("rows are contiguous")?;
        counts.query(&forest, query)?;
    }
    Ok(counts.written()?)
}

fn learned(split: &Split) -> Result<BoundaryClassifier, Box<dyn std::error::Error>> {
    let (rows, labels) = split.train();
    let schema = Schema::new(rows.ncols())?;
    let settings = ClassifierSettings::default();
    let mut forest = BoundaryClassifier::<Euclidean>::new(
        schema,
        settings,
        ForestSettings {
            trees: 50,
            seed: 0,
            ..ForestSettings::default()
        },
    )?;
    forest.learn(rows, labels)?;
    Ok(forest)
}

impl Counts {
    fn query(
        &mut self,
        forest: &BoundaryClassifier,
        query: &[f32],
    ) -> Result<(), Box<dyn std::error::Error>> {
        let mut seen = Vec::new();
        for (walk, tree) in forest.walks(query)?.iter().zip(forest.trees()) {
            self.comparisons += walk.comparisons;
            let path = std::iter::successors(Some(walk.end), |&node| tree.parent(node));
            for node in path {
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

    /// One node of a walk: its children against the closest of them so far, the node itself first.
    fn step(
        &mut self,
        forest: &BoundaryClassifier,
        tree: &BoundaryTree,
        node: NodeId,
        query: &[f32],
    ) {
        let place = |node| forest.samples().features(tree.sample(node));
        let from_node = Euclidean::proxy(place(node), query).sqrt();
        let mut least = from_node;
        for child in tree.children(node) {
            let point = place(child);
            let edge = Euclidean::proxy(place(node), point).sqrt();
            self.beyond_triangle += usize::from((from_node - edge).abs() > least);
            self.beyond_norm += usize::from((norm(point) - norm(query)).abs() > least);
            self.abandon(point, query, least);
            least = least.min(Euclidean::proxy(point, query).sqrt());
        }
    }

    fn abandon(&mut self, point: &[f32], query: &[f32], least: f64) {
        let blocks = point.chunks(BLOCK).zip(query.chunks(BLOCK));
        let mut sum = 0.0;
        for (a, b) in blocks.clone() {
            self.blocks_until_abandoned += 1;
            sum += Euclidean::proxy(a, b);
            if sum > least * least {
                break;
            }
        }
        self.blocks += blocks.len();
    }

    fn written(&self) -> Result<String, std::fmt::Error> {
        let percent = |part: usize, of: usize| 100.0 * part as f64 / of as f64;
        let mut text = String::from(TITLE);
        let rows = [
            (
                "comparisons per query, all trees",
                self.comparisons as f64 / QUERIES as f64,
            ),
            (
                "distinct points among them: what sharing leaves",
                self.distinct as f64 / QUERIES as f64,
            ),
            (
                "% of comparisons that the triangle inequality with stored parent–child distances decides",
                percent(self.beyond_triangle, self.comparisons),
            ),
            (
                "% of comparisons that the difference of norms decides",
                percent(self.beyond_norm, self.comparisons),
            ),
            (
                "% of features read if a sum is abandoned once it exceeds the least so far",
                percent(self.blocks_until_abandoned, self.blocks),
            ),
        ];
        for (what, value) in rows {
            writeln!(text, "| {what} | {value:.1} |")?;
        }
        Ok(text)
    }
}

fn norm(point: &[f32]) -> f64 {
    point
        .iter()
        .map(|&x| f64::from(x).powi(2))
        .sum::<f64>()
        .sqrt()
}

const TITLE: &str = "\
What other shortcuts could save, counted on the walks of 500 MNIST queries through a forest that has learned all
60000 rows (`n_T` = 50, `k` = 50). Made by `cargo run --release -p boundary-forest --example boundary_speed`.

| count | value |
|---|---|
";
