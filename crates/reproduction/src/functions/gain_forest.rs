//! A batch random forest with a minimum of gain, which the code published with Denil et al. (2013) compares
//! with. The forests of libraries do not have such a minimum.

use forest_core::{TreeRng, argmax};
use ndarray::ArrayView2;

use super::{Function, mean};
use crate::record::Row;

/// Measures the accuracy on the standard test part, after the first `train` rows; `min_gain` is in bits.
pub(super) const GAIN_FOREST: Function = Function {
    name: "gain-forest",
    parameters: &["series", "data", "train", "trees", "min_gain"],
    run: |arguments| {
        let data = arguments.classes()?;
        let settings = Settings {
            min_gain: arguments.number("min_gain")?,
            ..PUBLISHED
        };
        let (rows, labels) = data.train();
        let trees = arguments.count("trees")?;
        let forest = Forest::fit(rows, labels, settings, trees, arguments.seed);
        let (test, labels) = data.test();
        let right = test.rows().into_iter().zip(labels).map(|(row, &label)| {
            let prediction = forest.predict(&row.to_vec());
            f64::from(u8::from(prediction == label as usize))
        });
        let row = Row::new("", &arguments.text("series")?, arguments.x);
        Ok(vec![row.with("accuracy", mean(right))])
    },
};

/// The offline settings of the published code, without its minimum of gain.
const PUBLISHED: Settings = Settings {
    features: 10,
    min_split: 10,
    min_leaf: 5,
    min_gain: 0.0,
};

/// Conditions of a split.
#[derive(Clone, Copy)]
struct Settings {
    /// Number of features that a node draws.
    features: usize,
    /// Minimum points of a node that is split, and of each of its children.
    min_split: usize,
    min_leaf: usize,
    /// Gain that a split must exceed, in bits.
    min_gain: f64,
}

/// Trees of bootstrap samples; a forest averages the frequencies of its leaves.
struct Forest(Vec<Tree>);

enum Node {
    Split(usize, f32, [usize; 2]),
    Leaf(Vec<f64>),
}

#[derive(Default)]
struct Tree(Vec<Node>);

/// The rows that trees learn from.
struct Data<'a> {
    rows: ArrayView2<'a, f32>,
    labels: &'a [u32],
    classes: usize,
    settings: Settings,
}

/// The best threshold of a feature.
struct Split {
    feature: usize,
    threshold: f32,
    gain: f64,
}

impl Forest {
    fn fit(
        rows: ArrayView2<'_, f32>,
        labels: &[u32],
        settings: Settings,
        trees: usize,
        seed: u64,
    ) -> Self {
        let data = Data {
            rows,
            labels,
            classes: labels.iter().max().map_or(0, |&most| most as usize + 1),
            settings,
        };
        let fit = |number| Tree::fit(&data, &mut TreeRng::new(seed, number));
        Self((0..trees).map(fit).collect())
    }

    fn predict(&self, point: &[f32]) -> usize {
        let mut sums = self.0[0].leaf(point).to_vec();
        for tree in &self.0[1..] {
            let frequencies = tree.leaf(point).iter();
            sums.iter_mut()
                .zip(frequencies)
                .for_each(|(sum, f)| *sum += f);
        }
        argmax(&sums)
    }
}

impl Tree {
    fn fit(data: &Data<'_>, rng: &mut TreeRng) -> Self {
        let count = data.labels.len();
        let mut rows: Vec<usize> = (0..count).map(|_| rng.below(count)).collect();
        let mut tree = Self::default();
        tree.grow(data, &mut rows, rng);
        tree
    }

    /// Appends the subtree of these rows and returns its root.
    fn grow(&mut self, data: &Data<'_>, rows: &mut [usize], rng: &mut TreeRng) -> usize {
        let here = self.0.len();
        self.0.push(Node::Leaf(data.frequencies(rows)));
        if let Some(split) = data.best_split(rows, rng) {
            let (feature, threshold) = (split.feature, split.threshold);
            rows.sort_by(|&a, &b| data.rows[[a, feature]].total_cmp(&data.rows[[b, feature]]));
            let left = rows.partition_point(|&row| data.rows[[row, feature]] <= threshold);
            let (left, right) = rows.split_at_mut(left);
            let children = [left, right].map(|rows| self.grow(data, rows, rng));
            self.0[here] = Node::Split(feature, threshold, children);
        }
        here
    }

