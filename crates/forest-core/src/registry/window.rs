//! The parameter `window` of forests that can forget.

use crate::parameters::{Parameter, Rule, parsed};
use crate::{ForestSettings, Retention};

use crate::registry::UNLIMITED;

/// How many of the latest samples a forest remembers.
pub const WINDOW: Parameter = Parameter {
    name: "window",
    default: UNLIMITED,
    meaning: "samples remembered: older ones are forgotten",
    rule: Rule::Or(&Rule::Count(1), &[UNLIMITED]),
};

pub(crate) fn text(forest: &ForestSettings) -> String {
    match forest.retention {
        Retention::Latest(samples) => samples.to_string(),
        Retention::Everything => UNLIMITED.to_owned(),
    }
}

/// What is not limited here is as the settings of the forest say.
pub(crate) fn set(forest: &mut ForestSettings, text: &str) {
    if text != UNLIMITED {
        forest.retention = Retention::Latest(parsed(text));
    }
}
