//! The algorithms and what is declared of them, as the package's classes are generated from it.

use online_forests::{
    Algorithm, AnyLearner, Classification, ForestSettings, NamedTask, Parameter, Regression,
    Retention, Rule, Schema,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Every algorithm: name, description, paper, limits, and for each task that it learns its parameters, whether it can
/// hold a window of samples, and whether it takes more features later, and weights.
///
/// # Errors
/// None but those of Python itself.
#[pyfunction]
pub fn algorithms(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for algorithm in Algorithm::all() {
        list.append(described(py, &algorithm)?)?;
    }
    Ok(list)
}

fn described<'py>(py: Python<'py>, algorithm: &Algorithm) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", algorithm.name())?;
    entry.set_item("description", algorithm.description())?;
    entry.set_item("paper", algorithm.paper())?;
    entry.set_item("limits", algorithm.limits().to_vec())?;
    entry.set_item("is_baseline", algorithm.is_baseline())?;
    entry.set_item("is_variant", algorithm.is_variant())?;
    entry.set_item("classification", task::<Classification>(py, algorithm)?)?;
    entry.set_item("regression", task::<Regression>(py, algorithm)?)?;
    Ok(entry)
}

fn task<'py, T: NamedTask>(
    py: Python<'py>,
    algorithm: &Algorithm,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if !algorithm.supports::<T>() {
        return Ok(None);
    }
    let known = PyDict::new(py);
    known.set_item("window", holds::<T>(algorithm, Retention::Latest(1)))?;
    known.set_item("reservoir", holds::<T>(algorithm, Retention::Reservoir(1)))?;
    known.set_item(
        "widens",
        can::<T>(algorithm, |it| it.as_widen_mut().is_some()),
    )?;
    known.set_item(
        "weights",
        can::<T>(algorithm, |it| it.as_weighted_mut().is_some()),
    )?;
    let parameters = PyList::empty(py);
    for parameter in algorithm.parameters() {
        if is_known::<T>(algorithm.name(), &parameter) {
            parameters.append(declared(py, &parameter)?)?;
        }
    }
    known.set_item("parameters", parameters)?;
    Ok(Some(known))
}

fn holds<T: NamedTask>(algorithm: &Algorithm, retention: Retention) -> bool {
    let settings = ForestSettings::default().with_retention(retention);
    let schema = Schema::<T>::new(1);
    !algorithm.is_baseline() && schema.is_ok_and(|schema| algorithm.build(schema, settings).is_ok())
}

/// Whether learners of the algorithm, by its defaults, can do something.
fn can<T: NamedTask>(algorithm: &Algorithm, what: impl Fn(&mut AnyLearner<T>) -> bool) -> bool {
    let learner =
        Schema::<T>::new(1).map(|schema| algorithm.build(schema, ForestSettings::default()));
    learner.is_ok_and(|learner| learner.is_ok_and(|mut learner| what(&mut learner)))
}

/// Whether the parameter means something in the task, with some value.
fn is_known<T: NamedTask>(name: &str, parameter: &Parameter) -> bool {
    examples(parameter).iter().any(|value| {
        let algorithm = format!("{name}:{}={value}", parameter.name).parse::<Algorithm>();
        algorithm.is_ok_and(|algorithm| algorithm.supports::<T>())
    })
}

/// Values that the parameter accepts. The default may be a formula.
fn examples(parameter: &Parameter) -> Vec<&'static str> {
    let values = [parameter.default, "1", "2", "10"].into_iter();
    let values = values.chain(words(&parameter.rule).iter().copied());
    values.filter(|value| parameter.accepts(value)).collect()
}

fn declared<'py>(py: Python<'py>, parameter: &Parameter) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("name", parameter.name)?;
    let default = parameter.accepts(parameter.default);
    entry.set_item("default", default.then_some(parameter.default))?;
    entry.set_item("default_text", parameter.default)?;
    entry.set_item("meaning", parameter.meaning)?;
    entry.set_item("rule", parameter.rule.to_string())?;
    entry.set_item("kind", kind(&parameter.rule))?;
    entry.set_item("words", words(&parameter.rule))?;
    Ok(entry)
}

/// What a value is in Python, words aside.
fn kind(rule: &Rule) -> &'static str {
    match rule {
        Rule::Number(..) => "float",
        Rule::Count(_) | Rule::CountFromTo(..) => "int",
        Rule::Text | Rule::List(..) => "str",
        Rule::Words(_) => "word",
        Rule::Or(rule, _) => kind(rule),
    }
}

/// The words that are a value by themselves, of numbers.
fn words(rule: &Rule) -> &'static [&'static str] {
    match rule {
        Rule::Or(Rule::List(..), _) => &[],
        rule => rule.words(),
    }
}
