//! A learner of Python that sees all training rows at once.

use comparison::{BatchLearner, FitError, Fitted, Training};
use forest_core::{Footprint, ForestSettings, InputError};
use numpy::ndarray::{Array2, ArrayView2};

use super::learners::{ComparedTask, Maker};
use super::outside::Adapter;
use super::predictions::check_all_predicted;

/// Makes a learner for every fit.
pub struct AtOnce {
    pub maker: Maker,
}

struct Model<T> {
    adapter: Adapter,
    width: usize,
    task: std::marker::PhantomData<fn(T)>,
}

impl<T: ComparedTask> BatchLearner<T> for AtOnce {
    fn fit(
        &self,
        training: &Training<'_, T>,
        settings: ForestSettings,
    ) -> Result<Box<dyn Fitted>, FitError> {
        let features = training.schema.features();
        let adapter = self.maker.start(features, settings.seed)?;
        adapter.learn::<T>(training.rows, training.targets)?;
        Ok(Box::new(Model::<T> {
            adapter,
            width: self.maker.width,
            task: std::marker::PhantomData,
        }))
    }
}

impl<T: ComparedTask> Fitted for Model<T> {
    fn predict(&self, rows: ArrayView2<'_, f32>) -> Result<Array2<f64>, InputError> {
        let predicted = self.adapter.predict::<T>(rows, self.width)?;
        check_all_predicted(predicted.view(), 0)?;
        Ok(predicted)
    }

    fn footprint(&self) -> Option<Footprint> {
        self.adapter.footprint()
    }
}
