//! The extension module `online_forests._core`: learners by name for Python.
//!
//! One class a task, `Classifier` and `Regressor`, around what `online_forests` builds from a text such as
//! `mondrian:budget=10`. They learn and predict numpy arrays while other threads of Python run, and dictionaries of
//! features without arrays. Their snapshots are the files of Rust and of the program. The package's other modules are
//! Python around these.
//!
//! | module | what is in it |
//! |---|---|
//! | `classifier`, `regressor` | the two classes, and what only one of them has |
//! | `verbs`, `abilities`, `copies` | what both have |
//! | `shared`, `turn` | a learner behind a lock, with the interpreter released |
//! | `inner` | a learner, a pipeline or a model of the program, loaded by what its file says |
//! | `arrays`, `task` | rows and targets out of numpy arrays |
//! | `by_dict`, `columns` | rows out of dictionaries |
//! | `held`, `names` | a learner with its labels and the names of its columns |
//! | `batch`, `lesson` | what is learned together, in blocks, and the names that it brings |
//! | `retrieval` | points near a query |
//! | `shards`, `votes` | some of the trees of a forest, and what they add to the votes of others |
//! | `compare` | learners of Python beside those of the table |
//! | `table` | the algorithms and what is declared of them |
//! | `error` | errors of Rust as exceptions |

mod abilities;
mod arrays;
mod batch;
mod by_dict;
mod capabilities;
mod classifier;
mod columns;
mod compare;
mod copies;
mod error;
mod files;
mod held;
mod inner;
mod lesson;
mod names;
mod regressor;
mod retrieval;
mod settings;
mod shards;
mod shared;
mod table;
mod task;
mod turn;
mod verbs;
mod votes;

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What `__reduce__` returns: what makes the object again, and its arguments.
type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

/// Learners by name, around the Rust library.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::classifier::Classifier;
    #[pymodule_export]
    use super::compare::{compare, tables_of_runs, write_report};
    #[pymodule_export]
    use super::files::load;
    #[pymodule_export]
    use super::regressor::Regressor;
    #[pymodule_export]
    use super::retrieval::Retriever;
    #[pymodule_export]
    use super::table::algorithms;
    #[pymodule_export]
    use super::votes::Votes;
    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        note_forks(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}

/// Has children that are forked take note of it; where processes cannot be forked, Python has no function for it.
fn note_forks(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let Some(register) = py.import("os")?.getattr_opt("register_at_fork")? else {
        return Ok(());
    };
    let in_child = PyDict::new(py);
    in_child.set_item(
        "after_in_child",
        wrap_pyfunction!(shared::note_fork, module)?,
    )?;
    register.call((), Some(&in_child))?;
    Ok(())
}
