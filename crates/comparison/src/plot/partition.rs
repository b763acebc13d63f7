//! Panels of partitions: points, hulls and cuts in the unit square.

use datasets::Target;
use maud::html;

use super::{GRID, HUES, INK, LINE_BREAK, Picture, Place, SOFT, list, short, text};

/// The ends of the drawn square in both directions, a little beyond the data.
const LOW: f64 = -0.03;
const HIGH: f64 = 1.03;

/// The corners of the drawn square.
pub const WINDOW: [[f64; 2]; 4] = [[LOW, LOW], [HIGH, LOW], [HIGH, HIGH], [LOW, HIGH]];

const SIDE: f64 = 300.0;
const MARGIN: f64 = 10.0;
/// Height of two lines and the margin above them.
const TITLE: f64 = 54.0;

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
}

/// Returns a colour for each row: that of its class, or between that of the least value (blue) and that of the greatest (orange).
pub fn colours(target: &Target) -> Vec<String> {
    let values = match target {
        Target::Classes { labels, .. } => {
            let hue = |class: &u32| HUES[*class as usize % HUES.len()].0.to_owned();
            return labels.iter().map(hue).collect();
        }
        Target::Values { values, .. } => values,
    };
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = if high > low { high - low } else { 1.0 };
    let mixed = |value: &f64| {
        let share = (value - low) / width;
        // From #1f5fc4 to #d45c00.
        let parts = [(31.0, 212.0), (95.0, 92.0), (196.0, 0.0)];
        let [red, green, blue] = parts.map(|(from, to)| (from + share * (to - from)).round() as u8);
        format!("#{red:02x}{green:02x}{blue:02x}")
    };
    values.iter().map(mixed).collect()
}

impl Panel {
    /// Draws it with the points that it has seen, in order of arrival, with the colours of their targets.
    pub fn picture(&self, points: &[([f64; 2], String)]) -> Picture {
        let outline = |corners: &[[f64; 2]]| list(&corners.iter().map(place).collect::<Vec<_>>());
        let middle = MARGIN + SIDE / 2.0;
        let elements = html! {
            (text((middle, MARGIN + 12.0), "middle", &self.title))
            (text((middle, MARGIN + 32.0), "middle", &self.subtitle))
            g fill="none" stroke-linejoin="round" {
                @for hull in &self.hulls { polygon points=(outline(hull)) stroke=(SOFT) stroke-dasharray="6 4" {} }
                @for cut in &self.cuts { polyline points=(outline(cut)) stroke=(INK) {} }
                polygon points=(outline(&WINDOW)) stroke=(GRID) {}
            }
            @for (at, colour) in points {
                @let (x, y) = place(at);
                circle cx=(short(x)) cy=(short(y)) r="2" fill=(colour) {}
            }
            (LINE_BREAK)
        };
        let side = SIDE + 2.0 * MARGIN;
        let size = (side as u32, (side + TITLE) as u32);
        Picture { size, elements }
    }
}

fn place([x, y]: &[f64; 2]) -> Place {
    let share = |value: f64| (value - LOW) / (HIGH - LOW) * SIDE;
    (MARGIN + share(*x), TITLE + MARGIN + SIDE - share(*y))
}
