//! Words that distinguish settings, algorithms and rankings of the same name.

use std::collections::{BTreeMap, BTreeSet};

use super::section::{Section, SectionRow, joined};
use crate::number::counted;
use crate::protocol::Order;
use crate::record::{Setting, WEIGHTS, task_name};

/// Returns words for each thing, of the fewest aspects that distinguish it from the others of its key as well as all
/// aspects do; empty where all are alike. Things have a word for each aspect, which may be empty.
fn distinguish<K: PartialEq>(things: &[(K, Vec<String>)]) -> Vec<String> {
    let mut all = Vec::new();
    for (key, own) in things {
        let mut chosen: Vec<usize> = Vec::new();
        let mut kinds = 1;
        for aspect in 0..own.len() {
            chosen.push(aspect);
            let mut found = BTreeSet::new();
            for (_, alike) in things.iter().filter(|(other, _)| other == key) {
                found.insert(chosen.iter().map(|&at| &alike[at]).collect::<Vec<_>>());
            }
            if found.len() == kinds {
                chosen.pop();
            }
            kinds = found.len();
        }
        let mut words: Vec<&str> = chosen.iter().map(|&at| own[at].as_str()).collect();
        words.retain(|word| !word.is_empty());
        all.push(words.join(", "));
    }
    all
}

/// Distinguishes each setting from others of the same data set and protocol; a user's choices come before digests.
pub(super) fn label_settings(sections: &mut [Section]) {
    let digits = |digest: &str| digest.get(..8).unwrap_or(digest).to_owned();
    let mut things = Vec::new();
    for one in sections.iter().map(|section| &section.setting) {
        let target = one.target.iter().map(|name| format!("target {name}"));
        let aspects = vec![
            target.collect(),
            task_name(one.task).to_owned(),
            format!("data {}", digits(&one.data_sha256)),
            counted(one.n_features, "feature"),
            format!("{} learned", counted(one.n_train, "row")),
            rows_of(one),
            delay(one),
            one.preprocessing.to_string(),
            format!("rows {}", digits(&one.rows_sha256)),
        ];
        things.push(((one.dataset.clone(), one.protocol), aspects));
    }
    for (section, words) in sections.iter_mut().zip(distinguish(&things)) {
        section.distinction = words;
    }
}

fn delay(one: &Setting) -> String {
    let words = |rows| format!("labels {} late", counted(rows, "row"));
    one.delay.map(words).unwrap_or_default()
}

/// Returns how the rows are divided or ordered, in words.
pub(super) fn rows_of(one: &Setting) -> String {
    let folds = one.folds.unwrap_or(0);
    if one.protocol.is_stream() {
        let order = one.order.unwrap_or_default();
        let comma = if order == Order::Stream { "" } else { "," };
        let by = one.validation.filter(|_| folds > 0);
        let by = by.map(|validation| format!("{validation} by {folds} learners, "));
        return format!("{}every row{comma} {order}", by.unwrap_or_default());
    }
    let rows = match &one.split {
        Some(split) => split.to_string(),
        None => format!("{folds} parts of a shuffle per seed, each tested once"),
    };
    let order = one.order.map(|order| format!(", learned {order}"));
    rows + &order.unwrap_or_default()
}

/// Groups sections of different data under the same conditions, with words that distinguish the conditions. Data in
/// several settings, or in several versions under one name, count once in a group.
pub(super) fn comparable(sections: &[Section]) -> Vec<(String, Vec<&Section>)> {
    let mut groups: Vec<Vec<&Section>> = Vec::new();
    let mut things = Vec::new();
    for section in sections {
        let one = &section.setting;
        let is_same = |other: &&Section| {
            let other = &other.setting;
            other.data_sha256 == one.data_sha256 || other.dataset == one.dataset
        };
        let order = one.order.filter(|order| *order != Order::Stream);
        let conditions = [
            one.preprocessing.to_string(),
            order.iter().map(ToString::to_string).collect(),
            one.folds
                .map(|folds| format!("{folds} folds"))
                .unwrap_or_default(),
            one.validation.iter().map(ToString::to_string).collect(),
            delay(one),
        ];
        for repetition in 1.. {
            let mut aspects = conditions.to_vec();
            aspects.push(format!("setting {repetition} of each set"));
            let thing = ((one.protocol, section.metrics[0].name), aspects);
            match things.iter().position(|known| *known == thing) {
                Some(place) if groups[place].iter().any(is_same) => continue,
                Some(place) => groups[place].push(section),
                None => {
                    things.push(thing);
                    groups.push(vec![section]);
                }
            }
            break;
        }
    }
    distinguish(&things).into_iter().zip(groups).collect()
}

/// Labels algorithms: adds the number of trees where it varies, and parameters where names are equal in a section.
pub(super) fn label_rows(sections: &mut [Section]) {
    let mut sizes: BTreeMap<String, BTreeSet<usize>> = BTreeMap::new();
    for row in sections.iter().flat_map(|section| &section.rows) {
        let run = row.first();
        let sizes = sizes.entry(run.label.clone()).or_default();
        sizes.insert(run.asked_trees);
    }
    for section in sections {
        let runs = || section.rows.iter().map(SectionRow::first);
        let parameters: BTreeSet<&String> = runs().flat_map(|run| run.params.keys()).collect();
        let mut things = Vec::new();
        for run in runs() {
            let sizes = &sizes[&run.label];
            let mut label = run.label.clone();
            // Where one run did not have trees, failed runs would not have had them either.
            if sizes.len() > 1 && !sizes.contains(&0) {
                label += &format!(", {}", counted(run.asked_trees, "tree"));
            }
            let mut words = Vec::new();
            for &name in &parameters {
                // The data may have decided the weights.
                let value = run.params.get(name).filter(|_| name != WEIGHTS);
                words.push(value.map_or(String::new(), |value| format!("{name}={value}")));
            }
            things.push((label, words));
        }
        let words = distinguish(&things);
        for ((row, (label, _)), words) in section.rows.iter_mut().zip(&things).zip(words) {
            row.label = joined(label, ", ", &words);
        }
    }
}

/// Formats numbers of trees that were asked for: `10 or 100 trees`.
pub(super) fn trees<'a>(sections: impl IntoIterator<Item = &'a Section>) -> Option<String> {
    let rows = sections.into_iter().flat_map(|section| &section.rows);
    let mut sizes: BTreeSet<usize> = rows.map(|row| row.first().asked_trees).collect();
    sizes.remove(&0);
    let noun = if *sizes.last()? == 1 { "tree" } else { "trees" };
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    Some(format!("{} {noun}", sizes.join(" or ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fewest_aspects_that_distinguish_all_are_named() {
        let words = |things: &[&[&str]]| {
            let owned = |words: &&[&str]| ((), words.iter().map(|&word| word.to_owned()).collect());
            distinguish(&things.iter().map(owned).collect::<Vec<_>>())
        };
        assert_eq!(words(&[&["a", "b"], &["a", "b"]]), ["", ""]);
        assert_eq!(words(&[&["a", "b", "d"], &["a", "c", "e"]]), ["b", "c"]);
        let three: [&[&str]; 3] = [&["x", "b", "d"], &["", "b", "e"], &["", "c", "f"]];
        assert_eq!(words(&three), ["x, b", "b", "c"]);
    }
}
