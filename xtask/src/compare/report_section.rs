//! A section in every dress: its numbers, its words, its plots.

use super::grid::Grid;
use super::plot::{self, Plot};
use super::summary::Section;

/// What report and files show of a section.
#[derive(Debug)]
pub struct ReportSection<'a> {
    /// The numbers.
    pub section: &'a Section,
    /// The table.
    pub grid: Grid,
    /// The plots.
    pub plots: Vec<Plot<'a>>,
}

/// A report_section per section.
pub fn report_sections(sections: &[Section]) -> Vec<ReportSection<'_>> {
    let report_section = |(index, section)| ReportSection {
        section,
        grid: Grid::new(section),
        plots: plot::plots(index, section),
    };
    sections.iter().enumerate().map(report_section).collect()
}
