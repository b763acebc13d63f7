//! Online BSP-Forests.

mod check;
mod contact;
mod cut;
mod few;
mod glance;
mod line;
mod measure;
mod pairs;
mod plane;
mod polygon;
mod pool;
mod settings;
mod shape;
mod store;
mod summaries;
mod window;

pub use cut::PairCut;
pub use measure::PairMeasure;
pub use pairs::{Axes, PairSettings, PairWeights};
pub use settings::{BUDGET_SCALE, PAPER_BUDGET_SCALE, exact, fixed, redraw};
pub use window::{Cell, cells};

use forest_core::Forest;
use tessellation_tree::{ClassFrequencies, LeafMeans, TessellationSettings, TessellationTree};

/// A BSP tree with label model `L`.
pub type BspTree<L> = TessellationTree<PairMeasure, L>;

/// A BSP-Forest that predicts class frequencies.
pub type BspClassifier = Forest<BspTree<ClassFrequencies>>;

/// A BSP-Forest that predicts means.
pub type BspRegressor = Forest<BspTree<LeafMeans>>;

/// Settings of a BSP-Forest.
pub type BspSettings = TessellationSettings<PairSettings>;
