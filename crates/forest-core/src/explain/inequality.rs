//! A cut as a linear inequality, and in the plane.

use serde::{Deserialize, Serialize};

use crate::{Point, side};

/// A cut: points x with Σ coefficient·x\[feature\] ≤ `threshold` lie left of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Inequality {
    /// Features with their coefficients; an axis-aligned cut has one.
    pub normal: Vec<(usize, f64)>,
    /// What the sum is compared with: −∞ where categories are left and numbers right, a NaN where a [hash](side) of the
    /// category decides. In JSON these are the bits of the `f32`, as text.
    #[serde(with = "threshold")]
    pub threshold: f64,
}

impl Inequality {
    /// Returns Σ coefficient·x\[feature\].
    pub fn value(&self, x: &[f32]) -> f64 {
        let terms = self.normal.iter();
        terms
            .map(|&(feature, entry)| entry * f64::from(x[feature]))
            .sum()
    }

    /// Returns whether the point lies left of the cut: missing values and categories where [`side`] sends them.
    pub fn holds(&self, x: &[f32]) -> bool {
        match self.normal[..] {
            [(feature, 1.0)] if x[feature].is_nan() || self.threshold.is_nan() => {
                side(x[feature], self.threshold as f32) == 0
            }
            _ => self.value(x) <= self.threshold,
        }
    }

    /// Returns the shares of the features in the cut, together 1: by the absolute values of their coefficients.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64)> {
        let total: f64 = self.normal.iter().map(|(_, entry)| entry.abs()).sum();
        let terms = self.normal.iter();
        terms.map(move |&(feature, entry)| (feature, entry.abs() / total))
    }

    /// Returns the same cut of points before their features were scaled to (x − offset) / unit, with `lines` (offset,
    /// unit) and the unit 0 of a feature that is 0 everywhere. The largest coefficient is 1 or −1.
    ///
    /// ```
    /// use forest_core::Inequality;
    ///
    /// // Half of the way from 10 to 30.
    /// let scaled = Inequality { normal: vec![(0, 1.0)], threshold: 0.5 };
    /// let cut = scaled.before(&[(10.0, 20.0)]);
    /// assert_eq!(cut, Inequality { normal: vec![(0, 1.0)], threshold: 20.0 });
    /// ```
    #[must_use]
    pub fn before(&self, lines: &[(f64, f64)]) -> Self {
        let mut normal = Vec::new();
        let mut threshold = self.threshold;
        for &(feature, entry) in &self.normal {
            let (offset, unit) = lines[feature];
            if unit > 0.0 {
                normal.push((feature, entry / unit));
                threshold += entry / unit * offset;
            }
        }
        let largest = normal.iter().map(|(_, entry)| entry.abs());
        let largest = largest.fold(f64::MIN_POSITIVE, f64::max);
        normal.iter_mut().for_each(|(_, entry)| *entry /= largest);
        Self {
            normal,
            threshold: threshold / largest,
        }
    }

    /// Returns how far a point of the plane is from the cut, in units of its normal: negative to its left.
    fn distance(&self, point: Point) -> f64 {
        let terms = self.normal.iter();
        let sum: f64 = terms.map(|&(feature, entry)| entry * point[feature]).sum();
        sum - self.threshold
    }

    /// Returns the parts of a convex polygon left and right of the cut, either of which may be empty (Sutherland and
    /// Hodgman).
    pub fn divide(&self, polygon: &[Point]) -> [Vec<Point>; 2] {
        [1.0, -1.0].map(|sign| {
            let mut part = Vec::with_capacity(polygon.len() + 1);
            for (from, to) in edges(polygon) {
                let [a, b] = [from, to].map(|point| sign * self.distance(point));
                if a <= 0.0 {
                    part.push(from);
                }
                if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
                    part.push(between(from, to, a / (a - b)));
                }
            }
            part
        })
    }

    /// Returns where the cut crosses a convex polygon.
    pub fn chord(&self, polygon: &[Point]) -> Option<[Point; 2]> {
        let mut ends = edges(polygon).filter_map(|(from, to)| {
            let [a, b] = [from, to].map(|point| self.distance(point));
            ((a <= 0.0) != (b <= 0.0)).then(|| between(from, to, a / (a - b)))
        });
        Some([ends.next()?, ends.next()?])
    }
}

