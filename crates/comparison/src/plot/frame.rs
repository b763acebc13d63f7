//! The frame of a plot: the places of its points, and its axes.

use maud::{Markup, html};

use super::axis::Axis;
use super::colour::Colour;
use super::{Anchor, LINE_BREAK, Medium, Place, list, short, text, text_width};

/// Room below a plot for the numbers and the name of its axis, above it, and right of it for half of the last number.
pub(super) const BELOW: f64 = 48.0;
pub(super) const ABOVE: f64 = 10.0;
pub(super) const RIGHT: f64 = 26.0;

/// Values across and upwards.
pub(super) type Point = (f64, f64);

/// The place of a plot, and its axes.
pub(super) struct Frame<'a> {
    pub x: &'a Axis,
    pub y: &'a Axis,
    /// The left and the right edge; the lower and the upper one.
    pub across: [f64; 2],
    pub up: [f64; 2],
}

impl Frame<'_> {
    /// Returns the place of a point.
    pub(super) fn place(&self, point: Point) -> Place {
        let between = |[from, to]: [f64; 2], share: f64| from + share * (to - from);
        let (across, up) = (self.x.share(point.0), self.y.share(point.1));
        (between(self.across, across), between(self.up, up))
    }

    /// Returns the place of a point, if it has one: 0 does not on a logarithmic axis.
    pub(super) fn visible(&self, point: Point) -> Option<Place> {
        let (x, y) = self.place(point);
        (x.is_finite() && y.is_finite()).then_some((x, y))
    }

    /// Draws grid lines with their numbers, the edges, and the names of the axes.
    pub(super) fn axes(&self, medium: Medium) -> Markup {
        let ([left, right], [low, high]) = (self.across, self.up);
        let across = self.x.ticks().iter();
        let across = across.map(|(x, label)| (self.place((*x, self.y.start())).0, label));
        let named = apart(across.clone());
        let up = self.y.ticks().iter();
        let up = up.map(|(y, label)| (self.place((self.x.start(), *y)).1, label));
        let line = |ends: [Place; 2], colour: Colour| html! { polyline points=(list(ends)) stroke=(colour.on(medium)) {} };
        let turn = format!("rotate(-90 10 {})", short((low + high) / 2.0));
        html! {
            g fill="none" {
                @for (x, _) in across.clone() { (line([(x, low), (x, high)], Colour::Grid)) }
                @for (y, _) in up.clone() { (line([(left, y), (right, y)], Colour::Grid)) }
                (line([(left, high), (left, low)], Colour::Ink))
                (line([(left, low), (right, low)], Colour::Ink))
            }
            @for (x, label) in named { (text((x, low + 14.0), Anchor::Middle, label, medium)) }
            @for (y, label) in up { (text((left - 8.0, y), Anchor::End, label, medium)) }
            (text(((left + right) / 2.0, low + 34.0), Anchor::Middle, &self.x.name, medium))
            g transform=(turn) { (text((10.0, (low + high) / 2.0), Anchor::Middle, &self.y.name, medium)) }
            (LINE_BREAK)
        }
    }
}

/// Returns the labels that do not overlap the previous one, in the order of their places.
fn apart<'a>(labels: impl Iterator<Item = (f64, &'a String)>) -> Vec<(f64, &'a String)> {
    let mut end = f64::NEG_INFINITY;
    let is_apart = |(x, label): &(f64, &String)| {
        let half = f64::from(text_width([label.as_str()].into_iter())) / 2.0;
        let is_apart = x - half >= end;
        end = if is_apart { x + half } else { end };
        is_apart
    };
    labels.filter(is_apart).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_overlap() {
        let label = "12345678".to_owned();
        let at = [0.0, 40.0, 64.0, 130.0].map(|x| (x, &label));
        let places = apart(at.into_iter()).into_iter().map(|(x, _)| x);
        assert_eq!(places.collect::<Vec<_>>(), [0.0, 64.0, 130.0]);
    }
}
