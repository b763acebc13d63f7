//! The playground: online forests in the plane, in a page of the browser.
//!
//! The learners are those of the library, compiled to WebAssembly, so predictions have the same bits as native ones. [`Session`] is a forest that
//! learns points of the unit square and draws what it predicts; [`examples`] are streams to learn; [`Playground`] is what the page calls. The page
//! itself is in `page/`.
//!
//! ```
//! use forest_playground::{Play, Session, examples};
//! use online_forests::Classification;
//!
//! let mut session = Session::<Classification>::new("mondrian", 10, 0)?;
//! let stream = examples::stream("moons", 200, 1).expect("it is an example");
//! session.learn(&stream.points, &stream.targets)?;
//! assert!(session.score() > 0.8); // of the points, predicted before they were learned
//! assert_eq!(session.image(50).len(), 50 * 50 * 4);
//! # Ok::<(), String>(())
//! ```
//!
//! | file | idea |
//! |---|---|
//! | `session` | a forest, its predictions and the cuts of a tree |
//! | `colour` | predictions as colours |
//! | `examples` | streams to learn |
//! | `page` | what the page calls |

mod colour;
pub mod examples;
pub mod page;
mod session;

pub use colour::Coloured;
pub use page::Playground;
pub use session::{Play, Session};
