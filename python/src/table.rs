//! The algorithms and what is declared of them, as the package's classes are made from it.

use crate::capabilities::can_widen;
use online_forests::{Task, 
    Ability, Algorithm, Classification, FeatureValues, ForestSettings, OnlineLearner as _, Parameter, Regression, Rule, Schema,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Returns every algorithm and, behind it, its aliases: name, description, paper, limits, the values that an alias stands for, and for
/// each task that it learns its parameters, and whether it learns more features later, weights, and missing values.
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
    entry.set_item("alias_of", algorithm.alias_of())?;
    entry.set_item("preset", algorithm.preset())?;
    entry.set_item("classification", task::<Classification>(py, algorithm)?)?;
    entry.set_item("regression", task::<Regression>(py, algorithm)?)?;
    Ok(entry)
}

fn task<'py, T: Task>(
    py: Python<'py>,
    algorithm: &Algorithm,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    if !algorithm.supports::<T>() {
        return Ok(None);
    }
    let known = PyDict::new(py);
    let [widens, weights, missing_values] = abilities::<T>(algorithm);
    known.set_item("widens", widens)?;
    known.set_item("weights", weights)?;
    known.set_item("missing_values", missing_values)?;
    let parameters = algorithm.parameters_of::<T>();
    let parameters = parameters.iter().map(|parameter| declared(py, parameter));
    known.set_item("parameters", parameters.collect::<PyResult<Vec<_>>>()?)?;
    Ok(Some(known))
}

/// Returns whether learners of the algorithm, by its defaults, learn more features later, weights, and missing values.
fn abilities<T: Task>(algorithm: &Algorithm) -> [bool; 3] {
    let schema = Schema::<T>::new(1).ok();
    let learner = schema.and_then(|it| algorithm.build(it, ForestSettings::default()).ok());
    let abilities = learner.map(|mut learner| {
        let widens = can_widen(&mut learner);
        let takes_missing = learner.feature_values() == FeatureValues::NumbersAndCategories;
        [widens, learner.can(Ability::Weights), takes_missing]
    });
    abilities.unwrap_or_default()
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
