//! Random trees: classes at the leaves of a tree that is drawn once.
//!
//! Paper: P. Domingos, G. Hulten, *Mining high-speed data streams*, KDD 2000, and the generator of MOA. `d` features are uniform in [0, 1].
//! The tree splits a feature drawn at random, at a point uniform in the part of [0, 1] that the path leaves of it. A node at depth
//! `depth` is a leaf, and one from depth `first` on with probability `leaves` / 100; a leaf has a class drawn at random. There is no noise:
//! the best possible accuracy is 1.
//!
//! MOA adds nominal features, which a path splits once each; here all are numbers.

use forest_core::parameters::{Parameter, Rule, Values};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::sample::{Outcome, Sampler, uniform};
use super::streams::{Streams, setup};
use super::{COMMON, Generator};

pub(super) const GENERATOR: Generator = Generator {
    name: "random-tree",
    title: "classes at the leaves of a random tree; best possible accuracy 1",
    parameters: &[
        Parameter::new("d", Rule::CountFromTo(1, 10_000), "10", "features"),
        Parameter::new("classes", Rule::CountFromTo(2, 1000), "2", "classes"),
        Parameter::new(
            "depth",
            Rule::CountFromTo(1, 20),
            "5",
            "depth of the deepest leaves",
        ),
        Parameter::new(
            "first",
            Rule::CountFromTo(1, 20),
            "3",
            "least depth of a leaf",
        ),
        Parameter::new(
            "leaves",
            Rule::CountFromTo(0, 100),
            "15",
            "nodes in 100 that are leaves from that depth on",
        ),
    ],
    common: &COMMON,
    sampler,
};

enum Node {
    Leaf(u32),
    Split {
        feature: usize,
        at: f32,
        children: Box<[Node; 2]>,
    },
}

/// How trees are drawn.
struct Shape {
    classes: u32,
    depth: usize,
    first: usize,
    leaves: f64,
}

struct RandomTree {
    width: usize,
    classes: u32,
    root: Node,
}

fn sampler(parameters: &Values) -> Box<dyn Sampler> {
    let mut random = setup(parameters.value("seed"));
    let shape = Shape {
        classes: parameters.value("classes"),
        depth: parameters.value("depth"),
        first: parameters.value("first"),
        leaves: parameters.value::<f64>("leaves") / 100.0,
    };
    let width = parameters.value("d");
    let mut cell = vec![[0.0, 1.0]; width];
    Box::new(RandomTree {
        width,
        classes: shape.classes,
        root: Node::draw(&shape, 0, &mut cell, &mut random),
    })
}

impl Node {
    /// Draws the tree of a cell, which has an interval of each feature.
    fn draw(shape: &Shape, depth: usize, cell: &mut [[f32; 2]], random: &mut ChaCha8Rng) -> Self {
        let may_end = depth >= shape.first && random.random::<f64>() < shape.leaves;
        if depth >= shape.depth || may_end {
            return Self::Leaf(random.random_range(0..shape.classes));
        }
        let feature = random.random_range(0..cell.len());
        let [low, high] = cell[feature];
        let at = low + (high - low) * random.random::<f32>();
        let mut child = |part: [f32; 2]| {
            cell[feature] = part;
            Self::draw(shape, depth + 1, cell, random)
        };
        let children = Box::new([child([low, at]), child([at, high])]);
        cell[feature] = [low, high];
        Self::Split {
            feature,
            at,
            children,
        }
    }

    fn class(&self, row: &[f32]) -> u32 {
        match self {
            Self::Leaf(class) => *class,
            Self::Split {
                feature,
                at,
                children,
            } => children[usize::from(row[*feature] >= *at)].class(row),
        }
    }
}

impl Sampler for RandomTree {
    fn width(&self) -> usize {
        self.width
    }

    fn classes(&self) -> Vec<String> {
        (0..self.classes).map(|class| class.to_string()).collect()
    }

    fn draw(&mut self, _: usize, streams: &mut Streams, row: &mut [f32]) -> Outcome {
        uniform(&mut streams.inputs, row);
        Outcome::Class(self.root.class(row))
    }

    fn best_accuracy(&self) -> Option<f64> {
        Some(1.0)
    }
}

#[cfg(test)]
mod tests {
    use forest_testing::statistics::{has_distribution, is_uniform, same_probability};

    use super::*;
    use crate::generators::labelled;

    /// Returns depth and class of every leaf, and the relative places of all splits of single features.
    fn visit(node: &Node, depth: usize, leaves: &mut Vec<(usize, u32)>) {
        match node {
            Node::Leaf(class) => leaves.push((depth, *class)),
            Node::Split { children, .. } => children
                .iter()
                .for_each(|child| visit(child, depth + 1, leaves)),
        }
    }

    #[test]
    fn leaves_have_the_depths_and_classes_that_were_asked_for() {
        let shape = Shape {
            classes: 4,
            depth: 5,
            first: 3,
            leaves: 0.15,
        };
        let mut random = setup(11);
        let (mut leaves, mut places) = (Vec::new(), Vec::new());
        for _ in 0..2000 {
            let mut cell = [[0.0, 1.0]; 3];
            let root = Node::draw(&shape, 0, &mut cell, &mut random);
            assert_eq!(cell, [[0.0, 1.0]; 3]);
            if let Node::Split { at, .. } = &root {
                places.push(f64::from(*at));
            }
            visit(&root, 0, &mut leaves);
        }
        assert!(has_distribution(places, |x| x.clamp(0.0, 1.0)) > 1e-4);
        let at = |depth: usize| leaves.iter().filter(|(found, _)| *found == depth).count();
        assert_eq!((0..3).map(at).sum::<usize>(), 0);
        // Eight nodes a tree have depth 3.
        assert!(same_probability(at(3), 16_000, 0.15) > 1e-4);
        assert!(same_probability(at(4), 2 * (16_000 - at(3)), 0.15) > 1e-4);
        assert_eq!(at(5), 2 * (2 * (16_000 - at(3)) - at(4)));
        let mut counts = [0; 4];
        leaves
            .iter()
            .for_each(|(_, class)| counts[*class as usize] += 1);
        assert!(is_uniform(&counts) > 1e-4, "{counts:?}");
    }

    #[test]
    fn a_tree_of_depth_1_is_a_cut() {
        let (data, labels) = labelled(&GENERATOR, "random-tree:d=1,depth=1,first=1,n=500,seed=3");
        let sides = [0, 1].map(|class| {
            let of_class = data
                .features
                .column(0)
                .to_vec()
                .into_iter()
                .zip(&labels)
                .filter(|(_, label)| **label == class);
            let values: Vec<f32> = of_class.map(|(x, _)| x).collect();
            (
                values.iter().copied().fold(1.0, f32::min),
                values.iter().copied().fold(0.0, f32::max),
            )
        });
        let is_cut = sides[0].1 < sides[1].0 || sides[1].1 < sides[0].0;
        assert!(is_cut, "{sides:?}");
        assert_eq!(data.best_accuracy, Some(1.0));
    }
}
