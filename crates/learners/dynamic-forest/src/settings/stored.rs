//! Settings as snapshots hold them.

use serde::{Deserialize, Serialize};

use super::DynamicSettings;

/// Variants 0 and 1 are the bytes of snapshots from before there were `min_samples_leaf` and `thresholds`, which began with an
/// `Option`; settings with the defaults of these two are still written so.
#[derive(Serialize, Deserialize)]
pub(super) enum Stored {
    DefaultFeatures {
        min_samples_split: u32,
        recheck: f64,
    },
    Features {
        max_features: u32,
        min_samples_split: u32,
        recheck: f64,
    },
    All {
        max_features: Option<u32>,
        min_samples_split: u32,
        min_samples_leaf: u32,
        thresholds: u32,
        recheck: f64,
    },
}

impl From<DynamicSettings> for Stored {
    fn from(settings: DynamicSettings) -> Self {
        let DynamicSettings {
            max_features,
            min_samples_split,
            min_samples_leaf,
            thresholds,
            recheck,
        } = settings;
        match (max_features, min_samples_leaf, thresholds) {
            (None, 1, 1) => Self::DefaultFeatures {
                min_samples_split,
                recheck,
            },
            (Some(max_features), 1, 1) => Self::Features {
                max_features,
                min_samples_split,
                recheck,
            },
            _ => Self::All {
                max_features,
                min_samples_split,
                min_samples_leaf,
                thresholds,
                recheck,
            },
        }
    }
}

impl From<Stored> for DynamicSettings {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::DefaultFeatures {
                min_samples_split,
                recheck,
            } => Self {
                min_samples_split,
                recheck,
                ..Self::default()
            },
            Stored::Features {
                max_features,
                min_samples_split,
                recheck,
            } => Self {
                max_features: Some(max_features),
                min_samples_split,
                recheck,
                ..Self::default()
            },
            Stored::All {
                max_features,
                min_samples_split,
                min_samples_leaf,
                thresholds,
                recheck,
            } => Self {
                max_features,
                min_samples_split,
                min_samples_leaf,
                thresholds,
                recheck,
            },
        }
    }
}
