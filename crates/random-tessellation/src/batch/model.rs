//! What all particles of all trees read: the points, some with labels, their likelihood, and the settings.

use forest_core::Rows;

use super::BatchSettings;

/// The points, the likelihood of their labels, and the settings.
pub(super) struct Model<'a> {
    pub(super) points: Points<'a>,
    pub(super) likelihood: DirichletMultinomial,
    pub(super) settings: &'a BatchSettings,
}

/// Points by number: first those with labels, then those of the test set, which have none.
pub(super) struct Points<'a> {
    values: Vec<f32>,
    width: usize,
    labels: &'a [u32],
}

impl<'a> Points<'a> {
    pub(super) fn new(width: usize, rows: &Rows<'_>, labels: &'a [u32], test: &Rows<'_>) -> Self {
        Self {
            values: [rows.values(), test.values()].concat(),
            width,
            labels,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.values.len() / self.width
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    #[inline]
    pub(super) fn row(&self, point: u32) -> &[f32] {
        &self.values[point as usize * self.width..][..self.width]
    }

    /// Returns the labels of those of `points` that have one.
    pub(super) fn labels(&self, points: &[u32]) -> impl Iterator<Item = u32> + Clone {
        let label = |&point: &u32| self.labels.get(point as usize).copied();
        points.iter().filter_map(label)
    }
}

/// Labels of a leaf given a multinomial with Dirichlet prior, equation (3): leaf j has the likelihood
/// B(α + m_j) / B(α), where m_jk is its number of labels of class k.
///
/// Label after label that is a product of (α_k + labels of class k so far) / (Σα + labels so far): sums of logarithms
/// that are computed once. So it needs no ln Γ, and a class without samples, whose α is 0, never takes part.
pub(super) struct DirichletMultinomial {
    alpha: Vec<f64>,
    total: f64,
    /// ln(α_k + c) for every c below n_k, class after class.
    of_class: Vec<f64>,
    /// Where the logarithms of a class start.
    starts: Vec<usize>,
    /// ln(Σα + c) for every c below the number of labels.
    of_total: Vec<f64>,
}

/// Returns ln(first), ln(first + 1), …
fn logarithms(first: f64, count: usize) -> impl Iterator<Item = f64> {
    (0..count).map(move |c| libm::log(first + c as f64))
}

impl DirichletMultinomial {
    /// Creates the likelihood with α_k = `concentration` · (number of `labels` that are k), for `classes` classes.
    pub(super) fn new(labels: &[u32], classes: usize, concentration: f64) -> Self {
        let mut counts = vec![0; classes];
        labels.iter().for_each(|&label| counts[label as usize] += 1);
        let alpha: Vec<f64> = counts.iter().map(|&n| concentration * n as f64).collect();
        let mut starts = Vec::new();
        let mut of_class = Vec::new();
        for (&alpha, &n) in alpha.iter().zip(&counts) {
            starts.push(of_class.len());
            of_class.extend(logarithms(alpha, n));
        }
        let total = alpha.iter().sum();
        Self {
            of_total: logarithms(total, labels.len()).collect(),
            alpha,
            total,
            of_class,
            starts,
        }
    }

    pub(super) fn classes(&self) -> usize {
        self.alpha.len()
    }

    /// Returns the log-likelihood of a leaf with these labels. `counts`, one a class, are 0 before and after.
    pub(super) fn log_likelihood(
        &self,
        labels: impl Iterator<Item = u32> + Clone,
        counts: &mut [u32],
    ) -> f64 {
        let mut sum = 0.0;
        for (label, of_total) in labels.clone().zip(&self.of_total) {
            let count = &mut counts[label as usize];
            sum += self.of_class[self.starts[label as usize] + *count as usize] - of_total;
            *count += 1;
        }
        // Only the classes of this leaf are cleared, so that a small leaf does not pay for all classes.
        labels.for_each(|label| counts[label as usize] = 0);
        sum
    }

    /// Overwrites the `counts` of a leaf with the posterior mean (m_jk + α_k) / Σ; uniform if nothing is known.
    pub(super) fn posterior_mean(&self, counts: &mut [f64]) {
        let total = self.total + counts.iter().sum::<f64>();
        // No label at all, or a concentration of 0 and a leaf without labels.
        if total > 0.0 {
            for (cell, alpha) in counts.iter_mut().zip(&self.alpha) {
                *cell = (*cell + alpha) / total;
            }
        } else {
            counts.fill(1.0 / counts.len() as f64);
        }
    }
}
