//! The extension module `online_forests._core`: learners by name for Python.
//!
//! One class a task, [`Classifier`] and [`Regressor`], around what `online_forests` builds from a text such as
//! `mondrian:budget=10`. They learn and answer numpy arrays while other threads of Python run, and dictionaries of
//! features without arrays. Their snapshots are the files of Rust and of the program. The package's other modules are
//! Python around these.
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@classes`] | the two classes, as Python sees them |
//! | [`mod@shared`] | a learner behind a lock, with the interpreter released |
//! | [`mod@held`] | a learner, a pipeline or a model of the program, loaded by what its file says |
//! | [`mod@arrays`], [`mod@task`] | rows and targets out of numpy arrays |
//! | [`mod@columns`], [`mod@dicts`] | rows out of dictionaries |
//! | [`mod@retrieval`] | points near a query |
//! | [`mod@table`] | the algorithms and what is declared of them |
//! | [`mod@error`] | errors of Rust as exceptions |

mod arrays;
mod capabilities;
mod classes;
mod columns;
mod dicts;
mod error;
mod files;
mod held;
mod retrieval;
mod settings;
mod shared;
mod table;
mod task;

use pyo3::prelude::*;

/// Learners by name, around the Rust library.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::classes::{Classifier, Regressor};
    #[pymodule_export]
    use super::columns::Columns;
    #[pymodule_export]
    use super::dicts::Labels;
    #[pymodule_export]
    use super::files::load;
    #[pymodule_export]
    use super::retrieval::Retriever;
    #[pymodule_export]
    use super::table::algorithms;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        shared::note_process();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
