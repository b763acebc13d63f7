//! A summary for people.

use std::fmt::{self, Display, Formatter};

use online_forests::preprocessing::FeatureScaling;

use super::{Member, Summary};
use crate::bad_rows::counted;

/// Features, classes, members and rules that are listed; JSON has all.
const LISTED: usize = 20;

impl Display for Summary {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (name, value) in self.facts() {
            writeln!(f, "{name:<11} {value}")?;
        }
        let importance = self.importance.iter();
        let importance = importance.map(|of| (of.feature.clone(), of.share));
        table(f, "importance of features", importance.collect())?;
        let members = self.members.iter();
        let members = members.map(|member| (member.text(), member.weight));
        table(f, "weights of members", members.collect())?;
        let rules = self
            .rules
            .iter()
            .map(|rule| (rule.name.clone(), rule.weight));
        table(f, "weights of rules", rules.collect())
    }
}

impl Member {
    fn text(&self) -> String {
        let changed = self
            .changed
            .map(|row| format!(", since a change at row {row}"));
        self.name.clone() + &changed.unwrap_or_default()
    }
}

impl Summary {
    fn facts(&self) -> Vec<(&'static str, String)> {
        let settings = &self.settings;
        let mut facts = vec![
            ("algorithm", self.algorithm.clone()),
            ("task", format!("{} of `{}`", self.task, self.target)),
        ];
        if !self.classes.is_empty() {
            let names = tables::listed(self.classes.iter().map(String::as_str));
            facts.push(("classes", format!("{}: {names}", self.classes.len())));
        }
        if !settings.table.is_empty() {
            facts.push(("table", settings.table.clone()));
        }
        facts.extend([
            ("features", self.features_text()),
            ("learned", self.learned_text()),
            (
                "trees",
                format!("{}, seed {}", settings.trees, settings.seed),
            ),
            ("nodes", self.nodes_text()),
            ("memory", self.memory_text()),
        ]);
        facts
    }

    fn features_text(&self) -> String {
        let count = self.features.len();
        match self.settings.scale {
            FeatureScaling::None => format!("{count}, not scaled"),
            scale => {
                let rows = self.settings.fit_rows;
                format!(
                    "{count}, scaled ({}) by the first {rows} rows",
                    scale.name()
                )
            }
        }
    }

    fn learned_text(&self) -> String {
        let position = self.position;
        let mut text = counted(self.samples_seen, "row");
        if self.samples_seen > position.learned {
            text += &format!(", {} of them of the latest data", position.learned);
        }
        if position.bad > 0 {
            text += &format!("; {}", counted(position.bad, "bad row"));
        }
        if position.dropped > 0 {
            text += &format!("; {} with gaps left out", counted(position.dropped, "row"));
        }
        text
    }

    fn nodes_text(&self) -> String {
        let depth = self.depth();
        let depth = depth.map(|depth| format!(", at most {depth} deep"));
        format!("{}{}", self.nodes, depth.unwrap_or_default())
    }

    fn memory_text(&self) -> String {
        let (bytes, samples) = (self.bytes as f64 / 1e6, self.stored_samples as u64);
        format!("{bytes:.1} MB, {} kept", counted(samples, "row"))
    }
}

fn table(f: &mut Formatter<'_>, title: &str, rows: Vec<(String, f64)>) -> fmt::Result {
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(f, "\n{title}")?;
    for (name, share) in rows.iter().take(LISTED) {
        writeln!(f, "{share:>8.4}  {name}")?;
    }
    match rows.len() - rows.len().min(LISTED) {
        0 => Ok(()),
        more => writeln!(f, "          and {more} more (--json lists all)"),
    }
}
