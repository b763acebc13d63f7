//! Font and colours.

use plotters::style::{FontStyle, RGBColor};

use super::PictureError;
use super::palette::{self, HUES, hex};
use super::stroke::{Pattern, Stroke};

/// The font of all pictures; the report uses the reader's own sans serif under this name.
pub const FONT: &str = "sans-serif";

/// Height of text, in units.
pub const TEXT_HEIGHT: i32 = 14;

/// Text and axes.
pub const INK: RGBColor = RGBColor(0x3a, 0x40, 0x48);

/// Grid lines.
pub const GRID: RGBColor = RGBColor(0xdd, 0xe0, 0xe4);

/// Baselines; the report uses its own grey.
pub(super) const BASELINE: RGBColor = RGBColor(0x5c, 0x65, 0x70);

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

/// Colour number `index` of the table; after the last the first comes again.
pub fn colour(index: usize) -> RGBColor {
    HUES[index % HUES.len()].light
}

/// Stroke number `index`: solid in every colour, then dashed, and so on.
pub fn stroke(index: usize) -> Stroke {
    Stroke {
        colour: colour(index),
        pattern: Pattern::ALL[index / HUES.len() % Pattern::ALL.len()],
    }
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

/// An SVG element whose colours follow the page that it is embedded in, light or dark.
pub fn follow_page(svg: &str) -> String {
    let element = svg.find("<svg").map_or(svg, |start| &svg[start..]);
    let fixed = element
        .replace(&hex(INK), "currentColor")
        .replace(&hex(GRID), "var(--faint)")
        .replace(&hex(BASELINE), &palette::on_page(BASELINE));
    HUES.iter().fold(fixed, |svg, hue| {
        svg.replace(&hex(hue.light), &palette::on_page(hue.light))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::Picture;
    use crate::plot::axis::{Axis, AxisScale};
    use crate::plot::chart::{Chart, NUMBERS, Series, Shape};

    #[test]
    fn strokes_differ_and_are_dashed_after_the_last_colour() {
        let strokes: Vec<Stroke> = (0..2 * HUES.len()).map(stroke).collect();
        assert!((1..strokes.len()).all(|i| !strokes[..i].contains(&strokes[i])));
        assert_eq!(strokes[HUES.len() - 1].pattern, Pattern::Solid);
        assert_eq!(strokes[HUES.len()].pattern, Pattern::Dashed);
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
        for own in [hex(INK), hex(GRID), hex(colour(0)), "#FFFFFF".to_owned()] {
            assert!(!inline.contains(&own), "{own}");
        }
        assert!(inline.contains("currentColor") && inline.contains("var(--faint)"));
        assert!(file.contains(&hex(colour(0))) && inline.contains("var(--hue-0)"));
    }
}
