//! A pen over any of the drawing library's surfaces: text, lines, dashes, dots, in our own units.

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::style::{self, Pattern, Stroke};

/// Something to draw on. Its errors own what they say.
pub trait Surface: DrawingBackend<ErrorType: 'static> {}

impl<DB: DrawingBackend<ErrorType: 'static>> Surface for DB {}

/// A place, in units from the upper left corner.
pub type Place = (i32, i32);

/// Length of a dash and of the gap after it.
const DASHES: (f64, f64) = (6.0, 4.0);
const DOTS: (f64, f64) = (2.0, 3.0);

/// Lengths of a dash and of a gap, and the width of the line.
type Dash = ((f64, f64), u32);

/// A surface and how many of its pixels make a unit.
#[derive(Clone, Copy)]
pub struct Pen<'a, DB: Surface> {
    area: &'a DrawingArea<DB, Shift>,
    scale: i32,
}

impl<'a, DB: Surface> Pen<'a, DB> {
    /// A pen on `area`, `scale` pixels to the unit.
    pub fn new(area: &'a DrawingArea<DB, Shift>, scale: i32) -> Self {
        Self { area, scale }
    }

    /// Width and height in units.
    pub fn size(&self) -> Place {
        let (width, height) = self.area.dim_in_pixel();
        (width as i32 / self.scale, height as i32 / self.scale)
    }

    /// Text beside `at`: `hold` is the side that stays there; vertically it is centred.
    pub fn text(&self, text: &str, at: Place, hold: HPos, colour: RGBColor) -> Result<()> {
        let size = style::TEXT * self.scale;
        let style = (style::FONT, size)
            .into_text_style(self.area)
            .color(&colour);
        let style = style.pos(Pos::new(hold, VPos::Center));
        Ok(self
            .area
            .draw(&Text::new(text.to_owned(), self.pixel(at), style))?)
    }

    /// A line through all of `places`.
    pub fn line(&self, places: &[Place], colour: RGBColor, width: u32) -> Result<()> {
        let pixels: Vec<Place> = places.iter().map(|&place| self.pixel(place)).collect();
        let style = colour.stroke_width(width * self.scale as u32);
        Ok(self.area.draw(&PathElement::new(pixels, style))?)
    }

    /// A line through all of `places` in this manner.
    pub fn stroke(&self, places: &[Place], stroke: Stroke) -> Result<()> {
        match stroke.pattern {
            Pattern::Solid => self.line(places, stroke.colour, 2),
            Pattern::Dotted => self.broken(places, stroke.colour, (DOTS, 2)),
            Pattern::Dashed => self.dashes(places, stroke.colour),
        }
    }

    /// A mark in this manner.
    pub fn mark(&self, at: Place, radius: i32, stroke: Stroke) -> Result<()> {
        if stroke.pattern == Pattern::Solid {
            return self.dot(at, radius, stroke.colour);
        }
        let style = stroke.colour.stroke_width(2 * self.scale as u32);
        let ring = Circle::new(self.pixel(at), radius * self.scale, style);
        Ok(self.area.draw(&ring)?)
    }

    /// A thin dashed line through all of `places`.
    pub fn dashes(&self, places: &[Place], colour: RGBColor) -> Result<()> {
        self.broken(places, colour, (DASHES, 1))
    }

    fn broken(&self, places: &[Place], colour: RGBColor, dash: Dash) -> Result<()> {
        let mut walked = 0.0;
        for pair in places.windows(2) {
            walked = self.broken_piece([pair[0], pair[1]], walked, colour, dash)?;
        }
        Ok(())
    }

    /// One straight piece of a broken line on which `walked` lies behind; returns what then does.
    fn broken_piece(
        &self,
        [a, b]: [Place; 2],
        walked: f64,
        colour: RGBColor,
        ((dash, gap), width): Dash,
    ) -> Result<f64> {
        let length = f64::from(b.0 - a.0).hypot(f64::from(b.1 - a.1));
        let period = dash + gap;
        let mut start = (walked / period).floor() * period - walked;
        while start < length {
            let (from, to) = (start.max(0.0), (start + dash).min(length));
            if from < to {
                self.line(
                    &[between(a, b, from / length), between(a, b, to / length)],
                    colour,
                    width,
                )?;
            }
            start += period;
        }
        Ok(walked + length)
    }

    /// A filled dot.
    pub fn dot(&self, at: Place, radius: i32, colour: RGBColor) -> Result<()> {
        let dot = Circle::new(self.pixel(at), radius * self.scale, colour.filled());
        Ok(self.area.draw(&dot)?)
    }

    fn pixel(&self, (x, y): Place) -> Place {
        (x * self.scale, y * self.scale)
    }
}

fn between(a: Place, b: Place, share: f64) -> Place {
    let mix = |a: i32, b: i32| (f64::from(a) + share * f64::from(b - a)).round() as i32;
    (mix(a.0, b.0), mix(a.1, b.1))
}
