//! Pictures, drawn as SVG: a file on white, or a part of a page in the page's colours.

pub mod axis;
pub mod chart;
pub mod colour;
mod frame;
pub mod palette;
pub mod partition;
mod series;
pub mod stroke;
mod ticks;
pub mod titled;

use std::path::Path;

use maud::{Markup, PreEscaped, html};

use crate::files::{self, FileError};

/// Height of text and width of a letter, in units.
const TEXT: f64 = 12.0;
const LETTER: u32 = 8;

const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// A place in a picture, in units from its left and upper edges.
pub type Place = (f64, f64);

/// The medium of a picture, which determines its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A file, on white.
    File,
    /// A page, with its own light or dark colours.
    Page,
}

/// A picture that can be drawn.
pub trait Picture {
    /// Returns width and height in units; a file has one pixel per unit.
    fn size(&self) -> (u32, u32);

    /// Draws its elements.
    fn draw(&self, medium: Medium) -> Markup;

    /// Returns an SVG document on white.
    fn svg(&self) -> String {
        let (width, height) = self.size();
        let background = html! { rect width=(width) height=(height) fill="#ffffff" {} };
        let document = html! {
            svg xmlns=(NAMESPACE) width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) }
                font-family="sans-serif" font-size=(TEXT) { (background) (self.draw(Medium::File)) }
        };
        format!("{}\n", document.into_string())
    }

    /// Returns an SVG element without background, for a page; `label` is the text for screen readers.
    fn inline(&self, label: &str) -> Markup {
        let (width, height) = self.size();
        html! {
            svg xmlns=(NAMESPACE) viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height)
                font-family="sans-serif" font-size=(TEXT) role="img" aria-label=(label.trim()) { (self.draw(Medium::Page)) }
        }
    }

    /// Writes `<stem>.svg` in `folder`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    fn write(&self, folder: &Path, stem: &str) -> Result<(), FileError> {
        let path = folder.join(format!("{stem}.svg"));
        files::write_atomically(&path, self.svg().as_bytes())
    }
}

/// The point of a text that is at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Draws a line of text, its middle at the height of the place.
pub fn text(place: Place, anchor: Anchor, words: &str, medium: Medium) -> Markup {
    let (x, y) = place;
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let ink = colour::Colour::Ink.on(medium);
    html! { text x=(short(x)) y=(short(y)) dy="0.35em" text-anchor=(anchor) fill=(ink) { (words) } }
}

/// Returns the width of the longest of these texts.
fn text_width<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as u32
}

/// Draws pictures in rows of this many columns, in cells of this size.
pub fn grid(
    pictures: impl Iterator<Item = Markup>,
    columns: usize,
    cell_size: (u32, u32),
) -> Markup {
    let (width, height) = cell_size;
    let at = |cell: usize| {
        let (column, row) = ((cell % columns) as u32, (cell / columns) as u32);
        format!("translate({} {})", column * width, row * height)
    };
    html! {
        @for (cell, picture) in pictures.enumerate() { g transform=(at(cell)) { (picture) } (LINE_BREAK) }
    }
}

/// Rounds to a tenth of a unit, which is precise enough.
fn short(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Formats places as SVG lists them.
fn list(places: impl IntoIterator<Item = Place>) -> String {
    let places = places.into_iter();
    let pairs: Vec<String> = places
        .map(|(x, y)| format!("{},{}", short(x), short(y)))
        .collect();
    pairs.join(" ")
}

/// A line break, so that differences of files are readable.
const LINE_BREAK: PreEscaped<&str> = PreEscaped("\n");
