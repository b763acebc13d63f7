//! Charts in a grid, each under a title.

use maud::{Markup, html};

use super::chart::Chart;
use super::{Anchor, Medium, Picture, grid, text};

/// Charts side by side.
const COLUMNS: usize = 2;
/// Height of a title, and where it begins: above the plot, right of the numbers of the axis.
const TITLE: u32 = 26;
const TITLE_PLACE: (f64, f64) = (68.0, 14.0);

/// Charts in a grid, each under a title.
pub struct TitledCharts {
    charts: Vec<(String, Chart)>,
    /// Size of one chart with its title.
    cell: (u32, u32),
}

impl TitledCharts {
    /// Arranges titles with their charts, row by row; returns `None` for an empty list.
    pub fn new(charts: Vec<(String, Chart)>) -> Option<Self> {
        let sizes = charts.iter().map(|(_, chart)| chart.size());
        let (width, height) = sizes.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)))?;
        let cell = (width, height + TITLE);
        Some(Self { charts, cell })
    }
}

impl Picture for TitledCharts {
    fn size(&self) -> (u32, u32) {
        let columns = self.charts.len().min(COLUMNS);
        let rows = self.charts.len().div_ceil(COLUMNS);
        (self.cell.0 * columns as u32, self.cell.1 * rows as u32)
    }

    fn draw(&self, medium: Medium) -> Markup {
        let charts = self.charts.iter().map(|(title, chart)| {
            html! {
                (text(TITLE_PLACE, Anchor::Start, title, medium))
                g transform={ "translate(0 " (TITLE) ")" } { (chart.draw(medium)) }
            }
        });
        grid(charts, COLUMNS, self.cell)
    }
}
