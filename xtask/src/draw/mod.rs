//! Drawing: a picture is drawn once as shapes and put out as SVG (file and inline) and PNG.

pub mod axis;
pub mod frame;
pub mod pen;
pub mod style;

use std::path::Path;

use anyhow::{Context, Result};
use plotters::prelude::*;

use crate::files;
use pen::{Pen, Surface};

/// PNG files have this many pixels per unit of length.
const PNG_SCALE: i32 = 2;

/// Something that can be drawn.
pub trait Picture {
    /// Width and height in units.
    fn size(&self) -> (u32, u32);

    /// Draws it with `pen`.
    ///
    /// # Errors
    /// If drawing fails.
    fn draw<DB: Surface>(&self, pen: &Pen<'_, DB>) -> Result<()>;

    /// As an SVG document on white, for a file.
    ///
    /// # Errors
    /// If drawing fails.
    fn svg(&self) -> Result<String> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
        area.fill(&WHITE)?;
        self.draw(&Pen::new(&area, 1))?;
        drop(area);
        Ok(text)
    }

    /// As an SVG element without background, whose ink is the page's.
    ///
    /// # Errors
    /// If drawing fails.
    fn inline(&self) -> Result<String> {
        let mut text = String::new();
        let area = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
        self.draw(&Pen::new(&area, 1))?;
        drop(area);
        Ok(style::on_page(&text))
    }

    /// Writes a PNG file.
    ///
    /// # Errors
    /// If drawing or writing fails.
    fn write_png(&self, path: &Path) -> Result<()> {
        let unfinished = path.with_extension("unfinished.png");
        let (width, height) = self.size();
        let scale = PNG_SCALE as u32;
        let area = BitMapBackend::new(&unfinished, (width * scale, height * scale));
        let area = area.into_drawing_area();
        area.fill(&WHITE)?;
        self.draw(&Pen::new(&area, PNG_SCALE))?;
        area.present().with_context(|| files::cannot_write(path))?;
        files::finish(&unfinished, path)
    }

    /// Writes `<stem>.svg` and `<stem>.png` in `folder`.
    ///
    /// # Errors
    /// If drawing or writing fails.
    fn write(&self, folder: &Path, stem: &str) -> Result<()> {
        let file = |ending: &str| folder.join(format!("{stem}.{ending}"));
        files::write_whole(&file("svg"), self.svg()?.as_bytes())?;
        self.write_png(&file("png"))
    }
}
