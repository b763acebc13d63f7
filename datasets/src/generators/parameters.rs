//! `name:key=value,…` to checked parameters.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{COMMON, Generator, GeneratorError};
use crate::names::did_you_mean;

/// A parameter as a user sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its key in the address.
    pub name: &'static str,
    /// Its value when it is not given.
    pub default: &'static str,
    /// What it means, with its range.
    pub about: &'static str,
}

/// Every parameter of one generator, given or by default.
#[derive(Debug)]
pub(crate) struct Parameters {
    pub(crate) generator: &'static str,
    values: BTreeMap<&'static str, String>,
}

impl Parameters {
    pub(super) fn parse(generator: &Generator, address: &str) -> Result<Self, GeneratorError> {
        let mut parameters = Self {
            generator: generator.name,
            values: BTreeMap::new(),
        };
        let text = address.split_once(':').map_or("", |(_, text)| text);
        for piece in text
            .split(',')
            .map(str::trim)
            .filter(|piece| !piece.is_empty())
        {
            parameters.give(generator, piece)?;
        }
        for parameter in known(generator) {
            parameters
                .values
                .entry(parameter.name)
                .or_insert_with(|| parameter.default.to_owned());
        }
        Ok(parameters)
    }

    fn give(&mut self, generator: &Generator, piece: &str) -> Result<(), GeneratorError> {
        let not_key_value = || GeneratorError::NotKeyValue {
            generator: generator.name,
            text: piece.to_owned(),
        };
        let (key, value) = piece.split_once('=').ok_or_else(not_key_value)?;
        let parameter = known(generator).find(|parameter| parameter.name == key.trim());
        let key = parameter
            .ok_or_else(|| unknown(generator, key.trim()))?
            .name;
        match self.values.insert(key, value.trim().to_owned()) {
            None => Ok(()),
            Some(_) => Err(GeneratorError::Repeated {
                generator: generator.name,
                key,
            }),
        }
    }

    /// A whole number in `range`.
    pub(super) fn count(
        &self,
        key: &'static str,
        range: RangeInclusive<usize>,
    ) -> Result<usize, GeneratorError> {
        let rule = format!("a whole number from {} to {}", range.start(), range.end());
        self.checked(key, |value| range.contains(value), &rule)
    }

    /// Any 64-bit seed.
    pub(super) fn seed(&self) -> Result<u64, GeneratorError> {
        self.checked("seed", |_| true, "a whole number from 0 to 2^64 - 1")
    }

    /// A standard deviation: finite, not negative.
    pub(super) fn deviation(&self, key: &'static str) -> Result<f64, GeneratorError> {
        let is_deviation = |value: &f64| value.is_finite() && *value >= 0.0;
        self.checked(
            key,
            is_deviation,
            "a standard deviation: a finite number from 0",
        )
    }

    /// A value of a type with words of its own.
    pub(super) fn word<T: FromStr>(
        &self,
        key: &'static str,
        rule: &str,
    ) -> Result<T, GeneratorError> {
        self.checked(key, |_| true, rule)
    }

    fn checked<T: FromStr>(
        &self,
        key: &'static str,
        holds: impl Fn(&T) -> bool,
        rule: &str,
    ) -> Result<T, GeneratorError> {
        let value = self.values.get(key).map_or("", String::as_str);
        value
            .parse()
            .ok()
            .filter(|value| holds(value))
            .ok_or_else(|| GeneratorError::BadValue {
                generator: self.generator,
                key,
                value: value.to_owned(),
                rule: rule.to_owned(),
            })
    }
}

fn known(generator: &Generator) -> impl Iterator<Item = &'static Parameter> + use<> {
    const COMMON_PARAMETERS: &[Parameter] = &COMMON;
    generator.parameters.iter().chain(COMMON_PARAMETERS)
}

fn unknown(generator: &Generator, key: &str) -> GeneratorError {
    let with_default = |parameter: &Parameter| format!("{}={}", parameter.name, parameter.default);
    GeneratorError::UnknownKey {
        generator: generator.name,
        key: key.to_owned(),
        nearest: did_you_mean(key, known(generator).map(|parameter| parameter.name)),
        known: known(generator)
            .map(with_default)
            .collect::<Vec<_>>()
            .join(", "),
    }
}

#[cfg(test)]
mod tests {
    use crate::generators::find;

    #[test]
    fn bad_addresses_say_what_is_possible() {
        for (address, says) in [
            (
                "friedman:m=3",
                "has no parameter `m`; it takes d=5, noise=1, n=10000",
            ),
            ("friedman:nois=3", "did you mean `noise`"),
            (
                "friedman:d=4",
                "`d=4` is not possible; `d` is a whole number from 5",
            ),
            ("friedman:noise=-1", "`noise` is a standard deviation"),
            ("friedman:n=0", "`n` is a whole number from 1"),
            ("friedman:n=ten", "`n=ten` is not possible"),
            ("friedman:n", "`n` is not `key=value`"),
            ("friedman:n=1,n=2", "given twice"),
            ("friedman:n=999999999", "do not fit in memory"),
            ("friedman:n=18446744073709551615", "from 1 to 1000000000"),
            ("mondrian-cube:rotated=maybe", "`rotated` is `yes` or `no`"),
        ] {
            let error = find(address)
                .unwrap()
                .generate(address)
                .unwrap_err()
                .to_string();
            assert!(error.contains(says), "{address}: {error}");
        }
    }

    #[test]
    fn blanks_and_trailing_commas_mean_nothing() {
        let generate = |address: &str| find(address).unwrap().generate(address).unwrap().features;
        assert_eq!(
            generate("friedman:n=3,test=1"),
            generate("friedman: n = 3 , test=1,")
        );
    }
}
