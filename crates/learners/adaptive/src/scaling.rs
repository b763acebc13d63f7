//! Preprocessing of a copy's features before its learner sees them, fitted on the rows it is built from.

use forest_core::Task;
use ndarray::ArrayView2;
use preprocessing::{MinMaxScaler, QuantileScaler, Scale, Scaler, WeightedTask, label_weights};
use serde::{Deserialize, Serialize};

use crate::{FeatureWeights, MemberScaling, MemberSettings};

/// Why scalings and weights can be fitted.
const ROWS: &str = "copies are built from one row or more, all finite";

/// A scaling, and a weight of each scaled feature; unfitted, both leave features unchanged.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct FittedScaling {
    scaler: FittedScaler,
    /// None if all features weigh the same.
    weights: Vec<f32>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
enum FittedScaler {
    #[default]
    Identity,
    MinMax(MinMaxScaler),
    Quantile(QuantileScaler),
}

impl FittedScaling {
    /// Fits the scaling and weights of `member` to one row or more.
    pub(crate) fn fit<T: WeightedTask>(
        member: &MemberSettings,
        rows: ArrayView2<'_, f32>,
        targets: &[<T as Task>::Target],
    ) -> Self {
        let scaler = match member.scaling {
            MemberScaling::None => FittedScaler::Identity,
            MemberScaling::MinMax => FittedScaler::MinMax(Scaler::fit(rows).expect(ROWS)),
            MemberScaling::Quantile => FittedScaler::Quantile(Scaler::fit(rows).expect(ROWS)),
        };
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
            FittedScaler::Identity if self.weights.is_empty() => return work(rows),
            FittedScaler::Identity => buffer.extend(rows),
            FittedScaler::MinMax(scaler) => scale(scaler, rows, buffer),
            FittedScaler::Quantile(scaler) => scale(scaler, rows, buffer),
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
        has_weights
            && match (&self.scaler, member.scaling) {
                (FittedScaler::Identity, MemberScaling::None) => true,
                (FittedScaler::MinMax(scaler), MemberScaling::MinMax) => is_sound(scaler, width),
                (FittedScaler::Quantile(scaler), MemberScaling::Quantile) => {
                    is_sound(scaler, width)
                }
                _ => false,
            }
    }

    pub(crate) fn bytes(&self) -> usize {
        let scaler = match &self.scaler {
            FittedScaler::Identity => 0,
            FittedScaler::MinMax(scaler) => bytes(scaler),
            FittedScaler::Quantile(scaler) => bytes(scaler),
        };
        scaler + self.weights.capacity() * size_of::<f32>()
    }
}

/// Multiplies finite values by weights; what `f32` cannot hold becomes ±`f32::MAX`.
fn weigh(row: &mut [f32], weights: &[f32]) {
    for (value, weight) in row.iter_mut().zip(weights) {
        *value = (*value * weight).clamp(f32::MIN, f32::MAX);
    }
}

fn scale<S: Scale>(scaler: &Scaler<S>, rows: ArrayView2<'_, f32>, scaled: &mut Vec<f32>) {
    for row in rows.rows() {
        scaler.scale_into(row, scaled);
    }
}

fn is_sound<S: Scale>(scaler: &Scaler<S>, width: usize) -> bool {
    scaler.width() == width && scaler.features().iter().all(S::is_sound)
}

fn bytes<S: Scale>(scaler: &Scaler<S>) -> usize {
    let inside: usize = scaler.features().iter().map(S::bytes).sum();
    size_of_val(scaler.features()) + inside
}
