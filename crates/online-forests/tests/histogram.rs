//! Histograms of the first feature: a toy algorithm, the example of `docs/adding-an-algorithm.md`.
//!
//! A tree divides the first feature into bins of equal width that start at a random offset, and predicts
//! with the mean of a bin.

use forest_core::parameters::{Parameter, Rule, Values, check};
use forest_core::registry::{Built, Entry};
use forest_core::{
    Footprint, Forest, ForestContext, ForestSettings, InvariantError, OnlineTree, Regression,
    SampleId, Schema, SettingError, Settings, TreeRng,
};
use serde::{Deserialize, Serialize};

/// The settings of all trees of a forest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistogramSettings {
    /// Bins of a unit of the first feature, at least 1.
    bins: u32,
}

const BINS: Parameter = Parameter::new(
    "bins",
    Rule::Count(1),
    "8",
    "bins of a unit of the first feature",
);

impl Settings<Regression> for HistogramSettings {
    fn check(&self, _: &Schema<Regression>) -> Result<(), SettingError> {
        check(&[BINS], "bins", self.bins)
    }
}

/// Number and mean of the targets in each bin.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Histogram {
    /// Drawn at the first sample.
    offset: Option<f64>,
    counts: Vec<u64>,
    means: Vec<f64>,
}

impl Histogram {
    /// Values outside [0, 1] belong to the first or the last bin.
    fn bin(&self, features: &[f32]) -> usize {
        let last = (self.counts.len() - 1) as f64;
        let place = f64::from(features[0]) * last + self.offset.unwrap_or(0.0);
        place.clamp(0.0, last) as usize
    }
}

impl OnlineTree for Histogram {
    type Task = Regression;
    type Settings = HistogramSettings;

    fn boxed(&self) -> Box<dyn OnlineTree<Task = Regression>> {
        Box::new(self.clone())
    }

    fn holds_samples(&self) -> bool {
        false
    }

    fn build(_: usize, _: &Schema<Regression>, settings: &HistogramSettings) -> Self {
        let bins = settings.bins as usize + 1;
        Self {
            offset: None,
            counts: vec![0; bins],
            means: vec![0.0; bins],
        }
    }

    fn learn(&mut self, id: SampleId, context: &ForestContext<'_, Regression>, rng: &mut TreeRng) {
        self.offset.get_or_insert_with(|| rng.uniform());
        let bin = self.bin(context.samples.features(id));
        self.counts[bin] += 1;
        self.means[bin] += (context.samples.target(id) - self.means[bin]) / self.counts[bin] as f64;
    }

    fn vote(&self, features: &[f32], _: &ForestContext<'_, Regression>, accumulator: &mut [f64]) {
        accumulator[0] = self.means[self.bin(features)];
    }

    fn footprint(&self) -> Footprint {
        let bins = self.counts.len();
        Footprint {
            nodes: bins,
            bytes: size_of::<Self>() + bins * (size_of::<u64>() + size_of::<f64>()),
            ..Footprint::default()
        }
    }

    fn check(&self, context: &ForestContext<'_, Regression>) -> Result<(), InvariantError> {
        let bins = context.settings::<HistogramSettings>().bins as usize + 1;
        let agree = self.counts.len() == bins && self.means.len() == bins;
        let finite = self.means.iter().all(|mean| Regression::is_target(*mean));
        let offset = self
            .offset
            .is_none_or(|offset| (0.0..1.0).contains(&offset));
        InvariantError::require(
            agree,
            "histogram",
            "expected one count and one mean per bin",
        )?;
        InvariantError::require(finite, "histogram", "a bin mean is not a valid target")?;
        InvariantError::require(offset, "histogram", "offset is outside [0, 1)")
    }
}

/// The row of the table.
pub(crate) const HISTOGRAM: &Entry = &Entry {
    paper: "none: an example",
    limits: &["a single feature"],
    parameters: &[&[BINS]],
    numbers: Some(build),
    ..Entry::new("histogram", "means of bins of the first feature")
};

fn build(v: &mut Values, schema: Schema<Regression>, forest: ForestSettings) -> Built<Regression> {
    let settings = HistogramSettings {
        bins: v.get("bins"),
    };
    Ok(Box::new(Forest::<Histogram>::new(
        schema, settings, forest,
    )?))
}
