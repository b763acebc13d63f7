//! Random tessellation forests: cuts of any direction, on the online tessellation tree.

mod buffer;
mod directions;
mod finite;
mod mixture;
mod normals;
mod sparse;
mod uniform;
mod weighted;

use forest_core::Forest;
use tessellation_tree::{ClassFrequencies, LeafMeans, TessellationTree};

pub use finite::{DirectionCuts, DirectionSettings};
pub use normals::LinearCut;
pub use sparse::{SparseCuts, SparseSettings};
pub use uniform::UniformCuts;
pub use weighted::{FeatureWeights, WeightedCuts};

/// A forest with distribution of cuts `D` that predicts class frequencies.
pub type Classifier<D> = Forest<TessellationTree<D, ClassFrequencies>>;

/// A forest with distribution of cuts `D` that predicts means.
pub type Regressor<D> = Forest<TessellationTree<D, LeafMeans>>;
