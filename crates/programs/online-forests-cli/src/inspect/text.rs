//! A summary for people.

use forest_core::registry::MixtureMember;
use forest_model::{Summary, counted, table_text};
use online_forests::preprocessing::FeatureScaling;

/// The most features, classes, members and rules that are listed; JSON has all.
const LISTED: usize = 20;

/// Returns the text that `inspect` prints about a model.
pub(super) fn write(summary: &Summary) -> String {
    let facts = facts(summary).into_iter();
    let mut text: String = facts
        .map(|(name, value)| format!("{name:<11} {value}\n"))
        .collect();
    let importance = summary.importance.iter();
    let importance = importance.map(|of| (of.feature.clone(), of.share));
    add_table(&mut text, "importance of features", importance.collect());
    let members = summary.members.iter();
    let members = members.map(|member| (name(member), member.weight));
    add_table(&mut text, "weights of members", members.collect());
    let rules = summary.rules.iter();
    let rules = rules.map(|rule| (rule.name.clone(), rule.weight));
    add_table(&mut text, "weights of rules", rules.collect());
    text
}

fn name(member: &MixtureMember) -> String {
    let changed = member.changed;
    let changed = changed.map(|row| format!(", since a change at row {row}"));
    member.name.clone() + &changed.unwrap_or_default()
}

fn facts(summary: &Summary) -> Vec<(&'static str, String)> {
    let settings = &summary.settings;
    let mut facts = vec![
        ("algorithm", summary.algorithm.clone()),
        ("task", format!("{} of `{}`", summary.task, summary.target)),
    ];
    if !summary.classes.is_empty() {
        let names = tables::listed(summary.classes.iter().map(String::as_str));
        facts.push(("classes", format!("{}: {names}", summary.classes.len())));
    }
    let table = table_text(&settings.table);
    if !table.is_empty() {
        facts.push(("table", table));
    }
    facts.extend([
        ("features", features_text(summary)),
        ("learned", learned_text(summary)),
        (
            "trees",
            format!("{}, seed {}", settings.trees, settings.seed),
        ),
        ("nodes", nodes_text(summary)),
        ("memory", memory_text(summary)),
    ]);
    facts
}

fn features_text(summary: &Summary) -> String {
    let count = summary.features.len();
    match summary.settings.scale {
        FeatureScaling::None => format!("{count}, not scaled"),
        scale => {
            let rows = counted(summary.settings.fitted_rows, "row");
            format!("{count}, scaled ({}) by the first {rows}", scale.name())
        }
    }
}

fn learned_text(summary: &Summary) -> String {
    let position = summary.position;
    let mut text = counted(summary.samples_seen, "row");
    if summary.samples_seen > position.learned {
        text += &format!(", {} of them of the latest data", position.learned);
    }
    if position.bad > 0 {
        text += &format!("; {}", counted(position.bad, "bad row"));
    }
    if position.dropped > 0 {
        text += &format!(
            "; {} with missing values left out",
            counted(position.dropped, "row")
        );
    }
    text
}

fn nodes_text(summary: &Summary) -> String {
    let depth = summary.depth();
    let depth = depth.map(|depth| format!(", at most {depth} deep"));
    format!("{}{}", summary.nodes, depth.unwrap_or_default())
}

fn memory_text(summary: &Summary) -> String {
    let (bytes, samples) = (summary.bytes as f64 / 1e6, summary.stored_samples as u64);
    format!("{bytes:.1} MB, {} kept", counted(samples, "row"))
}
fn add_table(text: &mut String, title: &str, rows: Vec<(String, f64)>) {
    if rows.is_empty() {
        return;
    }
    let listed = rows.iter().take(LISTED);
    let lines: String = listed
        .map(|(name, share)| format!("{share:>8.4}  {name}\n"))
        .collect();
    *text += &format!("\n{title}\n{lines}");
    if let more @ 1.. = rows.len().saturating_sub(LISTED) {
        *text += &format!("          and {more} more (--json lists all)\n");
    }
}
