//! `serve`: a model behind HTTP that predicts and learns, with figures that a person can watch.
//!
//! One thread learns request after request in one copy of the model; readers predict with the other
//! ([`serving`]), and never wait for it. The model is saved as `train` saves it, into the same file, which is locked
//! meanwhile. docs/service.md describes the routes.
//!
//! | question | items |
//! |---|---|
//! | how bodies become rows | [`RequestReader`] |
//! | why a request is refused | [`Refusal`] |
//! | limits of a service | [`Limits`] |

mod app;
mod args;
mod beside;
mod board;
mod body;
mod connections;
mod error;
mod events;
mod exported;
mod figures;
mod following;
mod from_files;
mod guard;
mod held;
mod history;
mod latencies;
mod learning;
mod listen;
mod origin;
mod page;
mod places;
mod prequential;
mod private;
mod queue;
mod refusal;
mod replies;
mod reply;
mod request;
mod routes;
mod service;
mod shown;
mod site;
mod tls;
mod token;
mod view;

pub use args::{Args, Limits};
pub use error::ServiceError;
pub use refusal::Refusal;
pub use request::{Form, RequestReader, Rows};
pub use service::run;
