//! Words that distinguish settings, algorithms and rankings of the same name.

use std::collections::BTreeSet;

use indexmap::IndexMap;

use super::section::Section;
use crate::number::counted;
use crate::record::{Order, Record, Setting, task_name};

/// Hexadecimal digits of a digest that are shown.
const DIGITS: usize = 8;

/// Returns words for each thing, of the fewest aspects that distinguish whatever all aspects do. Things have a word for each aspect, which
/// may be empty. The words are empty where all are alike.
pub(super) fn distinguish(things: &[Vec<String>]) -> Vec<String> {
    let mut chosen: Vec<Vec<&str>> = vec![Vec::new(); things.len()];
    for aspect in 0..things.first().map_or(0, Vec::len) {
        let mut more = chosen.clone();
        for (words, thing) in more.iter_mut().zip(things) {
            words.push(&thing[aspect]);
        }
        let kinds = |words: &[Vec<&str>]| words.iter().collect::<BTreeSet<_>>().len();
        if kinds(&more) > kinds(&chosen) {
            chosen = more;
        }
    }
    chosen
        .iter_mut()
        .for_each(|words| words.retain(|word| !word.is_empty()));
    chosen.into_iter().map(|words| words.join(", ")).collect()
}

/// The same among things of each key.
fn distinguish_within<K: std::hash::Hash + Eq>(keys: &[K], things: &[Vec<String>]) -> Vec<String> {
    let mut groups: IndexMap<&K, Vec<usize>> = IndexMap::new();
    for (place, key) in keys.iter().enumerate() {
        groups.entry(key).or_default().push(place);
    }
    let mut words = vec![String::new(); keys.len()];
    for places in groups.into_values() {
        let alike: Vec<Vec<String>> = places.iter().map(|&place| things[place].clone()).collect();
        for (place, word) in places.into_iter().zip(distinguish(&alike)) {
            words[place] = word;
        }
    }
    words
}

/// Returns words for each setting that distinguish it from others of the same data set and protocol.
pub(super) fn of_settings(settings: &[&Setting]) -> Vec<String> {
    let keys: Vec<_> = settings
        .iter()
        .map(|one| (&one.dataset, one.protocol))
        .collect();
    let things: Vec<_> = settings.iter().map(|one| aspects(one)).collect();
    distinguish_within(&keys, &things)
}

/// The aspects in which settings may differ; a user's choices come before digests.
fn aspects(one: &Setting) -> Vec<String> {
    let digits = |digest: &str| digest.get(..DIGITS).unwrap_or(digest).to_owned();
    vec![
        one.target
            .as_ref()
            .map_or_else(String::new, |name| format!("target {name}")),
        task_name(one.task).to_owned(),
        format!("data {}", digits(&one.data_sha256)),
        counted(one.n_features, "feature"),
        format!("{} learned", counted(one.n_train, "row")),
        rows_of(one),
        delay(one),
        one.preprocessing.to_string(),
        format!("rows {}", digits(&one.rows_sha256)),
    ]
}

fn delay(one: &Setting) -> String {
    one.delay.map_or_else(String::new, |rows| {
        format!("labels {} late", counted(rows, "row"))
    })
}

/// Returns how the rows are divided or ordered, in words.
pub(super) fn rows_of(one: &Setting) -> String {
    let order = one.order.unwrap_or_default();
    if one.protocol.is_stream() {
        let comma = if order == Order::Stream { "" } else { "," };
        let validation = one.validation.zip(one.folds);
        let by =
            validation.map(|(validation, folds)| format!("{validation} by {folds} learners, "));
        return format!("{}every row{comma} {order}", by.unwrap_or_default());
    }
    let rows = match (&one.split, one.folds) {
        (Some(split), _) => split.to_string(),
        (None, folds) => {
            format!(
                "{} parts of a shuffle per seed, each tested once",
                folds.unwrap_or(0)
            )
        }
    };
    match one.order {
        Some(order) => format!("{rows}, learned {order}"),
        None => rows,
    }
}

