//! The algorithms and what is declared of them, as the package's classes are made from it.

use forest_model::TableTask;
use online_forests::{
    Algorithm, Classification, ForestSettings, Parameter, Regression, Rule, Schema,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::saved::Saved;

/// Returns every algorithm, followed by its aliases: name, description, paper, limits, the values that an alias stands
/// for, and for each task the parameters and, with default values, the capabilities.
#[pyfunction]
pub fn algorithms(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let online = Algorithm::all().filter(|known| !known.is_offline());
    let all = online.map(|algorithm| {
        json!({
            "name": algorithm.name(),
            "description": algorithm.description(),
            "paper": algorithm.paper(),
            "limits": algorithm.limits(),
            "is_baseline": algorithm.is_baseline(),
            "alias_of": algorithm.alias_of(),
            "preset": algorithm.preset(),
            "classification": task::<Classification>(&algorithm),
            "regression": task::<Regression>(&algorithm),
        })
    });
    let text = Value::Array(all.collect()).to_string();
    py.import("json")?.call_method1("loads", (text,))
}

fn task<T: TableTask>(algorithm: &Algorithm) -> Value {
    if !algorithm.supports::<T>() {
        return Value::Null;
    }
    let parameters = algorithm.parameters_of::<T>();
    let schema = Schema::<T>::new(2).ok();
    let built = schema.and_then(|it| algorithm.build(it, ForestSettings::default()).ok());
    let capabilities = built.map(|learner| Saved::Alone(learner).capabilities());
    json!({
        "capabilities": capabilities.unwrap_or_default(),
        "parameters": parameters.iter().map(declared).collect::<Vec<_>>(),
    })
}

fn declared(parameter: &Parameter) -> Value {
    let is_value = parameter.accepts(parameter.default);
    // The words that are a value by themselves, of numbers.
    let words = match &parameter.rule {
        Rule::Or(Rule::List(..), _) => &[],
        rule => rule.words(),
    };
    json!({
        "name": parameter.name,
        "default": is_value.then_some(parameter.default),
        "default_text": parameter.default,
        "meaning": parameter.meaning,
        "rule": parameter.rule.to_string(),
        "kind": kind(&parameter.rule),
        "words": words,
    })
}

/// Returns the type of a value in Python, apart from words.
fn kind(rule: &Rule) -> &'static str {
    match rule {
        Rule::Number(..) => "float",
        Rule::Count(_) | Rule::CountFromTo(..) => "int",
        Rule::Text | Rule::List(..) => "str",
        Rule::Words(_) => "word",
        Rule::Or(rule, _) => kind(rule),
    }
}
