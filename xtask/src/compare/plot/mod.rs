//! The plots of a comparison.

mod cost;
mod curves;
mod legend;
mod ranking;

use anyhow::Result;

use super::summary::Section;
use crate::draw::Picture;
use crate::draw::pen::{Pen, Surface};
use curves::Along;

/// A plot of one section.
#[derive(Debug)]
pub struct Plot<'a> {
    /// File name without ending.
    pub name: String,
    /// What it shows, in a line.
    pub caption: String,
    section: &'a Section,
    kind: Kind,
}

/// What a plot shows.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Ranking,
    Cost,
    Along(Along),
}

/// The plots of section number `index`; one without a result has none.
pub fn plots(index: usize, section: &Section) -> Vec<Plot<'_>> {
    if section.rows.iter().all(|row| row.result.is_none()) {
        return Vec::new();
    }
    let stem = stem(index, section);
    let plot = |(end, caption, kind): (&str, String, Kind)| Plot {
        name: format!("{stem}-{end}"),
        caption,
        section,
        kind,
    };
    kinds(section.setting.window)
        .into_iter()
        .map(plot)
        .collect()
}

/// Every section has the first two, a stream (which has a window) also its curves.
fn kinds(window: Option<usize>) -> Vec<(&'static str, String, Kind)> {
    let intervals = "Mean and 95 % interval over seeds".to_owned();
    let cost = "Metric against time per sample and tree".to_owned();
    let mut kinds = vec![
        ("metric", intervals, Kind::Ranking),
        ("time", cost, Kind::Cost),
    ];
    if let Some(window) = window {
        let all = "Over all rows so far, mean over seeds".to_owned();
        let last = format!("Over the last {window} rows alone, mean over seeds");
        let pace = "Time per sample and tree along the stream, mean over seeds".to_owned();
        kinds.push(("cumulative", all, Kind::Along(Along::Cumulative)));
        kinds.push(("windowed", last, Kind::Along(Along::Windowed)));
        kinds.push(("pace", pace, Kind::Along(Along::Pace)));
    }
    kinds
}

/// A file name that no other section has, in characters that every file system takes.
fn stem(index: usize, section: &Section) -> String {
    let setting = &section.setting;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let dataset: String = setting.dataset.chars().map(plain).take(60).collect();
    format!(
        "{:02}-{dataset}-{}",
        index + 1,
        setting.protocol.to_string().replace('-', "")
    )
}

impl Picture for Plot<'_> {
    fn size(&self) -> (u32, u32) {
        match self.kind {
            Kind::Ranking => ranking::size(self.section),
            Kind::Cost => cost::SIZE,
            Kind::Along(_) => curves::SIZE,
        }
    }

    fn draw<DB: Surface>(&self, pen: &Pen<'_, DB>) -> Result<()> {
        match self.kind {
            Kind::Ranking => ranking::draw(self.section, pen),
            Kind::Cost => cost::draw(self.section, pen),
            Kind::Along(along) => curves::draw(self.section, along, pen),
        }
    }
}
