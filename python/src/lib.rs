//! The extension module `online_forests._core`: learners by name for Python.
//!
//! `Classifier` and `Regressor` are one class, `Learner`, around what `online_forests` builds from a text such as
//! `mondrian:budget=10` (`saved`). They learn (`lesson`) and predict numpy arrays while other threads of Python run
//! (`shared`), and dictionaries of features without arrays (`names`). Their snapshots are the files of Rust and of the
//! program (`files`). The package's other modules are Python around these.

mod abilities;
mod compare;
mod convert;
mod error;
mod files;
mod learner;
mod lesson;
mod names;
mod retrieval;
mod saved;
mod shared;
mod table;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Learners by name, around the Rust library.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::compare::{compare, tables_of_runs, write_report};
    #[pymodule_export]
    use super::files::load;
    #[pymodule_export]
    use super::learner::{Classifier, Regressor};
    #[pymodule_export]
    use super::retrieval::Retriever;
    #[pymodule_export]
    use super::shared::Learner;
    #[pymodule_export]
    use super::table::algorithms;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        // Where processes cannot be forked, Python has no function for it.
        if let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? {
            let in_child = PyDict::new(py);
            let note_fork = wrap_pyfunction!(shared::note_fork, module)?;
            in_child.set_item("after_in_child", note_fork)?;
            register.call((), Some(&in_child))?;
        }
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
