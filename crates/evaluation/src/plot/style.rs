//! Font, colours and strokes.

use plotters::style::{FontStyle, RGBColor};

use super::PictureError;

/// The font of all pictures; the report uses the reader's own sans serif under this name.
pub const FONT: &str = "sans-serif";

/// Height of text, in units.
pub const TEXT_HEIGHT: i32 = 14;

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x3a, 0x40, 0x48);

/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xdd, 0xe0, 0xe4);

const BASELINE: RGBColor = RGBColor(0x86, 0x8c, 0x94);

/// The stroke of baseline number `index` of a chart: dashed, then dotted, and so on in turn.
pub fn baseline(index: usize) -> Stroke {
    let pattern = match index % 2 {
        0 => Pattern::Dashed,
        _ => Pattern::Dotted,
    };
    Stroke {
        colour: BASELINE,
        pattern,
    }
}

/// Changes of a stream.
pub const CHANGE: Stroke = Stroke {
    colour: INK,
    pattern: Pattern::Dashed,
};

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
    /// Marks are rings.
    Dotted,
    /// Longer dashes, of a thinner line.
    Dashed,
}

impl Pattern {
    /// Lengths of a dash and of the gap after it, and the width of the line.
    pub fn dash_gap_width(self) -> [i32; 3] {
        match self {
            Self::Solid => [1_000_000, 0, 2], // longer than any line
            Self::Dotted => [2, 3, 2],
            Self::Dashed => [6, 4, 1],
        }
    }
}

/// Stroke number `index`: solid in every colour, then dotted.
pub fn stroke(index: usize) -> Stroke {
    let pattern = match index < PALETTE.len() {
        true => Pattern::Solid,
        false => Pattern::Dotted,
    };
    let colour = colour(index);
    Stroke { colour, pattern }
}

/// Roboto by Google (Apache License 2.0; see `fonts/`), so that no picture depends on the machine.
static ROBOTO: &[u8] = include_bytes!("../../fonts/Roboto-Regular.ttf");

/// Makes the bundled font known; needed once, before the first picture.
///
/// # Errors
/// The library cannot read it.
pub fn register_font() -> Result<(), PictureError> {
    plotters::style::register_font(FONT, FontStyle::Normal, ROBOTO).map_err(|_| PictureError::Font)
}

/// An SVG element whose ink and grid follow the page that it is embedded in, light or dark.
pub fn follow_page(svg: &str) -> String {
    let element = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    element
        .replace(&hex(INK), "currentColor")
        .replace(&hex(GRID), "var(--faint)")
}

fn hex(colour: RGBColor) -> String {
    let RGBColor(red, green, blue) = colour;
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Picture;
    use crate::plot::axis::{Axis, AxisScale};
    use crate::plot::chart::{Chart, NUMBERS, Series, Shape};

    #[test]
    fn strokes_differ_and_are_dotted_after_the_last_colour() {
        let strokes: Vec<Stroke> = (0..2 * PALETTE.len()).map(stroke).collect();
        let first = |stroke| strokes.iter().position(|other| other == stroke);
        assert!(
            strokes
                .iter()
                .enumerate()
                .all(|(i, stroke)| first(stroke) == Some(i))
        );
        assert_eq!(strokes[PALETTE.len() - 1].pattern, Pattern::Solid);
        assert_eq!(strokes[PALETTE.len()].pattern, Pattern::Dotted);
    }

    #[test]
    fn an_inline_picture_has_the_ink_and_the_grid_of_its_page_and_no_background() {
        register_font().unwrap();
        let axis = || Axis::spanning("axis", AxisScale::Linear, [1.0, 2.0].into_iter());
        let (name, shape) = ("line".to_owned(), Shape::Line(vec![(1.0, 1.0), (2.0, 2.0)]));
        let series = vec![Series {
            name,
            stroke: stroke(0),
            shape,
        }];
        let (x, y, size) = (axis(), axis(), (300, 200));
        let chart = Chart {
            size,
            x,
            y,
            series,
            left: NUMBERS,
            legend: 80,
        };
        let (file, inline) = (chart.svg().unwrap(), chart.inline().unwrap());
        assert!(file.contains(&hex(INK)) && file.contains("#FFFFFF"));
        for own in [hex(INK), hex(GRID), "#FFFFFF".to_owned()] {
            assert!(!inline.contains(&own), "{own}");
        }
        assert!(inline.contains("currentColor") && inline.contains("var(--faint)"));
        assert!(inline.contains(&hex(colour(0))));
    }
}
