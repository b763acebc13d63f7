//! Pictures, drawn as SVG: a file on white, or a part of a page whose colours it takes.

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

/// Where a picture is shown, which decides its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// A file, on white.
    File,
    /// A page with colours of its own, light or dark.
    Page,
}

/// Something that can be drawn.
pub trait Picture {
    /// Width and height in units; a file has one pixel a unit.
    fn size(&self) -> (u32, u32);

    /// Its elements.
    fn draw(&self, medium: Medium) -> Markup;

    /// An SVG document on white.
    fn svg(&self) -> String {
        let (width, height) = self.size();
        let background = html! { rect width=(width) height=(height) fill="#ffffff" {} };
        let document = html! {
            svg xmlns=(NAMESPACE) width=(width) height=(height) viewBox={ "0 0 " (width) " " (height) }
                font-family="sans-serif" font-size=(TEXT) { (background) (self.draw(Medium::File)) }
        };
        format!("{}\n", document.into_string())
    }

    /// An SVG element without background, for a page; `label` is what a screen reader says of it.
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
    /// A file that cannot be written.
    fn write(&self, folder: &Path, stem: &str) -> Result<(), FileError> {
        let path = folder.join(format!("{stem}.svg"));
        files::write_atomically(&path, self.svg().as_bytes())
    }
}

/// The ends of a text that stand at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A line of text, its middle at the height of the place.
pub fn text((x, y): Place, anchor: Anchor, words: &str, medium: Medium) -> Markup {
    let anchor = match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let ink = colour::Colour::Ink.on(medium);
    html! { text x=(short(x)) y=(short(y)) dy="0.35em" text-anchor=(anchor) fill=(ink) { (words) } }
}

/// The width of the longest of these texts.
fn text_width<'a>(texts: impl Iterator<Item = &'a str>) -> u32 {
    LETTER * texts.map(|text| text.chars().count()).max().unwrap_or(0) as u32
}

/// Pictures in rows of this many columns, in cells of this size.
pub fn grid(
    pictures: impl Iterator<Item = Markup>,
    columns: usize,
    (width, height): (u32, u32),
) -> Markup {
    let at = |cell: usize| {
        let (column, row) = ((cell % columns) as u32, (cell / columns) as u32);
        format!("translate({} {})", column * width, row * height)
    };
    html! {
        @for (cell, picture) in pictures.enumerate() { g transform=(at(cell)) { (picture) } (LINE_BREAK) }
    }
}

/// A tenth of a unit is enough.
fn short(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// Places as SVG lists them.
fn list(places: impl IntoIterator<Item = Place>) -> String {
    let places = places.into_iter();
    let pairs: Vec<String> = places
        .map(|(x, y)| format!("{},{}", short(x), short(y)))
        .collect();
    pairs.join(" ")
}

/// So that differences of files can be read.
const LINE_BREAK: PreEscaped<&str> = PreEscaped("\n");
