//! Charts of learning: the metric along the stream.

use statrs::statistics::Statistics as _;

use super::{Learner, NamedChart, Part, SectionCharts, covering};
use crate::plot::axis::Axis;
use crate::plot::chart::{Series, Shape};
use crate::plot::stroke;
use crate::record::Curve;

/// The approximate number of points of a windowed curve that do not share rows.
const POINTS: usize = 20;

type Point = (f64, f64);

impl SectionCharts<'_> {
    pub(super) fn learning(&self) -> Vec<NamedChart> {
        let Some(window) = self.section.setting.window else {
            return Vec::new();
        };
        let curves = self.learners.iter();
        let entries = curves.filter_map(|learner| Some(learner.result.curve.as_ref()?.rows.len()));
        let width = width(entries.max().unwrap_or(0));
        let last = "Each point is the metric over the windows around it, as many as the title states, and mean over seeds; a \
                    band is from the least to the largest of the seeds; windows are not averaged across a change of the stream. A baseline beyond the axis runs along its edge.";
        let all = "Each point is the metric over all rows so far, mean over seeds; a band is from the least to the largest of the \
                   seeds; its end is the value in \
                   the tables. A baseline beyond the axis runs along its edge.";
        let cumulative = ["cumulative", "Over all rows so far", all];
        let windowed = ["windowed", "Over the rows around a moment", last];
        let mut smoothed = self.curves(windowed, |curve| self.smooth(curve));
        let windows = match width {
            1 => "windows".to_owned(),
            _ => format!("mean of {width} windows"),
        };
        smoothed.title = format!("{} · {windows} of {window} rows", smoothed.title);
        vec![
            self.curves(cumulative, |curve| curve.cumulative.clone()),
            smoothed,
        ]
    }

    fn curves(&self, words: [&str; 3], values: impl Fn(&Curve) -> Vec<f64>) -> NamedChart {
        let points = |learner: &Learner<'_>| -> Option<Vec<Point>> {
            let curve = learner.result.curve.as_ref()?;
            let rows = curve.rows.iter().map(|&rows| rows as f64);
            Some(rows.zip(values(curve)).collect())
        };
        let upwards = |learners: &mut dyn Iterator<Item = &Learner<'_>>| -> Vec<f64> {
            let points = learners.filter_map(points).flatten();
            points.map(|point| point.1).collect()
        };
        let name = self.section.setting.metric.axis_name();
        let of_baselines = upwards(&mut self.baselines());
        let y = covering(&name, upwards(&mut self.algorithms()), of_baselines);
        let x = self.rows_axis();
        let curves = self.learners.iter();
        let curves = curves.filter_map(|learner| {
            let points = clipped(points(learner)?, &y);
            Some(learner.series(Shape::Line(points)))
        });
        let bands = self.algorithms().filter_map(|learner| {
            let curves = &learner.result.curves;
            let rows = curves.first()?.rows.iter().map(|&rows| rows as f64);
            let band = band(curves.iter().map(&values).collect())?;
            let band = band
                .into_iter()
                .map(|ends| ends.map(|end| end.clamp(y.start(), y.end())));
            Some(learner.series(Shape::Band(rows.zip(band).collect())))
        });
        let marks = bands.chain(self.changes(&y)).chain(curves);
        let series = marks.collect();
        self.with_note(self.named(Part::Learning, words, x, y, series))
    }

    /// Returns the axis of the rows of the stream.
    pub(super) fn rows_axis(&self) -> Axis {
        Axis::exact("rows seen", 0.0..self.section.setting.n_train as f64)
    }

    /// Draws vertical lines at the changes of the stream.
    pub(super) fn changes(&self, y: &Axis) -> Option<Series> {
        let changes = &self.section.setting.changes;
        let rows = changes.iter().map(|&row| row as f64);
        (!changes.is_empty()).then(|| {
            let lines = Shape::Verticals(rows.collect(), [y.start(), y.end()]);
            Series::new("change", stroke::CHANGE, lines)
        })
    }

    /// Returns the windowed metric, each entry averaged with its neighbours.
    fn smooth(&self, curve: &Curve) -> Vec<f64> {
        let changes = &self.section.setting.changes;
        let part = |row: &usize| changes.iter().filter(|change| *change < row).count();
        let parts: Vec<usize> = curve.rows.iter().map(part).collect();
        smooth(&curve.windowed, &parts, width(curve.windowed.len()))
    }
}

/// Returns the odd number of windows to average.
fn width(entries: usize) -> usize {
    entries / POINTS / 2 * 2 + 1
}

/// Averages the `width` entries around each that are in the same part; fewer at its ends.
fn smooth(values: &[f64], parts: &[usize], width: usize) -> Vec<f64> {
    let mean = |entry: usize| {
        let first = entry.saturating_sub(width / 2);
        let last = (entry + width / 2).min(values.len() - 1);
        let near = (first..=last).filter(|&other| parts[other] == parts[entry]);
        near.map(|other| values[other]).mean()
    };
    (0..values.len()).map(mean).collect()
}

/// Returns the least and the largest of several curves at each entry; `None` for a single curve.
fn band(curves: Vec<Vec<f64>>) -> Option<Vec<[f64; 2]>> {
    if curves.len() < 2 {
        return None;
    }
    let ends = |entry: usize| {
        let values = || curves.iter().map(|curve| curve[entry]);
        let least = values().fold(f64::INFINITY, f64::min);
        [least, values().fold(f64::NEG_INFINITY, f64::max)]
    };
    Some((0..curves[0].len()).map(ends).collect())
}

/// Moves points beyond the axis to its edge.
fn clipped(points: Vec<Point>, y: &Axis) -> Vec<Point> {
    let clip = |(across, value): Point| (across, value.clamp(y.start(), y.end()));
    points.into_iter().map(clip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_neighbours_and_not_across_a_change() {
        let values = [1.0, 2.0, 6.0, 10.0, 20.0];
        assert_eq!(smooth(&values, &[0; 5], 3), [1.5, 3.0, 6.0, 12.0, 15.0]);
        let parts = [0, 0, 0, 1, 1];
        assert_eq!(smooth(&values, &parts, 3), [1.5, 3.0, 4.0, 15.0, 15.0]);
        assert_eq!(smooth(&values, &[0; 5], 1), values);
        assert_eq!(
            band(vec![vec![1.0, 4.0], vec![3.0, 2.0]]).unwrap(),
            [[1.0, 3.0], [2.0, 4.0]]
        );
        assert!(band(vec![vec![1.0]]).is_none());
        assert_eq!([0, 19, 39, 40, 100].map(width), [1, 1, 1, 3, 5]);
    }
}
