//! The parameter `window` of forests that can forget.

use crate::parameters::{Parameter, Rule, parsed};
use crate::{ForestSettings, Retention};

use crate::registry::{Named, UNLIMITED};

/// How many of the latest samples a forest remembers.
pub const WINDOW: Parameter = Parameter {
    name: "window",
    default: UNLIMITED,
    meaning: "samples remembered: older ones are forgotten",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};

pub(crate) fn text(learner: &impl Named) -> String {
    learner
        .window()
        .map_or(UNLIMITED.to_owned(), |samples| samples.to_string())
}

/// What is not limited here is as the settings of the forest say.
pub(crate) fn set(forest: &mut ForestSettings, text: &str) {
    if text != UNLIMITED {
        forest.retention = Retention::Latest(parsed(text));
    }
}
