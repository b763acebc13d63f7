//! The labels in one cell.

use crate::Labels;
use forest_core::{Classification, ForestContext, OnlineTree, Regression};

pub(crate) trait Histogram: Clone + Default {
    type Task: Labels<Target = Self::Label>;
    type Label: Copy + Send + Sync;

    /// How far votes may be off.
    const TOLERANCE: f64;

    fn add(&mut self, label: Self::Label);
    fn points(&self) -> f64;
    fn error(&self) -> f64;

    /// Returns the gain of a split with these children, in a leaf with this `first` structure label.
    fn gain(children: &[Self; 2], first: Self::Label) -> f64;

    /// Returns the accumulator of a leaf.
    fn accumulator(&self, width: usize) -> Vec<f64>;

    /// Asserts that a tree votes at `x` as a leaf with these labels.
    fn assert_vote<K: OnlineTree>(
        &self,
        tree: &K,
        x: &[f32],
        context: &ForestContext<'_, K::Task>,
    ) {
        let mut accumulator = vec![0.0; tree.accumulator_width(&context.outputs)];
        tree.vote(x, context, &mut accumulator);
        for (a, b) in accumulator.iter().zip(self.accumulator(accumulator.len())) {
            assert!((a - b).abs() <= Self::TOLERANCE, "{a} and {b}");
        }
    }
}

/// A count per class.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    counts: Vec<u32>,
    points: u32,
}

impl Classes {
    fn count(&self, class: usize) -> f64 {
        self.counts.get(class).copied().unwrap_or(0).into()
    }
}

fn phi(n: f64) -> f64 {
    if n == 0.0 { 0.0 } else { n * n.log2() }
}

impl Histogram for Classes {
    type Task = Classification;
    type Label = u32;
    const TOLERANCE: f64 = 0.0;

    fn add(&mut self, label: u32) {
        let label = label as usize;
        self.counts.resize(self.counts.len().max(label + 1), 0);
        self.counts[label] += 1;
        self.points += 1;
    }

    fn points(&self) -> f64 {
        self.points.into()
    }

    fn error(&self) -> f64 {
        let most = self.counts.iter().max().copied().unwrap_or(0);
        (self.points() - f64::from(most)) / self.points().max(1.0)
    }

    /// Algorithm 8, in the order that the crate sums it up in.
    fn gain(children: &[Self; 2], _: u32) -> f64 {
        let [left, right] = children;
        let [a, b] = [left.points(), right.points()];
        let n = a + b;
        let classes = 0..left.counts.len().max(right.counts.len());
        let mut whole = 0.0;
        let mut children = 0.0;
        for (l, r) in classes.map(|k| (left.count(k), right.count(k))) {
            whole += phi(l + r);
            children += phi(l) + phi(r);
        }
        ((phi(n) - whole) - (phi(a) + phi(b) - children)) / n.max(1.0)
    }

    fn accumulator(&self, width: usize) -> Vec<f64> {
        let points = self.points().max(1.0);
        (0..width).map(|class| self.count(class) / points).collect()
    }
}

/// Whole numbers, whose sums are exact in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers(Vec<f64>);

impl Numbers {
    fn sum(&self) -> f64 {
        self.0.iter().sum()
    }

    fn mean(&self) -> f64 {
        self.sum() / self.points()
    }
}

impl Histogram for Numbers {
    type Task = Regression;
    type Label = f64;
    const TOLERANCE: f64 = 1e-10;

    fn add(&mut self, label: f64) {
        self.0.push(label);
    }

    fn points(&self) -> f64 {
        self.0.len() as f64
    }

    fn error(&self) -> f64 {
        let mean = self.mean();
        let scatter: f64 = self.0.iter().map(|y| (y - mean).powi(2)).sum();
        scatter / self.points().max(1.0)
    }

    /// Returns the share of the variance that lies between the children. Numbers are taken relative to the first one,
    /// as the crate does: that way both round alike.
    fn gain(children: &[Self; 2], first: f64) -> f64 {
        let from_first = |side: &Self| Self(side.0.iter().map(|y| y - first).collect());
        let [left, right] = [&children[0], &children[1]].map(from_first);
        let all = Self([left.0.clone(), right.0.clone()].concat());
        let squares: f64 = all.0.iter().map(|y| y * y).sum();
        let distance = left.mean() - right.mean();
        let between = left.points() * right.points() / all.points() * distance * distance;
        let gain = between / (squares - all.mean() * all.sum());
        if gain.is_finite() { gain } else { 0.0 }
    }

    fn accumulator(&self, _: usize) -> Vec<f64> {
        match self.0.len() {
            0 => vec![0.0, 0.0],
            _ => vec![self.mean(), 1.0],
        }
    }
}