    fn leaf(&self, point: &[f32]) -> &[f64] {
        let mut here = 0;
        loop {
            match &self.0[here] {
                Node::Leaf(frequencies) => return frequencies,
                Node::Split(feature, threshold, children) => {
                    here = children[usize::from(point[*feature] > *threshold)];
                }
            }
        }
    }
}

/// Returns n·log₂ n.
fn phi(n: f64) -> f64 {
    if n == 0.0 { 0.0 } else { n * n.log2() }
}

/// Returns the entropy of these counts times their sum.
fn entropy(counts: &[f64]) -> f64 {
    phi(counts.iter().sum()) - counts.iter().map(|&count| phi(count)).sum::<f64>()
}

impl Data<'_> {
    fn counts(&self, rows: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; self.classes];
        rows.iter()
            .for_each(|&row| counts[self.labels[row] as usize] += 1.0);
        counts
    }

    fn frequencies(&self, rows: &[usize]) -> Vec<f64> {
        let share = |count| count / rows.len() as f64;
        self.counts(rows).into_iter().map(share).collect()
    }

    /// Returns the best split of a few random features, if the node is large and the gain sufficient.
    fn best_split(&self, rows: &[usize], rng: &mut TreeRng) -> Option<Split> {
        if rows.len() < self.settings.min_split {
            return None;
        }
        let mut features: Vec<usize> = (0..self.rows.ncols()).collect();
        rng.shuffle(&mut features);
        features.truncate(self.settings.features);
        let splits = features
            .into_iter()
            .filter_map(|f| self.best_threshold(rows, f));
        let best = splits.max_by(|a, b| a.gain.total_cmp(&b.gain));
        best.filter(|best| best.gain > self.settings.min_gain)
    }

    /// Scans the rows in the order of a feature.
    fn best_threshold(&self, rows: &[usize], feature: usize) -> Option<Split> {
        let value = |row: usize| self.rows[[row, feature]];
        let mut rows = rows.to_vec();
        rows.sort_by(|&a, &b| value(a).total_cmp(&value(b)));
        let (mut left, mut right) = (vec![0.0; self.classes], self.counts(&rows));
        let (whole, mut best): (_, Option<Split>) = (entropy(&right), None);
        for (place, pair) in rows.windows(2).enumerate() {
            let class = self.labels[pair[0]] as usize;
            (left[class], right[class]) = (left[class] + 1.0, right[class] - 1.0);
            let smaller = (place + 1).min(rows.len() - place - 1);
            if value(pair[0]) == value(pair[1]) || smaller < self.settings.min_leaf {
                continue;
            }
            let gain = (whole - entropy(&left) - entropy(&right)) / rows.len() as f64;
            if best.as_ref().is_none_or(|best| gain > best.gain) {
                let threshold = value(pair[0]);
                best = Some(Split {
                    feature,
                    threshold,
                    gain,
                });
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use ndarray::Array2;

    use super::*;

    #[test]
    fn a_gain_of_one_bit_is_enough_for_a_threshold_of_one_bit_less_and_no_more() {
        let rows = Array2::from_shape_fn((200, 1), |(row, _)| row as f32);
        let labels: Vec<u32> = (0..200).map(|row| u32::from(row >= 100)).collect();
        let leaves = |min_gain| {
            let settings = Settings {
                features: 1,
                min_gain,
                ..PUBLISHED
            };
            let forest = Forest::fit(rows.view(), &labels, settings, 5, 1);
            let right =
                (0..200).filter(|&row| forest.predict(&[row as f32]) == usize::from(row >= 100));
            (forest.0.iter().all(|tree| tree.0.len() == 1), right.count())
        };
        // Bootstrap samples of two halves have a little less than a bit.
        assert!(leaves(1.01).0);
        let (only_roots, right) = leaves(0.9);
        assert!(!only_roots && right >= 195, "{right}");
    }
}
