//! A pen over any of the drawing library's surfaces: text, lines, dashes, dots, in our own units.

use anyhow::Result;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::style;

/// Something to draw on. Its errors own what they say.
pub trait Surface: DrawingBackend<ErrorType: 'static> {}

impl<DB: DrawingBackend<ErrorType: 'static>> Surface for DB {}

/// A place, in units from the upper left corner.
pub type Place = (i32, i32);

/// Length of a dash and of the gap after it.
const DASH: (f64, f64) = (6.0, 4.0);

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

    /// A dashed line through all of `places`.
    pub fn dashes(&self, places: &[Place], colour: RGBColor) -> Result<()> {
        let mut walked = 0.0;
        for pair in places.windows(2) {
            walked = self.dashed_piece(pair[0], pair[1], walked, colour)?;
        }
        Ok(())
    }

    /// One straight piece of a dashed line on which `walked` lies behind; returns what then does.
    fn dashed_piece(&self, a: Place, b: Place, walked: f64, colour: RGBColor) -> Result<f64> {
        let length = f64::from(b.0 - a.0).hypot(f64::from(b.1 - a.1));
        let period = DASH.0 + DASH.1;
        let mut start = (walked / period).floor() * period - walked;
        while start < length {
            let (from, to) = (start.max(0.0), (start + DASH.0).min(length));
            if from < to {
                self.line(
                    &[between(a, b, from / length), between(a, b, to / length)],
                    colour,
                    1,
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
