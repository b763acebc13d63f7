//! Pictures, drawn as SVG: a file on white, or a part of a page in the page's colours.

mod axis;
mod chart;

use maud::{Markup, PreEscaped, html};

pub use axis::{Axis, AxisScale};
pub use chart::{Chart, Kind, Point, Series};

const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// The colour of text and axes, as a page names it.
pub const INK: &str = "currentColor";
/// That of grid lines.
pub const GRID: &str = "var(--faint)";
/// That of baselines.
pub const SOFT: &str = "var(--soft)";

const ON_WHITE: [(&str, &str); 3] = [(INK, "#3a4048"), (GRID, "#dde0e4"), (SOFT, "#5c6570")];

/// The colours of series in the order in which they are given out: the name on a page, the shade in files and on light
/// pages, and the shade on dark pages. All stand out from their background by a contrast of at least 3 (WCAG 2.1,
/// 1.4.11).
pub const HUES: [(&str, &str, &str); 10] = [
    ("var(--hue-0)", "#1f5fc4", "#56b4e9"),
    ("var(--hue-1)", "#d45c00", "#f0a53a"),
    ("var(--hue-2)", "#00805c", "#35c99b"),
    ("var(--hue-3)", "#6a3fb5", "#b79bf0"),
    ("var(--hue-4)", "#b3263c", "#ff7a86"),
    ("var(--hue-5)", "#0092ad", "#4dd0e1"),
    ("var(--hue-6)", "#cf3a9c", "#f08bd0"),
    ("var(--hue-7)", "#857800", "#cfc64a"),
    ("var(--hue-8)", "#22307f", "#93a1ff"),
    ("var(--hue-9)", "#7d4a22", "#d39b6a"),
];

/// Dashes and the spaces after them; the first is a solid line.
const DASHES: [Option<&str>; 4] = [None, Some("6 4"), Some("2 3"), Some("12 4")];

/// The corners of marks of radius 1; the first is a circle. Series of similar colours have different marks.
const MARKS: [&[Place]; 4] = [
    &[],
    &[(0.7, 0.7), (-0.7, 0.7), (-0.7, -0.7), (0.7, -0.7)],
    &[(0.0, -1.0), (0.87, 0.5), (-0.87, 0.5)],
    &[(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)],
];

/// A place in a picture, in units from its left and upper edges.
pub type Place = (f64, f64);

/// Returns the variables of a page for the colours of series, for light and for dark.
pub(crate) fn css() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (number, (_, on_light, on_dark)) in HUES.iter().enumerate() {
        light += &format!(" --hue-{number}: {on_light};");
        dark += &format!(" --hue-{number}: {on_dark};");
    }
    format!(":root {{{light} }}\n@media (prefers-color-scheme: dark) {{ :root {{{dark} }} }}\n")
}

/// A drawn picture.
pub struct Picture {
    /// Width and height in units; a file has one pixel per unit.
    pub size: (u32, u32),
    /// Its elements, in the colours of a page.
    pub elements: Markup,
}

impl Picture {
    /// Returns an SVG document on white.
    pub fn svg(&self) -> String {
        let (width, height) = self.size;
        let document = html! {
            svg xmlns=(NAMESPACE) width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) }
                font-family="sans-serif" font-size="12" {
                rect width=(width) height=(height) fill="#ffffff" {} (self.elements)
            }
        };
        let mut svg = document.into_string();
        for (name, shade) in HUES.iter().map(|hue| (hue.0, hue.1)).chain(ON_WHITE) {
            svg = svg.replace(name, shade);
        }
        svg + "\n"
    }

    /// Returns an SVG element without background, for a page; `label` is the text for screen readers.
    pub fn inline(&self, label: &str) -> Markup {
        let (width, height) = self.size;
        html! {
            svg xmlns=(NAMESPACE) viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height)
                font-family="sans-serif" font-size="12" role="img" aria-label=(label.trim()) { (self.elements) }
        }
    }

    /// Arranges pictures in rows of this many columns; returns `None` without pictures.
    pub fn grid(pictures: &[Self], columns: usize) -> Option<Self> {
        let width = pictures.iter().map(|one| one.size.0).max()?;
        let height = pictures.iter().map(|one| one.size.1).max()?;
        let columns = columns.min(pictures.len());
        let rows = pictures.len().div_ceil(columns);
        let elements = html! {
            @for (cell, picture) in pictures.iter().enumerate() {
                @let x = (cell % columns) as u32 * width;
                @let y = (cell / columns) as u32 * height;
                g transform=(format!("translate({x} {y})")) { (picture.elements) } (LINE_BREAK)
            }
        };
        let size = (width * columns as u32, height * rows as u32);
        Some(Self { size, elements })
    }

    /// Returns the picture under a title, which begins right of the numbers of an axis.
    #[must_use]
    pub fn under(self, title: &str) -> Self {
        let elements = html! {
            (text((68.0, 14.0), "start", title)) g transform="translate(0 26)" { (self.elements) }
        };
        let size = (self.size.0, self.size.1 + 26);
        Self { size, elements }
    }
}

