//! The algorithms and what is declared of them, as the package's classes are made from it.

use online_forests::{
    Ability, Algorithm, Classification, FeatureValues, ForestSettings, OnlineLearner as _,
    Parameter, Regression, Rule, Schema, Task,
};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Returns every algorithm and, behind it, its aliases: name, description, paper, limits, the values that an alias stands for, and for
/// each task that it learns its parameters, and whether it learns more features later, weights, and missing values.
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

fn task<T: Task>(algorithm: &Algorithm) -> Value {
    // By its defaults.
    let schema = Schema::<T>::new(1).ok();
    let built = schema.and_then(|it| algorithm.build(it, ForestSettings::default()).ok());
    if !algorithm.supports::<T>() {
        return Value::Null;
    }
    let parameters = algorithm.parameters_of::<T>();
    let (mut widens, mut weights, mut missing_values) = (false, false, false);
    if let Some(mut learner) = built {
        widens = learner.widen(1).is_ok();
        weights = learner.can(Ability::Weights);
        missing_values = learner.feature_values() == FeatureValues::NumbersAndCategories;
    }
    json!({
        "widens": widens,
        "weights": weights,
        "missing_values": missing_values,
        "parameters": parameters.iter().map(declared).collect::<Vec<_>>(),
    })
}

fn declared(parameter: &Parameter) -> Value {
    let default = parameter
        .accepts(parameter.default)
        .then_some(parameter.default);
    // The words that are a value by themselves, of numbers.
    let words = match &parameter.rule {
        Rule::Or(Rule::List(..), _) => &[],
        rule => rule.words(),
    };
    json!({
        "name": parameter.name,
        "default": default,
        "default_text": parameter.default,
        "meaning": parameter.meaning,
        "rule": parameter.rule.to_string(),
        "kind": kind(&parameter.rule),
        "words": words,
    })
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
