//! Trees as they are saved.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{DynamicTree, Kind, Parts, Tree};
use crate::Labels;

/// The first two take the bytes of a seed that is there or not, and of what follows it, which was all before samples had weights.
#[derive(Serialize, Deserialize)]
#[serde(bound = "", rename = "DynamicTree")]
enum Saved<'a, T: Labels> {
    Unseeded(Cow<'a, Parts<T>>),
    Plain(u64, Cow<'a, Parts<T>>),
    Weighed(Cow<'a, Tree<T::Weighed>>),
}

impl<T: Labels> Serialize for DynamicTree<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved: Saved<'_, T> = match &self.0 {
            Kind::Plain(Tree { seed: None, parts }) => Saved::Unseeded(Cow::Borrowed(parts)),
            Kind::Plain(Tree {
                seed: Some(seed),
                parts,
            }) => Saved::Plain(*seed, Cow::Borrowed(parts)),
            Kind::Weighed(tree) => Saved::Weighed(Cow::Borrowed(tree)),
        };
        saved.serialize(serializer)
    }
}

impl<'de, T: Labels> Deserialize<'de> for DynamicTree<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let plain = |seed, parts: Cow<'_, Parts<T>>| {
            let parts = parts.into_owned();
            Kind::Plain(Tree { seed, parts })
        };
        Ok(Self(match Saved::deserialize(deserializer)? {
            Saved::Unseeded(parts) => plain(None, parts),
            Saved::Plain(seed, parts) => plain(Some(seed), parts),
            Saved::Weighed(tree) => Kind::Weighed(tree.into_owned()),
        }))
    }
}
