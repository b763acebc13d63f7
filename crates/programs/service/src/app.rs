//! State shared by all requests.

use std::sync::Arc;

use forest_model::{Model, TableTask};
use serving::Reader;

use crate::body::Capacity;
use crate::metrics::Metrics;
use crate::queue::Queue;
use crate::readiness::Readiness;
use crate::request::RequestReader;

/// State shared by all requests.
pub(crate) struct App<T: TableTask> {
    /// The model, read only.
    pub model: Reader<Model<T>>,
    /// Parses bodies into rows of the model.
    pub requests: RequestReader,
    /// The queue to the learning thread; `None` if nothing is learned.
    pub queue: Option<Queue>,
    /// The numbers of the model, its rows and requests.
    pub metrics: Arc<Metrics>,
    /// Whether rows are predicted and learned now.
    pub readiness: Arc<Readiness>,
    /// What requests may take at once.
    pub capacity: Capacity,
}
