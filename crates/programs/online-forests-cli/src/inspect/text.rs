//! A summary for people.

use forest_model::{Summary, counted, table_text};
use online_forests::preprocessing::FeatureScaling;

/// The most features, classes, members and rules that are listed; JSON has all.
const LISTED: usize = 20;

/// Returns the text that `inspect` prints about a model.
pub(super) fn write(summary: &Summary) -> String {
    let mut text = String::new();
    for (name, value) in facts(summary) {
        if !value.is_empty() {
            text += &format!("{name:<11} {value}\n");
        }
    }
    let shares = summary.importance.iter();
    let shares = shares.map(|of| (of.feature.clone(), of.share));
    add_table(&mut text, "importance of features", shares.collect());
    let members = summary.members.iter().map(|member| {
        let since = |row| format!(", since a change at row {row}");
        let since = member.changed.map(since);
        (
            member.name.clone() + &since.unwrap_or_default(),
            member.weight,
        )
    });
    add_table(&mut text, "weights of members", members.collect());
    let rules = summary.rules.iter();
    let rules = rules.map(|rule| (rule.name.clone(), rule.weight));
    add_table(&mut text, "weights of rules", rules.collect());
    text
}

/// Returns names and values; an empty value is not shown.
fn facts(summary: &Summary) -> [(&'static str, String); 9] {
    let (settings, position) = (&summary.settings, summary.position);
    let mut classes = String::new();
    if !summary.classes.is_empty() {
        let names = tables::listed(summary.classes.iter().map(String::as_str));
        classes = format!("{}: {names}", summary.classes.len());
    }
    let mut features = format!("{}, not scaled", summary.features.len());
    if settings.scale != FeatureScaling::None {
        let (scale, rows) = (settings.scale.name(), counted(settings.fitted_rows, "row"));
        features = format!(
            "{}, scaled ({scale}) by the first {rows}",
            summary.features.len()
        );
    }
    let mut learned = counted(summary.samples_seen, "row");
    if summary.samples_seen > position.learned {
        learned += &format!(", {} of them of the latest data", position.learned);
    }
    if position.bad > 0 {
        learned += &format!("; {}", counted(position.bad, "bad row"));
    }
    if position.dropped > 0 {
        learned += &format!(
            "; {} with missing values left out",
            counted(position.dropped, "row")
        );
    }
    let mut nodes = summary.nodes.to_string();
    if let Some(depth) = summary.trees.iter().map(|tree| tree.depth).max() {
        nodes += &format!(", at most {depth} deep");
    }
    let (bytes, kept) = (
        summary.bytes as f64 / 1e6,
        counted(summary.stored_samples as u64, "row"),
    );
    [
        ("algorithm", summary.algorithm.clone()),
        ("task", format!("{} of `{}`", summary.task, summary.target)),
        ("classes", classes),
        ("table", table_text(&settings.table)),
        ("features", features),
        ("learned", learned),
        (
            "trees",
            format!("{}, seed {}", settings.trees, settings.seed),
        ),
        ("nodes", nodes),
        ("memory", format!("{bytes:.1} MB, {kept} kept")),
    ]
}

fn add_table(text: &mut String, title: &str, rows: Vec<(String, f64)>) {
    if rows.is_empty() {
        return;
    }
    *text += &format!("\n{title}\n");
    for (name, share) in rows.iter().take(LISTED) {
        *text += &format!("{share:>8.4}  {name}\n");
    }
    if let more @ 1.. = rows.len().saturating_sub(LISTED) {
        *text += &format!("          and {more} more (--json lists all)\n");
    }
}
