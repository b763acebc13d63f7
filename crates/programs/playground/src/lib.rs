//! The playground: online forests in the plane, in a page of the browser.
//!
//! The learners are those of the library, compiled to WebAssembly, so predictions have the same bits as native ones.
//! [`Playground`] is a forest that learns points of the unit square and draws what it predicts; [`examples`] are
//! streams to learn. The page itself is in `page/`.
//!
//! ```
//! use forest_playground::{Playground, examples};
//!
//! let mut forest = Playground::new("mondrian", "classes", 10, 0)?;
//! let stream = examples::stream("moons", 200, 1).expect("it is an example");
//! forest.learn(&stream.points, &stream.targets)?;
//! assert!(forest.score() > 0.8); // of the points, predicted before they were learned
//! assert_eq!(forest.image(50).len(), 50 * 50 * 4);
//! # Ok::<(), String>(())
//! ```

mod colour;
pub mod examples;
mod page;

pub use page::{Playground, example, example_names};
