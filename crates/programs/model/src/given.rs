//! The options of a table that were given on a command line.

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use tables::TableOptions;

use crate::reading::ReadingOptions;
use crate::table_text::table_pairs;

/// The options of a table on a command line, and which of them were given: a default that is stated must match the model, too.
#[derive(Clone, Debug, Default)]
pub struct GivenOptions {
    /// The values of all options.
    pub options: TableOptions,
    /// Names of the given options, as `--missing`.
    given: Vec<String>,
}

impl GivenOptions {
    /// Returns whether the option, written as `--missing`, was given.
    fn has(&self, option: &str) -> bool {
        self.given.iter().any(|given| given == option)
    }

    /// Returns the options about the format of the table.
    pub fn reading(&self) -> ReadingOptions {
        ReadingOptions {
            delimiter: self.options.delimiter,
            header: self.has("--header").then_some(self.options.header),
            comment: self.options.comment,
            indices: self.options.indices,
            encoding: self.options.encoding,
        }
    }

    /// Returns each given option and its value.
    pub fn pairs(&self) -> impl Iterator<Item = (&'static str, String)> {
        let pairs = table_pairs(&self.options).into_iter();
        pairs.filter(|(option, _)| self.has(option))
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let known = TableOptions::augment_args(Command::new(""));
        let is_given = |argument: &&Arg| {
            matches.value_source(argument.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let given = known.get_arguments().filter(is_given);
        Ok(Self {
            options: TableOptions::from_arg_matches(matches)?,
            given: given
                .filter_map(Arg::get_long)
                .map(|long| format!("--{long}"))
                .collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        TableOptions::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        TableOptions::augment_args_for_update(command)
    }
}