/// Groups sections of different data under the same conditions, with words that distinguish the conditions. Data in several settings, or in
/// several versions under one name, count once in a group.
pub(super) fn comparable(sections: &[Section]) -> Vec<(String, Vec<&Section>)> {
    let mut groups: Vec<(_, usize, Vec<&Section>)> = Vec::new();
    for section in sections {
        let one = &section.setting;
        let (preprocessing, kind) = (one.preprocessing, (one.protocol, section.columns[0].name));
        let conditions = (
            kind,
            preprocessing,
            one.order,
            one.folds,
            one.validation,
            one.delay,
        );
        let is_same = |other: &&Section| {
            other.setting.data_sha256 == one.data_sha256 || other.setting.dataset == one.dataset
        };
        let mut repetition = 0;
        let mut alike = groups.iter_mut().filter(|group| group.0 == conditions);
        let free = alike.find(|group| {
            repetition += 1;
            !group.2.iter().any(is_same)
        });
        match free {
            Some(group) => group.2.push(section),
            None => groups.push((conditions, repetition, vec![section])),
        }
    }
    let mut things = Vec::new();
    for ((_, preprocessing, order, folds, validation, _), repetition, sections) in &groups {
        let order = order.filter(|order| *order != Order::Stream);
        things.push(vec![
            preprocessing.to_string(),
            order.map_or_else(String::new, |order| order.to_string()),
            folds.map_or_else(String::new, |folds| format!("{folds} folds")),
            validation.map_or_else(String::new, |validation| validation.to_string()),
            delay(&sections[0].setting),
            format!("setting {} of each set", repetition + 1),
        ]);
    }
    let keys: Vec<_> = groups.iter().map(|(conditions, ..)| conditions.0).collect();
    let words = distinguish_within(&keys, &things);
    words
        .into_iter()
        .zip(groups.into_iter().map(|(.., sections)| sections))
        .collect()
}

/// Returns labels of algorithms, section by section, each given by one of its runs: the number of trees is added to those that have several,
/// and parameters to those of the same name in a section.
pub(super) fn of_rows(sections: &[Vec<&Record>]) -> Vec<Vec<String>> {
    let mut sizes: IndexMap<&str, BTreeSet<usize>> = IndexMap::new();
    for run in sections.iter().flatten() {
        sizes.entry(&run.label).or_default().insert(run.asked_trees);
    }
    let mut all = Vec::new();
    for runs in sections {
        let mut labels = Vec::new();
        for run in runs {
            let sizes = &sizes[run.label.as_str()];
            // Where one run did not have trees, failed runs would not have had them either.
            let has_one = sizes.len() == 1 || sizes.contains(&0);
            let trees = if has_one {
                String::new()
            } else {
                counted(run.asked_trees, "tree")
            };
            labels.push(joined(&run.label, &trees));
        }
        let names: BTreeSet<&String> = runs.iter().flat_map(|run| run.params.keys()).collect();
        let mut things = Vec::new();
        for run in runs {
            let word = |name: &&String| {
                let value = run.decided().find(|(known, _)| known == name);
                value.map_or_else(String::new, |(name, value)| format!("{name}={value}"))
            };
            things.push(names.iter().map(word).collect());
        }
        let words = distinguish_within(&labels, &things);
        all.push(
            labels
                .iter()
                .zip(words)
                .map(|(label, words)| joined(label, &words))
                .collect(),
        );
    }
    all
}

fn joined(label: &str, words: &str) -> String {
    if words.is_empty() {
        label.to_owned()
    } else {
        format!("{label}, {words}")
    }
}

/// Formats numbers of trees: `10 or 100 trees`.
pub(super) fn trees(sizes: &BTreeSet<usize>) -> Option<String> {
    let all: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    match all[..] {
        [] => None,
        [ref one] if one == "1" => Some("1 tree".to_owned()),
        _ => Some(format!("{} trees", all.join(" or "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_aspects_that_distinguish_all_are_named() {
        let words = |things: &[&[&str]]| {
            let owned = |words: &&[&str]| words.iter().map(|&word| word.to_owned()).collect();
            distinguish(&things.iter().map(owned).collect::<Vec<_>>())
        };
        assert_eq!(words(&[&["a", "b"], &["a", "b"]]), ["", ""]);
        assert_eq!(words(&[&["a", "b", "d"], &["a", "c", "e"]]), ["b", "c"]);
        let three: [&[&str]; 3] = [&["x", "b", "d"], &["", "b", "e"], &["", "c", "f"]];
        assert_eq!(words(&three), ["x, b", "b", "c"]);
    }
}
