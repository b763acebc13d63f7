//! Words that distinguish things of the same name.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::number;
use crate::record::{Setting, task_name};

/// Hexadecimal digits of a digest that are shown.
const DIGITS: usize = 8;

/// Returns words for each of `count` things, of the fewest aspects that distinguish whatever all aspects do. An aspect has a word for
/// each, which may be empty. The words are empty where all are alike.
pub(super) fn distinguish(
    count: usize,
    aspects: impl IntoIterator<Item = Vec<String>>,
) -> Vec<String> {
    let mut chosen: Vec<Vec<String>> = vec![Vec::new(); count];
    for words in aspects {
        let kinds = |words: &[Vec<String>]| words.iter().collect::<BTreeSet<_>>().len();
        let mut more = chosen.clone();
        for (all, word) in more.iter_mut().zip(words) {
            all.push(word);
        }
        if kinds(&more) > kinds(&chosen) {
            chosen = more;
        }
    }
    let words = chosen.into_iter().map(|mut words| {
        words.retain(|word| !word.is_empty());
        words.join(", ")
    });
    words.collect()
}

/// Returns words for each setting that distinguish it from others of the same data set and protocol.
pub(super) fn of_settings(settings: &[&Setting]) -> Vec<String> {
    let mut groups: IndexMap<_, Vec<usize>> = IndexMap::new();
    for (place, setting) in settings.iter().enumerate() {
        let key = (&setting.dataset, setting.protocol);
        groups.entry(key).or_default().push(place);
    }
    let mut words = vec![String::new(); settings.len()];
    for places in groups.values() {
        let aspects = ASPECTS.map(|aspect| {
            let words = places.iter().map(|&place| aspect(settings[place]));
            words.collect()
        });
        for (&place, reported) in places.iter().zip(distinguish(places.len(), aspects)) {
            words[place] = reported;
        }
    }
    words
}

/// The aspects in which settings may differ; a user's choices come before digests.
const ASPECTS: [fn(&Setting) -> String; 9] = [
    |setting| {
        let target = setting.target.as_ref();
        target.map_or_else(String::new, |name| format!("target {name}"))
    },
    |setting| task_name(setting.task).to_owned(),
    |setting| format!("data {}", start(&setting.data_sha256)),
    |setting| number::counted(setting.n_features, "feature"),
    |setting| format!("{} learned", number::counted(setting.n_train, "row")),
    |setting| before(&setting.split, ", windows of"),
    |setting| {
        let late = |delay| format!("labels {} late", number::counted(delay, "row"));
        setting.delay.map_or_else(String::new, late)
    },
    |setting| before(&setting.preprocessing, ", fitted on"),
    |setting| format!("rows {}", start(&setting.rows_sha256)),
];

/// Returns the beginning of a text, before words that follow from the rest.
pub(super) fn before(text: &str, words: &str) -> String {
    text.split(words).next().unwrap_or(text).to_owned()
}

/// Returns the first digits of a digest.
fn start(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(aspects: &[&[&str]]) -> Vec<String> {
        let owned = |words: &&[&str]| words.iter().map(|&word| word.to_owned()).collect();
        distinguish(aspects[0].len(), aspects.iter().map(owned))
    }

    #[test]
    fn the_fewest_aspects_that_distinguish_all_are_named() {
        assert_eq!(words(&[&["a", "a"], &["b", "b"]]), ["", ""]);
        assert_eq!(words(&[&["a", "a"], &["b", "c"], &["d", "e"]]), ["b", "c"]);
        let three: [&[&str]; 3] = [&["x", "", ""], &["b", "b", "c"], &["d", "e", "f"]];
        assert_eq!(words(&three), ["x, b", "b", "c"]);
    }
}
