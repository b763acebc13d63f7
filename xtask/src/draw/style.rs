//! Font, ink and colours.

use anyhow::{Result, anyhow};
use plotters::style::{FontStyle, RGBColor};

/// The font of all plots; the report inherits the reader's own sans serif under this name.
pub const FONT: &str = "sans-serif";

/// Size of all text.
pub const TEXT: i32 = 15;

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x3a, 0x40, 0x48);

/// Grid lines.
pub const FAINT: RGBColor = RGBColor(0xdd, 0xe0, 0xe4);

/// Baselines.
pub const BASELINE: RGBColor = RGBColor(0x86, 0x8c, 0x94);

/// Colours that the colour-blind can tell apart: those of Okabe and Ito (2008) without black and yellow,
/// then the dark ones of Tol's muted scheme (2021).
const PALETTE: [RGBColor; 9] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x88, 0x22, 0x55),
    RGBColor(0x33, 0x22, 0x88),
    RGBColor(0x99, 0x99, 0x33),
];

/// Colour number `index`; after the last the first comes again.
pub fn colour(index: usize) -> RGBColor {
    PALETTE[index % PALETTE.len()]
}

/// How a line of a plot, and a mark on it, look.
#[derive(Clone, Copy)]
pub struct Stroke {
    pub colour: RGBColor,
    pub pattern: Pattern,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Pattern {
    /// Marks are filled.
    Solid,
    /// Marks are rings: for lines beyond the number of colours.
    Dotted,
    /// Thin: for baselines.
    Dashed,
}

/// Line number `index` of a plot: solid in every colour, then dotted.
pub fn stroke(index: usize) -> Stroke {
    let pattern = match index < PALETTE.len() {
        true => Pattern::Solid,
        false => Pattern::Dotted,
    };
    Stroke {
        colour: colour(index),
        pattern,
    }
}

/// Baselines.
pub const BASELINE_STROKE: Stroke = Stroke {
    colour: BASELINE,
    pattern: Pattern::Dashed,
};

/// Roboto by Google (Apache License 2.0; see `fonts/`), so that no plot depends on the machine.
static ROBOTO: &[u8] = include_bytes!("../../fonts/Roboto-Regular.ttf");

/// Makes the bundled font known; needed once, before the first plot.
///
/// # Errors
/// If the bundled file is no font.
pub fn register_font() -> Result<()> {
    plotters::style::register_font(FONT, FontStyle::Normal, ROBOTO)
        .map_err(|_| anyhow!("the bundled font cannot be read"))
}

/// Lets ink and grid of an SVG follow the page, light or dark, and its size follow the column.
pub fn on_page(svg: &str) -> String {
    let tag = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    tag.replace(&hex(INK), "currentColor")
        .replace(&hex(FAINT), "var(--faint)")
}

fn hex(colour: RGBColor) -> String {
    let RGBColor(red, green, blue) = colour;
    format!("#{red:02X}{green:02X}{blue:02X}")
}
