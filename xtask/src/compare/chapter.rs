//! A section in every dress: its numbers, its words, its plots.

use super::grid::Grid;
use super::plot::{self, Plot};
use super::summary::Section;

/// What report and files show of a section.
#[derive(Debug)]
pub struct Chapter<'a> {
    /// The numbers.
    pub section: &'a Section,
    /// The table.
    pub grid: Grid,
    /// The plots.
    pub plots: Vec<Plot<'a>>,
}

/// A chapter per section.
pub fn chapters(sections: &[Section]) -> Vec<Chapter<'_>> {
    let chapter = |(index, section)| Chapter {
        section,
        grid: Grid::new(section),
        plots: plot::plots(index, section),
    };
    sections.iter().enumerate().map(chapter).collect()
}
