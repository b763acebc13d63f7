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
mod settings;
mod tree;

use forest_core::{Classification, Forest, Regression};

pub use features::{Axes, FeatureSpace, PixelPair, PixelPairs};
pub use labels::{Labels, Moments};
pub use nodes::NodeId;
pub use settings::{FringeLimit, Growth, StreamSettings, Streams};
pub use tree::{NodeView, StreamTree};

/// Classes.
pub type StreamClassifier<S = Axes> = Forest<StreamTree<Classification, S>>;

/// Numbers.
pub type StreamRegressor<S = Axes> = Forest<StreamTree<Regression, S>>;
