//! Strokes of lines and marks, and the two as SVG.

use std::f64::consts::TAU;

use maud::{Markup, html};

use super::colour::Colour;
use super::palette::HUES;
use super::{Medium, Place, list, short};

/// The look of lines and marks of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// Its colour.
    pub colour: Colour,
    /// Its dashes.
    pub pattern: Pattern,
}

/// Dashes of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// A solid line.
    Solid,
    /// Short dashes.
    Dashed,
    /// Dots.
    Dotted,
    /// Long dashes.
    LongDashed,
}

/// The stroke of changes of a stream.
pub const CHANGE: Stroke = Stroke {
    colour: Colour::Ink,
    pattern: Pattern::Dashed,
};

/// Returns the stroke of baseline number `index` of a chart: dashed, then dotted, and so on in turn.
pub fn baseline(index: usize) -> Stroke {
    let pattern = match index % 2 {
        0 => Pattern::Dashed,
        _ => Pattern::Dotted,
    };
    let colour = Colour::Soft;
    Stroke { colour, pattern }
}

/// Returns stroke number `index`: solid in every colour, then dashed, and so on.
pub fn stroke(index: usize) -> Stroke {
    let pattern = Pattern::number(index / HUES.len());
    let colour = Colour::number(index);
    Stroke { colour, pattern }
}

impl Pattern {
    const ALL: [Self; 4] = [Self::Solid, Self::Dashed, Self::Dotted, Self::LongDashed];

    /// Returns pattern number `index`; after the last comes the first again.
    pub fn number(index: usize) -> Self {
        Self::ALL[index % Self::ALL.len()]
    }

    /// Returns the lengths of a dash and of the space after it; `None` for a solid line.
    fn dash_array(self) -> Option<&'static str> {
        match self {
            Self::Solid => None,
            Self::Dashed => Some("6 4"),
            Self::Dotted => Some("2 3"),
            Self::LongDashed => Some("12 4"),
        }
    }
}

impl Stroke {
    /// Draws a line through these places; nothing through fewer than two.
    pub fn line(self, places: impl IntoIterator<Item = Place>, medium: Medium) -> Markup {
        let places: Vec<Place> = places.into_iter().collect();
        html! {
            @if places.len() > 1 {
                polyline points=(list(places)) fill="none" stroke=(self.colour.on(medium)) stroke-width="2"
                    stroke-linejoin="round" stroke-dasharray=[self.pattern.dash_array()] {}
            }
        }
    }

    /// Draws a hollow mark.
    pub fn mark(self, place: Place, radius: f64, medium: Medium) -> Markup {
        let colour = self.colour.on(medium);
        let outline = self.outline(radius).into_iter();
        let corners = list(outline.map(|(dx, dy)| (place.0 + dx, place.1 + dy)));
        html! {
            @if corners.is_empty() {
                circle cx=(short(place.0)) cy=(short(place.1)) r=(radius) fill="none" stroke=(colour) stroke-width="2" {}
            } @else {
                polygon points=(corners) fill="none" stroke=(colour) stroke-width="2" {}
            }
        }
    }

    /// Returns the corners of a mark around 0 (empty for a circle), another shape for other dashes and for the next colour.
    fn outline(self, radius: f64) -> Vec<Place> {
        let hue = match self.colour {
            Colour::Hue(hue) => hue,
            _ => 0,
        };
        let [corners, turn] = match (hue + self.pattern as usize) % Pattern::ALL.len() {
            0 => [0.0, 0.0],
            1 => [4.0, 0.125],
            2 => [3.0, -0.25],
            _ => [4.0, 0.0],
        };
        let at = |corner: u32| {
            let (sin, cos) = (TAU * (f64::from(corner) / corners + turn)).sin_cos();
            (radius * cos, radius * sin)
        };
        (0..corners as u32).map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strokes_differ_and_are_dashed_after_the_last_colour_and_marks_of_neighbours_differ() {
        let strokes: Vec<Stroke> = (0..2 * HUES.len()).map(stroke).collect();
        assert!((1..strokes.len()).all(|i| !strokes[..i].contains(&strokes[i])));
        assert_eq!(strokes[HUES.len() - 1].pattern, Pattern::Solid);
        assert_eq!(strokes[HUES.len()].pattern, Pattern::Dashed);
        let marks: Vec<_> = strokes.iter().map(|stroke| stroke.outline(5.0)).collect();
        assert!(
            marks[..HUES.len()]
                .windows(2)
                .all(|pair| pair[0] != pair[1])
        );
    }
}
