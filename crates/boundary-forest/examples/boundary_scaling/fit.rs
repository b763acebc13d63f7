//! Powers: straight lines on logarithmic axes.

/// A straight line by least squares.
struct Straight {
    offset: f64,
    slope: f64,
}

impl Straight {
    fn through(points: &[(f64, f64)]) -> Self {
        let n = points.len() as f64;
        let mx = points.iter().map(|p| p.0).sum::<f64>() / n;
        let my = points.iter().map(|p| p.1).sum::<f64>() / n;
        let covariance: f64 = points.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
        let variance: f64 = points.iter().map(|(x, _)| (x - mx).powi(2)).sum();
        let slope = covariance / variance;
        let offset = my - slope * mx;
        Self { offset, slope }
    }

    fn at(&self, x: f64) -> f64 {
        self.offset + self.slope * x
    }
}

/// The power of x that y grows with: over the second half of `points`, by least squares of logarithms.
pub fn power(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = second_half(points).map(|(x, y)| (x.ln(), y.ln())).collect();
    Straight::through(&logs).slope
}

/// How much worse a power of x fits the second half of `points` than a logarithm of x does: the
/// ratio of their root mean square errors.
pub fn power_against_logarithm(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = second_half(points).map(|(x, y)| (x.ln(), y.ln())).collect();
    let half: Vec<_> = second_half(points).map(|(x, y)| (x.ln(), y)).collect();
    let (power, logarithm) = (Straight::through(&logs), Straight::through(&half));
    let error = |fit: &dyn Fn(f64) -> f64| {
        let squares = half.iter().map(|(x, y)| (fit(*x) - y).powi(2));
        squares.sum::<f64>().sqrt()
    };
    error(&|x| power.at(x).exp()) / error(&|x| logarithm.at(x))
}

fn second_half(points: &[(f64, f64)]) -> impl Iterator<Item = (f64, f64)> {
    points[points.len() / 2..].iter().copied()
}

/// Whole numbers from `first` to `last`, growing by about the square root of ten.
pub fn milestones(first: usize, last: usize) -> Vec<usize> {
    let grow = |&n: &usize| Some((n as f64 * 10f64.powf(0.25)).round() as usize);
    let mut all: Vec<_> = std::iter::successors(Some(first), grow)
        .take_while(|&n| n < last)
        .collect();
    all.push(last);
    all
}
