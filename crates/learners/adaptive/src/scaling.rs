//! Preprocessing of a copy's features before its learner sees them, fitted on the rows it is built from.

use forest_core::Task;
use ndarray::ArrayView2;
use serde::{Deserialize, Serialize};
use tables::preprocessing::{Scaling, Step, WeightedTask, label_weights};

use crate::{FeatureWeights, MemberScaling, MemberSettings};

/// Why scalings and weights can be fitted.
const ROWS: &str = "copies are built from one row or more, all finite";

/// A scaling, and a weight of each scaled feature; unfitted, both leave features unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FittedScaling {
    scaler: Option<Step>,
    /// None if all features weigh the same.
    weights: Vec<f32>,
}

impl FittedScaling {
    /// Fits the scaling and weights of `member` to one row or more.
    pub(crate) fn fit<T: WeightedTask>(
        member: &MemberSettings,
        rows: ArrayView2<'_, f32>,
        targets: &[<T as Task>::Target],
    ) -> Self {
        let scaling = match member.scaling {
            MemberScaling::None => None,
            MemberScaling::MinMax => Some(Scaling::MinMax),
            MemberScaling::Quantile => Some(Scaling::Quantile),
        };
        let scaler = scaling.map(|scaling| scaling.fit(rows).expect(ROWS));
        let weights = match member.weights {
            FeatureWeights::Equal => Vec::new(),
            FeatureWeights::Labels => label_weights::<T>(rows, targets).expect(ROWS),
        };
        let weights = weights.into_iter().map(|weight| weight as f32).collect();
        Self { scaler, weights }
    }

    /// Calls `work` with the scaled rows; `buffer` holds them where they differ from the input.
    pub(crate) fn with_scaled<A>(
        &self,
        rows: ArrayView2<'_, f32>,
        buffer: &mut Vec<f32>,
        work: impl FnOnce(ArrayView2<'_, f32>) -> A,
    ) -> A {
        buffer.clear();
        match &self.scaler {
            None if self.weights.is_empty() => return work(rows),
            None => buffer.extend(rows),
            Some(scaler) => {
                for row in rows.rows() {
                    scaler.scale_into(row, buffer);
                }
            }
        }
        if !self.weights.is_empty() {
            for row in buffer.chunks_exact_mut(self.weights.len()) {
                weigh(row, &self.weights);
            }
        }
        let scaled = ArrayView2::from_shape(rows.dim(), buffer);
        work(scaled.expect("a value for each value"))
    }

    /// Returns whether this is what fitting for `member` to some rows of `width` features leads to.
    pub(crate) fn is_sound(&self, member: &MemberSettings, width: usize) -> bool {
        let has_weights = match member.weights {
            FeatureWeights::Equal => self.weights.is_empty(),
            FeatureWeights::Labels => {
                let finite = |weight: &f32| *weight > 0.0 && weight.is_finite();
                self.weights.len() == width && self.weights.iter().all(finite)
            }
        };
        let has_scaler = match (&self.scaler, member.scaling) {
            (None, MemberScaling::None) => true,
            (Some(scaler @ Step::Lines(_)), MemberScaling::MinMax)
            | (Some(scaler @ Step::Quantiles(_)), MemberScaling::Quantile) => {
                scaler.width() == width && scaler.is_sound()
            }
            _ => false,
        };
        has_weights && has_scaler
    }

    pub(crate) fn bytes(&self) -> usize {
        let scaler = self.scaler.as_ref().map_or(0, Step::bytes);
        scaler + self.weights.capacity() * size_of::<f32>()
    }
}

/// Multiplies finite values by weights; what `f32` cannot hold becomes ±`f32::MAX`.
fn weigh(row: &mut [f32], weights: &[f32]) {
    for (value, weight) in row.iter_mut().zip(weights) {
        *value = (*value * weight).clamp(f32::MIN, f32::MAX);
    }
}
