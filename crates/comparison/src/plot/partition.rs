//! Panels of partitions: points, hulls and cuts in the unit square.

use datasets::Target;
use maud::{Markup, html};

use super::colour::Colour;
use super::{Anchor, LINE_BREAK, Medium, Picture, Place, grid, list, short, text};

/// The lower end of the drawn square in both directions, a little before the data.
pub const LOW: f64 = -0.03;

/// Its upper end.
pub const HIGH: f64 = 1.03;

/// Its corners.
pub const WINDOW: [[f64; 2]; 4] = [[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]];

const SIDE: f64 = 300.0;
const MARGIN: f64 = 10.0;
/// Height of two lines and the margin above them.
const TITLE: f64 = 54.0;
const CELL: (u32, u32) = (
    (SIDE + 2.0 * MARGIN) as u32,
    (SIDE + 2.0 * MARGIN + TITLE) as u32,
);

/// All panels of a picture, row by row.
pub struct Panels {
    /// At least one.
    pub panels: Vec<Panel>,
    /// The points in order of arrival, with the colours of their targets.
    pub points: Vec<([f64; 2], Colour)>,
    /// Panels in a row.
    pub columns: usize,
}

/// A tree after some of the points.
pub struct Panel {
    /// The line above it.
    pub title: String,
    /// The line below the title.
    pub subtitle: String,
    /// The ends of its cuts.
    pub cuts: Vec<[[f64; 2]; 2]>,
    /// The corners of the hull of each leaf.
    pub hulls: Vec<Vec<[f64; 2]>>,
    /// Points learned.
    pub seen: usize,
}

/// Returns a colour for each row: that of its class, or between that of the least value (blue) and that of the greatest (orange).
pub fn colours(target: &Target) -> Vec<Colour> {
    match target {
        Target::Classes { labels, .. } => {
            let colours = labels.iter().map(|&class| Colour::number(class as usize));
            colours.collect()
        }
        Target::Values { values, .. } => value_colours(values),
    }
}

fn value_colours(values: &[f64]) -> Vec<Colour> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = if high > low { high - low } else { 1.0 };
    let scale = [0, 1].map(Colour::Hue);
    let colour = |value: &f64| Colour::between(&scale, (value - low) / width);
    values.iter().map(colour).collect()
}

impl Panels {
    fn panel(&self, panel: &Panel, medium: Medium) -> Markup {
        let [ink, soft, faint] = [Colour::Ink, Colour::Soft, Colour::Grid].map(|c| c.on(medium));
        let middle = MARGIN + SIDE / 2.0;
        let outline = |corners: &[[f64; 2]]| list(corners.iter().map(|corner| place(*corner)));
        html! {
            (text((middle, MARGIN + 12.0), Anchor::Middle, &panel.title, medium))
            (text((middle, MARGIN + 32.0), Anchor::Middle, &panel.subtitle, medium))
            g fill="none" stroke-linejoin="round" {
                @for hull in &panel.hulls {
                    polygon points=(outline(hull)) stroke=(soft) stroke-dasharray="6 4" {}
                }
                @for cut in &panel.cuts { polyline points=(outline(cut)) stroke=(ink) {} }
                polygon points=(outline(&WINDOW)) stroke=(faint) {}
            }
            @for (at, colour) in &self.points[..panel.seen] {
                @let (x, y) = place(*at);
                circle cx=(short(x)) cy=(short(y)) r="2" fill=(colour.on(medium)) {}
            }
            (LINE_BREAK)
        }
    }
}

impl Picture for Panels {
    fn size(&self) -> (u32, u32) {
        let rows = self.panels.len().div_ceil(self.columns) as u32;
        (CELL.0 * self.columns as u32, CELL.1 * rows)
    }

    fn draw(&self, medium: Medium) -> Markup {
        let panels = self.panels.iter();
        let panels = panels.map(|panel| self.panel(panel, medium));
        grid(panels, self.columns, CELL)
    }
}

/// Returns the place of a point in a panel.
fn place([x, y]: [f64; 2]) -> Place {
    let share = |value: f64| (value - LOW) / (HIGH - LOW) * SIDE;
    (MARGIN + share(x), TITLE + MARGIN + SIDE - share(y))
}
