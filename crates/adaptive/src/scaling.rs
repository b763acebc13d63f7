//! A scaling that was fitted on the rows of one copy.

use ndarray::ArrayView2;
use preprocessing::{MinMaxScaler, QuantileScaler, Scale, Scaler};
use serde::{Deserialize, Serialize};

use crate::MemberScaling;

/// Why a scaling can be fitted.
const ROWS: &str = "copies are built from one row or more, all finite";

/// What a copy does to the features of a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FittedScaling {
    /// Nothing.
    Identity,
    MinMax(MinMaxScaler),
    Quantile(QuantileScaler),
}

impl FittedScaling {
    /// Fits a scaling; without rows there is none.
    pub(crate) fn fit(scaling: MemberScaling, rows: ArrayView2<'_, f32>) -> Self {
        if rows.is_empty() {
            return Self::Identity;
        }
        match scaling {
            MemberScaling::None => Self::Identity,
            MemberScaling::MinMax => Self::MinMax(MinMaxScaler::fit(rows).expect(ROWS)),
            MemberScaling::Quantile => Self::Quantile(QuantileScaler::fit(rows).expect(ROWS)),
        }
    }

    /// Hands scaled rows to `work`; `buffer` holds them where they differ from what is given.
    pub(crate) fn with_scaled<A>(
        &self,
        rows: ArrayView2<'_, f32>,
        buffer: &mut Vec<f32>,
        work: impl FnOnce(ArrayView2<'_, f32>) -> A,
    ) -> A {
        buffer.clear();
        match self {
            Self::Identity => return work(rows),
            Self::MinMax(scaler) => scale(scaler, rows, buffer),
            Self::Quantile(scaler) => scale(scaler, rows, buffer),
        }
        let scaled = ArrayView2::from_shape(rows.dim(), buffer);
        work(scaled.expect("a value for each value"))
    }

    /// Whether this is what fitting `scaling` on some rows of `width` features leads to.
    pub(crate) fn is_sound(&self, scaling: MemberScaling, width: usize) -> bool {
        match (self, scaling) {
            (Self::Identity, MemberScaling::None) => true,
            (Self::MinMax(scaler), MemberScaling::MinMax) => is_sound(scaler, width),
            (Self::Quantile(scaler), MemberScaling::Quantile) => is_sound(scaler, width),
            _ => false,
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Identity => 0,
            Self::MinMax(scaler) => bytes(scaler),
            Self::Quantile(scaler) => bytes(scaler),
        }
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
