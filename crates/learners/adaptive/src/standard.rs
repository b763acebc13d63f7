//! The default members, chosen on generated streams and sets other than elec2.

/// For classes: two bases beside each other.
pub(crate) const OF_CLASSES: &[&str] = &[
    "mondrian@100@quantile@labels",
    "mondrian@1000@none@labels",
    "mondrian@change@quantile@labels",
    "mondrian@change@none@labels",
    "mondrian@all@none@labels",
    "boundary-forest@100@quantile@labels",
    "boundary-forest@500@none@labels",
    "boundary-forest@change@none@labels",
    "no-change@all@none",
];

/// For numbers: more trees that remember all rows, since the errors of a forest of numbers fall with the number of its trees.
pub(crate) const OF_NUMBERS: &[&str] = &[
    "mondrian@100@quantile@labels",
    "mondrian@1000@none@labels",
    "mondrian@change@quantile@labels",
    "mondrian@change@none@labels",
    "mondrian@all@none@labels",
    "mondrian@all@none",
    "mondrian@all@quantile",
    "boundary-forest@all@quantile@labels",
    "no-change@all@none",
];
