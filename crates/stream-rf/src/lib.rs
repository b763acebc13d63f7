//! WIP

mod active;
mod candidates;
mod chance;
mod counters;
mod evidence;
mod experiments;
mod features;
mod labels;
mod nodes;
mod queue;
mod rows;
mod saffari;
mod seen;
mod settings;
mod tree;

use forest_core::{Classification, Forest, Regression};

pub use features::{Axes, FeatureSpace, PixelPair, PixelPairs};
pub use forest_core::Vote;
pub use labels::{Labels, Moments};
pub use nodes::NodeId;
pub use saffari::{SaffariSettings, SaffariTree};
pub use settings::{FringeLimit, Growth, StreamSettings, Streams};
pub use tree::{NodeView, StreamTree};

/// Classes.
pub type StreamClassifier<S = Axes> = Forest<StreamTree<Classification, S>>;

/// Numbers.
pub type StreamRegressor<S = Axes> = Forest<StreamTree<Regression, S>>;

/// A forest of Saffari et al. that learns classes.
pub type SaffariClassifier<S = Axes> = Forest<SaffariTree<Classification, S>>;

/// A forest of Saffari et al. that learns numbers, which is our extension.
pub type SaffariRegressor<S = Axes> = Forest<SaffariTree<Regression, S>>;
