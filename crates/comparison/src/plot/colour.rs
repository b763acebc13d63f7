//! Colours: those of text and lines, those of algorithms, and mixtures.

use super::Medium;
use super::palette::{HUES, variable};

/// A colour of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Text and axes.
    Ink,
    /// Grid lines.
    Grid,
    /// Baselines.
    Soft,
    /// This colour of the palette.
    Hue(usize),
    /// Red, green and blue, as `0x1f5fc4`, in every medium.
    Rgb(u32),
}

impl Colour {
    /// Returns colour number `index` of the palette; after the last comes the first again.
    pub fn number(index: usize) -> Self {
        Self::Hue(index % HUES.len())
    }

    /// Returns its name in SVG; a page has variables for it.
    pub fn on(self, medium: Medium) -> String {
        match (medium, self) {
            (Medium::Page, Self::Ink) => "currentColor".to_owned(),
            (Medium::Page, Self::Grid) => "var(--faint)".to_owned(),
            (Medium::Page, Self::Soft) => "var(--soft)".to_owned(),
            (Medium::Page, Self::Hue(hue)) => format!("var({})", variable(hue)),
            _ => hex(self.on_white()),
        }
    }

    /// Returns red, green and blue on white.
    pub fn on_white(self) -> u32 {
        match self {
            Self::Ink => 0x3a_4048,
            Self::Grid => 0xdd_e0e4,
            Self::Soft => 0x5c_6570,
            Self::Hue(hue) => HUES[hue][0],
            Self::Rgb(rgb) => rgb,
        }
    }

    /// Interpolates between colours at this share, from 0 to 1, of the way from the first to the last.
    pub fn between(colours: &[Self], share: f64) -> Self {
        let place = share.clamp(0.0, 1.0) * (colours.len() - 1) as f64;
        let first = (place as usize).min(colours.len().saturating_sub(2));
        let last = (first + 1).min(colours.len() - 1);
        let ends = [first, last].map(|end| colours[end].on_white().to_be_bytes());
        let part = |byte: usize| {
            let [from, to] = ends.map(|end| f64::from(end[byte]));
            (from + (place - first as f64) * (to - from)).round() as u8
        };
        Self::Rgb(u32::from_be_bytes([0, part(1), part(2), part(3)]))
    }
}

/// Formats a colour: `#1f5fc4`.
pub(super) fn hex(rgb: u32) -> String {
    format!("#{rgb:06x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_lie_between_their_neighbours() {
        let scale = [0x00_0000, 0x80_8080, 0xff_0000].map(Colour::Rgb);
        let at = |share: f64| Colour::between(&scale, share).on_white();
        assert_eq!([0.0, 0.5, 1.0].map(at), [0x00_0000, 0x80_8080, 0xff_0000]);
        assert_eq!(at(0.25), 0x40_4040);
        assert_eq!(Colour::between(&scale[..1], 0.7), scale[0]);
    }
}
