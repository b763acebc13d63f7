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
    let configuration = named(name.trim())?;
    let given = parameters.map_or(Ok(Vec::new()), |text| configuration.read_all(text))?;
    Ok(Algorithm::new(configuration, given))
}

fn named(name: &str) -> Result<&'static Configuration, AlgorithmError> {
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

impl Configuration {
    /// Reads `key=value,…` and puts it in the order of the table.
    fn read_all(&self, text: &str) -> Result<Vec<Given>, AlgorithmError> {
        let read = text.split(',').map(|pair| self.read_one(pair));
        let mut given = read.collect::<Result<Vec<_>, _>>()?;
        given.sort_by_key(|given| self.place(given.parameter.name));
        self.refuse_twins(&given)?;
        Ok(given)
    }

    fn read_one(&self, pair: &str) -> Result<Given, AlgorithmError> {
        let (name, value) = pair
            .split_once('=')
            .ok_or_else(|| AlgorithmError::NoValue {
                algorithm: self.name,
                found: pair.to_string(),
            })?;
        let parameter = self.known_parameter(name.trim())?;
        let value = self.canonical(parameter, value.trim())?;
        Ok(Given { parameter, value })
    }

    fn known_parameter(&self, name: &str) -> Result<&'static Parameter, AlgorithmError> {
        self.parameter(name).ok_or_else(|| {
            let known: Vec<_> = self.parameters.iter().map(|known| known.name).collect();
            AlgorithmError::UnknownParameter {
                algorithm: self.name,
                name: name.to_string(),
                nearest: nearest(name, &known),
                known,
            }
        })
    }

    fn canonical(&self, parameter: &Parameter, value: &str) -> Result<String, AlgorithmError> {
        let canonical = parameter.rule.canonical(value);
        canonical.ok_or_else(|| AlgorithmError::BadValue {
            algorithm: self.name,
            parameter: parameter.name,
            rule: parameter.rule,
            value: value.to_string(),
        })
    }

    /// Refuses a parameter given twice; twins stand side by side.
    fn refuse_twins(&self, sorted: &[Given]) -> Result<(), AlgorithmError> {
        let mut pairs = sorted.windows(2);
        let twins = pairs.find(|pair| pair[0].parameter.name == pair[1].parameter.name);
        twins.map_or(Ok(()), |pair| {
            Err(AlgorithmError::GivenTwice {
                algorithm: self.name,
                parameter: pair[0].parameter.name,
            })
        })
    }
}
