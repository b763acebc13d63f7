//! Depth, truth and prediction, side by side.

use std::error::Error;

use datasets::generators::depth_body::{BACKGROUND, Body, HEIGHT, WIDTH};
use plotters::prelude::*;

use crate::common::folder;

/// Screen pixels for one of the picture, across and down.
const ZOOM: usize = 2;

/// Space between pictures.
const GAP: usize = 6;

/// Draws a row for each body into `kinect.png`; `predict` tells the part of every pixel.
pub fn draw(
    bodies: &[Body],
    predict: impl Fn(&Body) -> Vec<u32>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let path = folder().join("kinect.png");
    let size = (
        (3 * (ZOOM * WIDTH + GAP) - GAP) as u32,
        (bodies.len() * (ZOOM * HEIGHT + GAP) - GAP) as u32,
    );
    let root = BitMapBackend::new(&path, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (row, body) in bodies.iter().enumerate() {
        let predicted = predict(body);
        for (index, part) in predicted.into_iter().enumerate() {
            let (x, y) = (index % WIDTH, index / WIDTH);
            let pixel = body.look(x as i32, y as i32);
            let colours = [grey(pixel.depth), colour(pixel.part), colour(part)];
            for (column, colour) in colours.into_iter().enumerate() {
                let left = column * (ZOOM * WIDTH + GAP) + ZOOM * x;
                let top = row * (ZOOM * HEIGHT + GAP) + ZOOM * y;
                let corner = |by: usize| ((left + by) as i32, (top + by) as i32);
                root.draw(&Rectangle::new([corner(0), corner(ZOOM)], colour.filled()))?;
            }
        }
    }
    root.present()?;
    Ok(())
}

/// Near is light, the wall is black.
fn grey(depth: f32) -> RGBColor {
    let light = (1.0 - (depth - 1.5) / 3.5).clamp(0.0, 1.0);
    let shade = (255.0 * light) as u8;
    RGBColor(shade, shade, shade)
}

/// The wall is nearly white; parts of the body go around the circle of hues, neighbours far apart.
fn colour(part: u32) -> RGBColor {
    if part == BACKGROUND {
        return RGBColor(0xee, 0xee, 0xee);
    }
    let hue = f64::from(part * 7 % BACKGROUND) / f64::from(BACKGROUND);
    let lightness = 0.45 + 0.15 * f64::from(part % 2);
    let (red, green, blue) = HSLColor(hue, 0.75, lightness).to_backend_color().rgb;
    RGBColor(red, green, blue)
}
