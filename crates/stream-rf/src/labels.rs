//! What differs between learning classes and learning numbers.

mod class_histograms;
mod classes;
mod entropy;
mod interface;
mod moments;
mod number_sums;
mod numbers;

pub use interface::{Labels, SplitLabels};
