//! The streams that learners are checked on.

use forest_core::{Classification, InputError, OnlineLearner, Regression, Task, TreeRng, argmax};
use ndarray::{Array2, ArrayView2, s};

/// A task for which checks can make targets.
pub trait ConformanceTask: Task {
    /// Returns a target that the first feature determines: three classes, or a slope with a step.
    fn target(features: &[f32]) -> Self::Target;

    /// Targets that every learner must refuse.
    fn refused() -> Vec<Self::Target>;

    /// Returns the most extreme targets that every learner must accept.
    fn extremes() -> [Self::Target; 2];

    /// Returns the 0–1 loss or squared error of a prediction row.
    fn loss(prediction: &[f64], target: Self::Target) -> f64;

    /// Returns whether a prediction row is well formed.
    fn is_prediction(prediction: &[f64]) -> bool;
}

impl ConformanceTask for Classification {
    fn target(features: &[f32]) -> u32 {
        u32::from(features[0] > 0.3) + u32::from(features[0] > 0.7)
    }

    fn refused() -> Vec<u32> {
        vec![4096, u32::MAX]
    }

    fn extremes() -> [u32; 2] {
        [0, 4095]
    }

    fn loss(prediction: &[f64], class: u32) -> f64 {
        f64::from(u8::from(argmax(prediction) != class as usize))
    }

    fn is_prediction(prediction: &[f64]) -> bool {
        let each = prediction.iter().all(|p| (0.0..=1.0 + 1e-12).contains(p));
        let sum: f64 = prediction.iter().sum();
        each && (prediction.is_empty() || (sum - 1.0).abs() < 1e-9)
    }
}

impl ConformanceTask for Regression {
    fn target(features: &[f32]) -> f64 {
        f64::from(features[0]) + f64::from(u8::from(features[0] > 0.5))
    }

    fn refused() -> Vec<f64> {
        let large = [1.01 * Self::LARGEST_TARGET, -f64::MAX];
        [&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY], &large[..]].concat()
    }

    fn extremes() -> [f64; 2] {
        [-Self::LARGEST_TARGET, Self::LARGEST_TARGET]
    }

    fn loss(prediction: &[f64], target: f64) -> f64 {
        (prediction[0] - target).powi(2)
    }

    fn is_prediction(prediction: &[f64]) -> bool {
        // A mean may exceed its largest target by rounding.
        prediction.len() == 1 && Self::is_target(prediction[0] * (1.0 - 1e-12))
    }
}

/// Feature rows and their targets, in order of arrival.
#[derive(Clone, Debug)]
pub struct Stream<T: Task> {
    /// One sample a row.
    pub features: Array2<f32>,
    /// One target a row.
    pub targets: Vec<T::Target>,
}

impl<T: ConformanceTask> Stream<T> {
    /// Returns uniform rows; every fifth lies on a coarse grid, so that ties and duplicates occur.
    pub fn uniform(rows: usize, width: usize, seed: u64) -> Self {
        let mut rng = TreeRng::new(seed, 0);
        let draw = |(row, _): (usize, usize)| match row % 5 {
            0 => (rng.uniform() * 4.0).floor() as f32 / 4.0,
            _ => rng.uniform() as f32,
        };
        Self::labelled(Array2::from_shape_fn((rows, width), draw))
    }

    /// Returns these rows with targets made from them.
    pub fn labelled(features: Array2<f32>) -> Self {
        let rows = features.rows().into_iter();
        let targets = rows.map(|row| T::target(&row.to_vec())).collect();
        Self { features, targets }
    }

    /// Returns the number of samples.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Returns rows `start..end` and their targets.
    pub fn part(&self, start: usize, end: usize) -> (ArrayView2<'_, f32>, &[T::Target]) {
        (
            self.features.slice(s![start..end, ..]),
            &self.targets[start..end],
        )
    }

    /// Has `learner` learn samples `start..end` as one batch.
    ///
    /// # Errors
    /// Returns an error if the learner refuses them.
    pub fn teach<L: OnlineLearner<Task = T> + ?Sized>(
        &self,
        learner: &mut L,
        start: usize,
        end: usize,
    ) -> Result<(), InputError> {
        let (features, targets) = self.part(start, end);
        learner.learn(features, targets)
    }

    /// Teaches as [`Stream::teach`] does a learner that accepts the stream.
    pub(super) fn feed<L>(&self, learner: &mut L, start: usize, end: usize)
    where
        L: OnlineLearner<Task = T> + ?Sized,
    {
        let taught = self.teach(learner, start, end);
        taught.expect("the stream is acceptable");
    }

    /// Returns the mean loss of `learner` on this stream.
    pub(super) fn mean_loss(&self, learner: &dyn OnlineLearner<Task = T>) -> f64 {
        let predictions = learner.predict(self.features.view());
        let predictions = predictions.expect("the rows are acceptable");
        let rows = predictions.outer_iter().zip(&self.targets);
        let losses = rows.map(|(row, &target)| T::loss(&row.to_vec(), target));
        losses.sum::<f64>() / self.len() as f64
    }
}

/// Returns the predictions for a fixed set of query points, as bits.
pub(super) fn prediction_bits<L>(learner: &L) -> Vec<u64>
where
    L: OnlineLearner<Task: ConformanceTask> + ?Sized,
{
    prediction_bits_at(learner, queries(learner, 60).view())
}

/// Returns points to ask a learner about.
pub(super) fn queries<L>(learner: &L, rows: usize) -> Array2<f32>
where
    L: OnlineLearner<Task: ConformanceTask> + ?Sized,
{
    Stream::<L::Task>::uniform(rows, learner.schema().features(), 99).features
}

/// Returns the predictions for `queries`, as bits.
pub(super) fn prediction_bits_at<L>(learner: &L, queries: ArrayView2<'_, f32>) -> Vec<u64>
where
    L: OnlineLearner + ?Sized,
{
    let predictions = learner.predict(queries).expect("the rows are acceptable");
    predictions.iter().map(|value| value.to_bits()).collect()
}
