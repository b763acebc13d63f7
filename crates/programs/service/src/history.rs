//! The metric over time, in a bounded number of points.

use serde::Serialize;

/// The most points that are kept; when they are full, every second one is dropped.
const MOST: usize = 512;

/// The metric after a number of rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Point {
    /// The number of rows scored.
    pub rows: u64,
    /// The metric over all of them.
    pub overall: f64,
    /// The metric over the latest.
    pub recent: f64,
}

/// Points at growing intervals of rows.
#[derive(Clone, Debug)]
pub(crate) struct History {
    points: Vec<Point>,
    /// Rows between two points.
    step: u64,
}

impl Default for History {
    fn default() -> Self {
        Self {
            points: Vec::new(),
            step: 1,
        }
    }
}

impl History {
    /// Returns whether a point is due after this number of rows.
    pub(crate) fn is_due(&self, rows: u64) -> bool {
        self.points
            .last()
            .is_none_or(|last| rows >= last.rows + self.step)
    }

    /// Adds a point.
    pub(crate) fn add(&mut self, point: Point) {
        if self.points.len() == MOST {
            let mut is_even = false;
            self.points.retain(|_| {
                is_even = !is_even;
                is_even
            });
            self.step *= 2;
        }
        self.points.push(point);
    }

    /// Returns the points, from first to last.
    pub(crate) fn points(&self) -> &[Point] {
        &self.points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_rows_fits_in_order() {
        let mut history = History::default();
        for rows in 1..=100_000 {
            if history.is_due(rows) {
                let (overall, recent) = (0.5, 0.5);
                history.add(Point {
                    rows,
                    overall,
                    recent,
                });
            }
            let points = history.points();
            assert!(points.len() <= MOST && points[0].rows == 1);
        }
        let rows: Vec<u64> = history.points().iter().map(|point| point.rows).collect();
        assert!(rows.is_sorted() && rows.len() > MOST / 4 && rows[rows.len() - 1] > 99_000);
    }
}