/// Thresholds in JSON, which has numbers that are finite alone.
mod threshold {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Bits(String),
    }

    pub(super) fn serialize<S: Serializer>(
        threshold: &f64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let written = if threshold.is_finite() {
            Written::Number(*threshold)
        } else {
            Written::Bits(format!("{:08x}", (*threshold as f32).to_bits()))
        };
        written.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        match Written::deserialize(deserializer)? {
            Written::Number(threshold) => Ok(threshold),
            Written::Bits(text) => {
                let bits = u32::from_str_radix(&text, 16).map_err(de::Error::custom)?;
                Ok(f32::from_bits(bits).into())
            }
        }
    }
}

fn edges(polygon: &[Point]) -> impl Iterator<Item = (Point, Point)> {
    let next = polygon.iter().cycle().skip(1);
    polygon.iter().copied().zip(next.copied())
}

fn between(a: Point, b: Point, share: f64) -> Point {
    [0, 1].map(|axis| a[axis] + share * (b[axis] - a[axis]))
}

/// Returns the corners of the convex hull, counter-clockwise (Andrew's monotone chain).
pub fn convex_hull(mut points: Vec<Point>) -> Vec<Point> {
    points.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    // Equal points are neighbours after sorting; left in, they would make turns of 0.
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = half_hull(points.iter());
    // The last point of a half is the first of the other.
    hull.pop();
    hull.extend(half_hull(points.iter().rev()));
    hull.pop();
    hull
}

fn half_hull<'a>(points: impl Iterator<Item = &'a Point>) -> Vec<Point> {
    let mut hull: Vec<Point> = Vec::new();
    for &p in points {
        while let [.., a, b] = hull[..] {
            let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
            if turn > 0.0 {
                break;
            }
            hull.pop();
        }
        hull.push(p);
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Point; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn area(polygon: &[Point]) -> f64 {
        edges(polygon)
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum::<f64>()
            / 2.0
    }

    fn cut(normal: [f64; 2], threshold: f64) -> Inequality {
        let normal = normal.into_iter().enumerate().collect();
        Inequality { normal, threshold }
    }

    #[test]
    fn a_cut_divides_a_cell_or_misses_it() {
        let across = cut([0.6, 0.8], 0.55);
        let [left, right] = across.divide(&SQUARE).map(|part| area(&part));
        assert!((left + right - 1.0).abs() < 1e-12 && left > 0.0 && right > 0.0);
        let [a, b] = across.chord(&SQUARE).expect("it crosses the square");
        assert!(across.distance(a).abs() < 1e-12 && across.distance(b).abs() < 1e-12 && a != b);
        let edge = cut([1.0, 0.0], 0.0);
        let [left, right] = edge.divide(&SQUARE);
        assert_eq!(left, [SQUARE[0], SQUARE[3]]);
        assert_eq!(right, SQUARE);
        let beyond = cut([1.0, 0.0], 2.0);
        assert_eq!(beyond.divide(&SQUARE), [SQUARE.to_vec(), Vec::new()]);
        assert_eq!(beyond.chord(&SQUARE), None);
    }

    #[test]
    fn a_hull_has_the_corners_alone() {
        let inside = [
            [0.5, 0.25],
            [0.5, 0.0],
            [1.0, 0.75],
            [0.25, 1.0],
            [0.0, 0.5],
        ];
        let mut points = [SQUARE.to_vec(), inside.to_vec(), SQUARE.to_vec()].concat();
        assert_eq!(convex_hull(points.clone()), SQUARE);
        points.reverse();
        assert_eq!(convex_hull(points), SQUARE);
        let line = [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]];
        assert_eq!(convex_hull(line.to_vec()), [line[0], line[2]]);
        assert_eq!(convex_hull(vec![line[1]]), [line[1]]);
    }

    /// To the bit: they decide where categories go.
    #[test]
    fn thresholds_are_read_as_they_were_written() {
        for threshold in [
            0.1f32,
            -3e38,
            f32::NEG_INFINITY,
            f32::NAN,
            -f32::from_bits(0x7fc0_1234),
        ] {
            let cut = Inequality {
                normal: vec![(0, 1.0)],
                threshold: threshold.into(),
            };
            let text = serde_json::to_string(&cut).unwrap();
            let again: Inequality = serde_json::from_str(&text).unwrap();
            let again = again.threshold as f32;
            assert_eq!(again.to_bits(), threshold.to_bits(), "{text}");
        }
    }
}