/// The look of the lines and marks of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    colour: &'static str,
    dash: usize,
    mark: usize,
}

impl Stroke {
    /// Solid, in the colour of text.
    pub const INK: Self = Self::plain(INK, 0);
    /// Changes of a stream.
    pub const CHANGE: Self = Self::plain(INK, 1);
    /// A line between what is possible and what is not.
    pub const FRONT: Self = Self::plain(INK, 2);

    const fn plain(colour: &'static str, dash: usize) -> Self {
        let mark = 0;
        Self { colour, dash, mark }
    }

    /// Returns the stroke of series number `index`: solid in every colour, then dashed, and so on.
    pub fn of(index: usize) -> Self {
        let hue = index % HUES.len();
        let dash = index / HUES.len() % DASHES.len();
        let colour = HUES[hue].0;
        let mark = (hue + dash) % MARKS.len();
        Self { colour, dash, mark }
    }

    /// Returns the stroke of baseline number `index`: dashed, then dotted, and so on in turn.
    pub fn baseline(index: usize) -> Self {
        Self::plain(SOFT, 1 + index % 2)
    }

    /// Draws a line through these places; nothing through fewer than two.
    pub(crate) fn line(self, places: &[Place]) -> Markup {
        html! {
            @if places.len() > 1 {
                polyline points=(list(places)) fill="none" stroke=(self.colour) stroke-width="2"
                    stroke-linejoin="round" stroke-dasharray=[DASHES[self.dash]] {}
            }
        }
    }

    pub(crate) fn mark(self, (x, y): Place, radius: f64) -> Markup {
        let corner = |&(dx, dy): &Place| (x + radius * dx, y + radius * dy);
        let corners: Vec<Place> = MARKS[self.mark].iter().map(corner).collect();
        html! {
            @if corners.is_empty() {
                circle cx=(short(x)) cy=(short(y)) r=(radius) fill="none" stroke=(self.colour) stroke-width="2" {}
            } @else {
                polygon points=(list(&corners)) fill="none" stroke=(self.colour) stroke-width="2" {}
            }
        }
    }
}

/// Draws a line of text, whose anchor (as in SVG: `start`, `middle` or `end`) is at the place.
pub fn text((x, y): Place, anchor: &str, words: &str) -> Markup {
    html! { text x=(short(x)) y=(short(y)) dy="0.35em" text-anchor=(anchor) fill=(INK) { (words) } }
}

/// Returns the width of the longest of these texts.
fn widest<'a>(texts: impl IntoIterator<Item = &'a String>) -> u32 {
    let letters = texts.into_iter().map(|text| text.chars().count());
    8 * letters.max().unwrap_or(0) as u32
}

/// Rounds to a tenth of a unit, which is precise enough.
pub fn short(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Writes places as SVG lists them.
pub fn list(places: &[Place]) -> String {
    let pair = |(x, y): &Place| format!("{},{}", short(*x), short(*y));
    places.iter().map(pair).collect::<Vec<_>>().join(" ")
}

/// A line break, so that differences of files are readable.
pub const LINE_BREAK: PreEscaped<&str> = PreEscaped("\n");
