//! How lines look.

use plotters::style::RGBColor;

/// How lines and marks of a series look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: RGBColor,
    /// Its dashes.
    pub pattern: Pattern,
}

/// Dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// Without gaps.
    Solid,
    /// Short dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Long dashes.
    LongDashed,
}

impl Pattern {
    /// In the order in which they are used.
    pub const ALL: [Self; 4] = [Self::Solid, Self::Dashed, Self::Dotted, Self::LongDashed];

    /// Lengths of a dash and of the gap after it, and the width of the line.
    pub fn dash_gap_width(self) -> [i32; 3] {
        match self {
            Self::Solid => [1_000_000, 0, 2], // longer than any line
            Self::Dashed => [6, 4, 2],
            Self::Dotted => [2, 3, 2],
            Self::LongDashed => [12, 4, 2],
        }
    }
}
