//! Words that tell things apart which would have the same name.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use crate::number;
use crate::record::{Setting, task_name};

/// Hexadecimal digits of a digest that are shown.
const DIGITS: usize = 8;

/// Words for each of `count` things: of as few aspects as tell apart all that some aspect does. An aspect has a word for
/// each, which may be empty. Nothing is said where all are alike.
pub(super) fn tell_apart(
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

/// Words for each setting that tell it apart from others of the same data set and protocol.
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
        for (&place, reported) in places.iter().zip(tell_apart(places.len(), aspects)) {
            words[place] = reported;
        }
    }
    words
}

/// In what settings may differ; what a user chose comes before digests.
const ASPECTS: [fn(&Setting) -> String; 10] = [
    |setting| match setting.names_its_rows() {
        true => String::new(),
        false => "recorded by an older version".to_owned(),
    },
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

/// What a text says before words that follow from the rest.
pub(super) fn before(text: &str, words: &str) -> String {
    text.split(words).next().unwrap_or(text).to_owned()
}

/// The first digits of a digest.
fn start(digest: &str) -> &str {
    digest.get(..DIGITS).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(aspects: &[&[&str]]) -> Vec<String> {
        let owned = |words: &&[&str]| words.iter().map(|&word| word.to_owned()).collect();
        tell_apart(aspects[0].len(), aspects.iter().map(owned))
    }

    #[test]
    fn as_few_aspects_as_tell_all_apart_are_named() {
        assert_eq!(words(&[&["a", "a"], &["b", "b"]]), ["", ""]);
        assert_eq!(words(&[&["a", "a"], &["b", "c"], &["d", "e"]]), ["b", "c"]);
        let three: [&[&str]; 3] = [&["x", "", ""], &["b", "b", "c"], &["d", "e", "f"]];
        assert_eq!(words(&three), ["x, b", "b", "c"]);
    }
}
