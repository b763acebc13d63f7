//! Pictures: drawn with plotters, written as SVG (file and inline) and PNG.

pub mod axis;
pub mod chart;
pub mod palette;
pub mod partition;
pub mod stroke;
pub mod style;

use std::path::Path;

use plotters::coord::Shift;
use plotters::prelude::*;
use thiserror::Error;

use crate::files::{self, FileError};

/// Why a picture is not drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PictureError {
    /// The library could not draw it.
    #[error("cannot draw: {0}")]
    Drawing(String),
    /// It cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The font of all pictures.
    #[error("the bundled font cannot be read")]
    Font,
}

impl<E: std::error::Error + Send + Sync> From<DrawingAreaErrorKind<E>> for PictureError {
    fn from(error: DrawingAreaErrorKind<E>) -> Self {
        Self::Drawing(error.to_string())
    }
}

type Result<V> = std::result::Result<V, PictureError>;

/// A PNG file has this many pixels per unit of length, an SVG file one.
const PNG_SCALE: i32 = 2;

/// The bitmaps of plotters: red, green and blue.
const BYTES_PER_PIXEL: usize = 3;

/// A backend of plotters whose errors own their data, so that they can be passed on.
pub trait Backend: DrawingBackend<ErrorType: 'static> {}

impl<DB: DrawingBackend<ErrorType: 'static>> Backend for DB {}

/// An area to draw on, and its pixels per unit of length.
pub struct Canvas<DB: Backend> {
    /// Where to draw.
    pub area: DrawingArea<DB, Shift>,
    scale: i32,
}

impl<DB: Backend> Canvas<DB> {
    /// So many units in pixels.
    pub fn pixels(&self, units: i32) -> i32 {
        units * self.scale
    }

    /// The style of all text.
    pub fn text_style(&self) -> TextStyle<'static> {
        let font = (style::FONT, self.pixels(style::TEXT_HEIGHT)).into_font();
        font.color(&style::INK)
    }

    /// A line of this width in units.
    pub fn line_style(&self, colour: RGBColor, width: i32) -> ShapeStyle {
        colour.stroke_width(self.pixels(width) as u32)
    }

    /// The parts left and right of `x` units.
    pub fn split(&self, x: u32) -> (Self, Self) {
        let (left, right) = self.area.split_horizontally(self.pixels(x as i32));
        (self.with(left), self.with(right))
    }

    /// Equal parts, row by row.
    pub fn grid(&self, rows: usize, columns: usize) -> Vec<Self> {
        let parts = self.area.split_evenly((rows, columns)).into_iter();
        parts.map(|area| self.with(area)).collect()
    }

    /// A part of the area.
    pub fn with(&self, area: DrawingArea<DB, Shift>) -> Self {
        let scale = self.scale;
        Self { area, scale }
    }
}

/// Something that can be drawn.
pub trait Picture {
    /// Width and height in units.
    fn size(&self) -> (u32, u32);

    /// Draws on all of the canvas.
    ///
    /// # Errors
    /// What the library says.
    fn draw<DB: Backend>(&self, canvas: &Canvas<DB>) -> Result<()>;

    /// An SVG document on white.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    fn svg(&self) -> Result<String> {
        self.svg_on(&WHITE.to_rgba())
    }

    /// An SVG element without background, to be embedded in a page.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    fn inline(&self) -> Result<String> {
        Ok(style::follow_page(&self.svg_on(&TRANSPARENT)?))
    }

    /// An SVG document on this background.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    fn svg_on(&self, background: &RGBAColor) -> Result<String> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
        area.fill(background)?;
        self.draw(&Canvas { area, scale: 1 })?;
        Ok(text)
    }

    /// A PNG file on white, two pixels a unit.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    fn png(&self) -> Result<Vec<u8>> {
        let scale = PNG_SCALE;
        let size = <[u32; 2]>::from(self.size()).map(|units| units * scale as u32);
        let mut pixels = vec![0; (size[0] * size[1]) as usize * BYTES_PER_PIXEL];
        let area = BitMapBackend::with_buffer(&mut pixels, size.into()).into_drawing_area();
        area.fill(&WHITE)?;
        self.draw(&Canvas { area, scale })?;
        encode_png(&pixels, size).map_err(|error| PictureError::Drawing(error.to_string()))
    }

    /// Writes `<stem>.svg` and `<stem>.png` in `folder`.
    ///
    /// # Errors
    /// As [`Picture::draw`], or a file that cannot be written.
    fn write(&self, folder: &Path, stem: &str) -> Result<()> {
        let svg = folder.join(format!("{stem}.svg"));
        files::write_atomically(&svg, self.svg()?.as_bytes())?;
        let png = folder.join(format!("{stem}.png"));
        Ok(files::write_atomically(&png, &self.png()?)?)
    }
}

fn encode_png(
    pixels: &[u8],
    [width, height]: [u32; 2],
) -> std::result::Result<Vec<u8>, png::EncodingError> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(file)
}
