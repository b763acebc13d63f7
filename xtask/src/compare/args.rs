//! Options of `compare`.

use std::ffi::OsString;
use std::path::PathBuf;

use comparison::{Contender, Request};
use forest_core::parameters::ParameterError;

use crate::data::Reading;

/// Compare online forests with each other and with a trivial baseline.
///
/// Without arguments: generated data, one algorithm of each family that supports the task, five seeds.
/// `cargo xtask algorithms` lists algorithms, `cargo xtask data list` data sets.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct Args {
    /// Data: a named set, a data set of OpenML by number (`openml:61`), a file, or a generator such as
    /// `friedman:d=10,n=20000`; may be repeated
    #[arg(long, value_name = "NAME|PATH")]
    pub(super) data: Vec<OsString>,

    /// Algorithm and its parameters; may be repeated [default: one of each
    /// family that learns online]; `cargo xtask algorithms` lists names, and with a NAME its parameters
    #[arg(long = "algorithm", value_name = "NAME[:KEY=VALUE,…]", value_parser = algorithm)]
    pub(super) algorithms: Vec<Contender>,

    /// Python file whose dictionary `learners` joins the algorithms: names and learners, as `online_forests.compare`
    /// takes them. The Python package runs the comparison; tables are read with default options, and memory is limited
    /// by --max-memory alone
    #[arg(long, value_name = "FILE", conflicts_with_all = ["target", "task", "TableOptions", "part", "report_from"])]
    pub(super) python: Option<PathBuf>,

    #[command(flatten)]
    pub(super) request: Request,

    /// Run nothing: build a report from these runs.jsonl files, next to the first one or in --out. If a part of a grid
    /// or the end of a file is missing, the report covers the rest, and the exit code is 1
    #[arg(long, value_name = "runs.jsonl", num_args = 1..)]
    #[arg(conflicts_with_all = ["data", "algorithms", "resume", "part"])]
    pub(super) report_from: Vec<PathBuf>,

    /// Print the runs, one JSON object a line, and nothing else on standard output
    #[arg(long)]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) reading: Reading,
}

/// The offline learners of smartcore, which `cargo xtask` is built without.
const SMARTCORE: &str = "random-forest, decision-tree, k-nn, logistic-regression, svm";

/// Parses an algorithm. An unknown name may be one of smartcore's learners, where this program is built without them.
pub(crate) fn algorithm(text: &str) -> Result<Contender, String> {
    let name = text.split(':').next().unwrap_or_default();
    let is_known = cfg!(feature = "baselines") || Contender::all().any(|one| one.name() == name);
    text.parse().map_err(|error: ParameterError| {
        if is_known {
            return error.to_string();
        }
        format!(
            "{error}; `cargo xtask-all` also has the offline learners of smartcore: {SMARTCORE}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn learners_of_smartcore_are_known_or_where_they_are_is_said() {
        let known = Contender::all().filter(|one| one.is_offline());
        let mut known = known.filter(|one| !one.name().starts_with("batch-"));
        assert!(known.all(|one| SMARTCORE.contains(one.name())));
        for name in SMARTCORE.split(", ") {
            match algorithm(name) {
                Ok(known) => assert!(cfg!(feature = "baselines") && known.is_offline(), "{name}"),
                Err(said) => assert!(said.contains("`cargo xtask-all` also has"), "{said}"),
            }
        }
    }
}
