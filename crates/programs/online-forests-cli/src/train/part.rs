//! `--part I/N`: some of the trees of a forest.

use std::fmt;
use std::str::FromStr;

use forest_core::OnlineLearner as _;
use forest_model::{CommandError, Model, TableTask, unsupported};

/// One of several parts of the trees of a forest: neighbours, as evenly as possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 1.
    index: usize,
    of: usize,
}

impl FromStr for Part {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let numbers = text.split_once('/').map(|(i, n)| (i.parse(), n.parse()));
        match numbers {
            Some((Ok(index), Ok(of))) if 1 <= index && index <= of => Ok(Self { index, of }),
            _ => Err("expected a part and the number of parts, such as 1/4"),
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Part {
    /// Keeps these trees of a model that has all trees, or these already.
    ///
    /// # Errors
    /// Returns an error if the model is not a forest of independent trees, has fewer trees than parts, or is another part.
    pub(super) fn keep<T: TableTask>(self, model: &mut Model<T>) -> Result<(), CommandError> {
        let Some(shard) = model.part() else {
            let needs = "a forest of independent trees, such as --algorithm mondrian or amf";
            return Err(unsupported(model, "--part", needs));
        };
        let (trees, has) = (shard.of, shard.trees);
        let start = |part| (part as u128 * trees as u128 / self.of as u128) as usize;
        let keeps = start(self.index - 1)..start(self.index);
        let refused = |reason| Err(CommandError::new(format!("--part {self}: {reason}")));
        if self.of > trees {
            refused(format!("the forest has {trees} trees, a part at least one"))
        } else if has == keeps {
            Ok(())
        } else if has == (0..trees) {
            Ok(model.keep_trees(keeps)?)
        } else {
            let (first, last) = (has.start + 1, has.end);
            refused(format!(
                "the model is another part of its forest, with trees {first} to {last} of {trees}; give each part a model file \
                 of its own"
            ))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Part;

    #[test]
    fn a_part_is_one_of_those_that_there_are() {
        assert_eq!(
            "2/4".parse::<Part>().map(|it| it.to_string()),
            Ok("2/4".to_owned())
        );
        for text in ["", "2", "0/4", "5/4", "1/0", "-1/4", "1/4/2", "a/b"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }
}
