//! Settings as they are saved: those with the paper's insertion keep the form that they had before
//! there was any other, so older files can be read.

use serde::{Deserialize, Serialize};

use super::{ChildLimit, Insertion, RegressorSettings, TreeSettings};

/// The first two variants are those of [`ChildLimit`].
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) enum SavedTreeSettings {
    AtMost(u32),
    Unlimited,
    With(ChildLimit, Insertion),
}

impl From<TreeSettings> for SavedTreeSettings {
    fn from(settings: TreeSettings) -> Self {
        match (settings.max_children, settings.insertion) {
            (ChildLimit::AtMost(limit), Insertion::AtOnce) => Self::AtMost(limit),
            (ChildLimit::Unlimited, Insertion::AtOnce) => Self::Unlimited,
            (max_children, insertion) => Self::With(max_children, insertion),
        }
    }
}

impl From<SavedTreeSettings> for TreeSettings {
    fn from(saved: SavedTreeSettings) -> Self {
        let (max_children, insertion) = match saved {
            SavedTreeSettings::AtMost(limit) => (ChildLimit::AtMost(limit), Insertion::AtOnce),
            SavedTreeSettings::Unlimited => (ChildLimit::Unlimited, Insertion::AtOnce),
            SavedTreeSettings::With(max_children, insertion) => (max_children, insertion),
        };
        Self {
            max_children,
            insertion,
        }
    }
}

impl From<RegressorSettings> for (TreeSettings, f64) {
    fn from(settings: RegressorSettings) -> Self {
        let tree = TreeSettings {
            max_children: settings.max_children,
            insertion: settings.insertion,
        };
        (tree, settings.epsilon)
    }
}

impl From<(TreeSettings, f64)> for RegressorSettings {
    fn from((tree, epsilon): (TreeSettings, f64)) -> Self {
        Self {
            max_children: tree.max_children,
            insertion: tree.insertion,
            epsilon,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_is_read_as_it_was_written() {
        for max_children in [ChildLimit::AtMost(50), ChildLimit::Unlimited] {
            for insertion in [Insertion::AtOnce, Insertion::ShuffledBlocks(300)] {
                let tree = TreeSettings {
                    max_children,
                    insertion,
                };
                let settings = RegressorSettings::from((tree, 0.5));
                let bytes = postcard::to_allocvec(&settings).unwrap();
                assert_eq!(postcard::from_bytes(&bytes), Ok(settings));
                let old = postcard::to_allocvec(&(max_children, 0.5)).unwrap();
                assert_eq!(bytes == old, insertion == Insertion::AtOnce);
            }
        }
    }
}
