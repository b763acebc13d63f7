//! What is drawn of a tree, whatever its measure and task.

use anyhow::{Result, bail};
use forest_core::Forest;
use online_forests::{AnyClassifier, AnyRegressor};
use tessellation_tree::planar::{Planar, Point, Shape};
use tessellation_tree::{LabelModel, TessellationTree};

/// A node of the tree, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// Its hull if it is a leaf: those above would hide each other.
    pub hull: Option<Vec<Point>>,
    /// Where its cut crosses its cell; leaves have none.
    pub cut: Option<[Point; 2]>,
}

/// Learners whose trees can be drawn.
pub trait Drawable {
    /// The nodes of the first tree in a convex `window`.
    ///
    /// # Errors
    /// If the algorithm does not divide the plane by cuts.
    fn drawn(&self, window: &[Point]) -> Result<Vec<Drawn>>;
}

impl Drawable for AnyClassifier {
    fn drawn(&self, window: &[Point]) -> Result<Vec<Drawn>> {
        match self {
            Self::Mondrian(forest) => Ok(first_tree(forest, window)),
            Self::Bsp(forest) => Ok(first_tree(forest, window)),
            Self::Uniform(forest) => Ok(first_tree(forest, window)),
            Self::Weighted(forest) => Ok(first_tree(forest, window)),
            Self::Sparse(forest) => Ok(first_tree(forest, window)),
            Self::Directions(forest) => Ok(first_tree(forest, window)),
            _ => bail!("{NO_CUTS}"),
        }
    }
}

impl Drawable for AnyRegressor {
    fn drawn(&self, window: &[Point]) -> Result<Vec<Drawn>> {
        match self {
            Self::Mondrian(forest) => Ok(first_tree(forest, window)),
            Self::Bsp(forest) => Ok(first_tree(forest, window)),
            Self::Uniform(forest) => Ok(first_tree(forest, window)),
            Self::Weighted(forest) => Ok(first_tree(forest, window)),
            Self::Sparse(forest) => Ok(first_tree(forest, window)),
            Self::Directions(forest) => Ok(first_tree(forest, window)),
            _ => bail!("{NO_CUTS}"),
        }
    }
}

const NO_CUTS: &str = "it does not divide the plane by cuts; try `mondrian` or `obsp`";

fn first_tree<D: Planar, L: LabelModel>(
    forest: &Forest<TessellationTree<D, L>>,
    window: &[Point],
) -> Vec<Drawn> {
    let shapes = |tree| TessellationTree::shapes(tree, window, forest.samples());
    let drawn = |Shape {
                     node, hull, cut, ..
                 }: Shape<'_, D, L>| Drawn {
        hull: node.is_leaf().then_some(hull),
        cut,
    };
    forest.trees().take(1).flat_map(shapes).map(drawn).collect()
}
