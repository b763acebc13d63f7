//! Making learners from texts and bytes.

use std::fmt::Debug;
use std::marker::PhantomData;

use forest_core::{ForestSettings, Schema, SettingError, Task};
use parameters::{Parameter, Values};

use crate::snapshot::{Payload, SnapshotError};
use crate::{Configuration, ErasedLearner, Named};

/// Makes the learners of an algorithm for one task.
pub trait Maker<T: Task>: Debug + Sync {
    /// The parameters of the configuration `name` that mean something in this task.
    fn parameters(&self, name: &str) -> Vec<&'static Parameter>;

    /// Those of them that mean something beside these values.
    fn parameters_beside(&self, name: &str, given: &Values) -> Vec<&'static Parameter> {
        let _ = given;
        self.parameters(name)
    }

    /// The parameter and its word that choose among the learners, if there are several types.
    fn chosen_by(&self, given: &Values) -> Option<(&'static str, String)> {
        let _ = given;
        None
    }

    /// As [`Named::NESTING`].
    fn nesting(&self) -> u8;

    /// A learner of the configuration `name` with these values, which are of its parameters.
    ///
    /// # Errors
    /// No trees, or a setting that breaks its rule.
    fn build(
        &self,
        name: &str,
        values: &Values,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Box<dyn ErasedLearner<T>>, SettingError>;

    /// The learner with these values that was encoded as `payload`.
    ///
    /// # Errors
    /// What is no learner of this type.
    fn decode(
        &self,
        values: &Values,
        payload: &mut Payload<'_>,
    ) -> Result<Box<dyn ErasedLearner<T>>, SnapshotError>;
}

/// Makes learners of type `L`, for the row of a table.
pub const fn learner<L: Named>() -> &'static dyn Maker<L::Task> {
    &Of::<L>(PhantomData)
}

struct Of<L>(PhantomData<fn() -> L>);

impl<L> Debug for Of<L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(std::any::type_name::<L>())
    }
}

fn configuration<L: Named>(name: &str) -> &'static Configuration<L::Settings> {
    let mut known = L::configurations().iter();
    let found = known.find(|known| known.entry.name == name);
    found.expect("the learner of an entry has a configuration of its name")
}

impl<L: Named> Maker<L::Task> for Of<L> {
    fn parameters(&self, name: &str) -> Vec<&'static Parameter> {
        let fields = configuration::<L>(name).fields();
        fields.map(|field| &field.parameter).collect()
    }

    fn nesting(&self) -> u8 {
        L::NESTING
    }

    fn build(
        &self,
        name: &str,
        values: &Values,
        schema: Schema<L::Task>,
        forest: ForestSettings,
    ) -> Result<Box<dyn ErasedLearner<L::Task>>, SettingError> {
        let configuration = configuration::<L>(name);
        let mut settings = (configuration.default)(schema.features());
        values.set(&mut settings, configuration.fields());
        Ok(Box::new(L::build(schema, settings, forest)?))
    }

    fn decode(
        &self,
        _: &Values,
        payload: &mut Payload<'_>,
    ) -> Result<Box<dyn ErasedLearner<L::Task>>, SnapshotError> {
        Ok(Box::new(payload.last_value::<L>()?))
    }
}

/// Learners whose type depends on the word that a parameter has.
#[derive(Debug)]
pub struct ByWord<T: Task> {
    /// The parameter, which all of the learners have.
    pub parameter: &'static Parameter,
    /// The word and the learners of each type. Where the parameter is not given, its default counts.
    pub makers: &'static [(&'static str, &'static dyn Maker<T>)],
}

impl<T: Task> ByWord<T> {
    fn word<'a>(&self, values: &'a Values) -> &'a str {
        let word = values.text(self.parameter.name);
        word.unwrap_or(self.parameter.default)
    }

    fn maker(&self, values: &Values) -> &'static dyn Maker<T> {
        let word = self.word(values);
        let maker = self.makers.iter().find(|(known, _)| *known == word);
        maker
            .expect("the parameter's rule accepts only these words")
            .1
    }
}

impl<T: Task> Maker<T> for ByWord<T> {
    /// Those of the default word come first.
    fn parameters(&self, name: &str) -> Vec<&'static Parameter> {
        let mut all = self.parameters_beside(name, &Values::default());
        for parameter in self
            .makers
            .iter()
            .flat_map(|(_, maker)| maker.parameters(name))
        {
            if all.iter().all(|known| known.name != parameter.name) {
                all.push(parameter);
            }
        }
        all
    }

    fn parameters_beside(&self, name: &str, given: &Values) -> Vec<&'static Parameter> {
        self.maker(given).parameters(name)
    }

    fn chosen_by(&self, given: &Values) -> Option<(&'static str, String)> {
        Some((self.parameter.name, self.word(given).to_owned()))
    }

    fn nesting(&self) -> u8 {
        let levels = self.makers.iter().map(|(_, maker)| maker.nesting());
        levels.max().unwrap_or(0)
    }

    fn build(
        &self,
        name: &str,
        values: &Values,
        schema: Schema<T>,
        forest: ForestSettings,
    ) -> Result<Box<dyn ErasedLearner<T>>, SettingError> {
        self.maker(values).build(name, values, schema, forest)
    }

    fn decode(
        &self,
        values: &Values,
        payload: &mut Payload<'_>,
    ) -> Result<Box<dyn ErasedLearner<T>>, SnapshotError> {
        self.maker(values).decode(values, payload)
    }
}
