//! Reading `name:key=value,…`.

use crate::algorithm::{Algorithm, Given};
use crate::configuration::Configuration;
use crate::error::{AlgorithmError, nearest};
use crate::{Parameter, algorithms};

pub(crate) fn parse(text: &str) -> Result<Algorithm, AlgorithmError> {
    let (name, parameters) = match text.split_once(':') {
        None => (text, None),
        Some((name, parameters)) => (name, Some(parameters)),
    };
    let configuration = configuration(name.trim())?;
    let given = match parameters {
        None => Vec::new(),
        Some(parameters) => all_given(configuration, parameters)?,
    };
    Ok(Algorithm::new(configuration, given))
}

fn configuration(name: &str) -> Result<&'static Configuration, AlgorithmError> {
    let mut all = algorithms::ALL.iter().copied();
    all.find(|known| known.name == name).ok_or_else(|| {
        let known: Vec<_> = algorithms::ALL.iter().map(|known| known.name).collect();
        AlgorithmError::UnknownAlgorithm {
            name: name.to_string(),
            nearest: nearest(name, &known),
            known,
        }
    })
}

fn all_given(
    configuration: &'static Configuration,
    text: &str,
) -> Result<Vec<Given>, AlgorithmError> {
    let mut given: Vec<Given> = Vec::new();
    for pair in text.split(',') {
        let one = one_given(configuration, pair)?;
        let name = one.parameter.name;
        if given.iter().any(|earlier| earlier.parameter.name == name) {
            let algorithm = configuration.name;
            let parameter = name;
            return Err(AlgorithmError::GivenTwice {
                algorithm,
                parameter,
            });
        }
        given.push(one);
    }
    let place = |given: &Given| configuration.place(given.parameter.name);
    given.sort_by_key(place);
    Ok(given)
}

fn one_given(configuration: &'static Configuration, pair: &str) -> Result<Given, AlgorithmError> {
    let Some((name, value)) = pair.split_once('=') else {
        return Err(AlgorithmError::NoValue {
            algorithm: configuration.name,
            found: pair.to_string(),
        });
    };
    let parameter = parameter(configuration, name.trim())?;
    let value = canonical(configuration, parameter, value.trim())?;
    Ok(Given { parameter, value })
}

fn parameter(
    configuration: &'static Configuration,
    name: &str,
) -> Result<&'static Parameter, AlgorithmError> {
    configuration.parameter(name).ok_or_else(|| {
        let known: Vec<_> = configuration.parameters.iter().map(|p| p.name).collect();
        AlgorithmError::UnknownParameter {
            algorithm: configuration.name,
            name: name.to_string(),
            nearest: nearest(name, &known),
            known,
        }
    })
}

fn canonical(
    configuration: &Configuration,
    parameter: &Parameter,
    value: &str,
) -> Result<String, AlgorithmError> {
    let refused = || AlgorithmError::BadValue {
        algorithm: configuration.name,
        parameter: parameter.name,
        rule: parameter.rule,
        value: value.to_string(),
    };
    parameter.rule.canonical(value).ok_or_else(refused)
}
