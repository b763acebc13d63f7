//! Curves on logarithmic axes, as SVG.

use std::fmt::{Result, Write};

/// A line and its name.
pub struct Curve<'a> {
    pub name: &'a str,
    pub points: &'a [(f64, f64)],
}

const COLOURS: [&str; 5] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#666666"];
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 420.0;
const MARGIN: f64 = 60.0;

/// A logarithmic axis over whole powers of ten.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Self {
        let logs = values.map(f64::log10);
        let low = logs.clone().fold(f64::INFINITY, f64::min).floor();
        let high = logs.fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
        Self {
            low,
            high,
            from,
            to,
        }
    }

    fn at(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        self.from + part * (self.to - self.from)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        (self.low as i32..=self.high as i32).map(|power| 10f64.powi(power))
    }
}

/// The picture of a figure.
pub fn draw(
    title: &str,
    y_name: &str,
    curves: &[Curve<'_>],
) -> std::result::Result<String, std::fmt::Error> {
    let all = curves.iter().flat_map(|curve| curve.points);
    let x = Axis::over(all.clone().map(|p| p.0), MARGIN, WIDTH - 150.0);
    let y = Axis::over(all.map(|p| p.1), HEIGHT - MARGIN, MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{MARGIN}\" y=\"24\" font-size=\"15\">{title}</text>\n\
         <text x=\"{MARGIN}\" y=\"46\">{y_name}</text>\n"
    );
    grid(&mut svg, &x, &y)?;
    for (index, curve) in curves.iter().enumerate() {
        line(&mut svg, index, curve, &x, &y)?;
    }
    svg.push_str("</svg>\n");
    Ok(svg)
}

fn grid(svg: &mut String, x: &Axis, y: &Axis) -> Result {
    for tick in x.ticks() {
        let at = x.at(tick);
        writeln!(
            svg,
            "<path d=\"M{at:.1} {}V{}\" stroke=\"#ddd\"/>",
            y.from, y.to
        )?;
        writeln!(
            svg,
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{tick}</text>",
            y.from + 18.0
        )?;
    }
    for tick in y.ticks() {
        let at = y.at(tick);
        writeln!(
            svg,
            "<path d=\"M{} {at:.1}H{}\" stroke=\"#ddd\"/>",
            x.from, x.to
        )?;
        writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
            x.from - 6.0,
            at + 4.0
        )?;
    }
    Ok(())
}

fn line(svg: &mut String, index: usize, curve: &Curve<'_>, x: &Axis, y: &Axis) -> Result {
    let colour = COLOURS[index % COLOURS.len()];
    let place = |(a, b): &(f64, f64)| format!("{:.1},{:.1}", x.at(*a), y.at(*b));
    let points: Vec<_> = curve.points.iter().map(place).collect();
    let points = points.join(" ");
    writeln!(
        svg,
        "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    )?;
    let (left, top) = (x.to + 14.0, y.to + 20.0 * index as f64);
    writeln!(
        svg,
        "<path d=\"M{left} {top}h18\" stroke=\"{colour}\" stroke-width=\"2\"/>"
    )?;
    writeln!(
        svg,
        "<text x=\"{}\" y=\"{}\">{}</text>",
        left + 24.0,
        top + 4.0,
        curve.name
    )
}
