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

mod access;
mod app;
mod args;
mod body;
mod connections;
mod cursor;
mod following;
mod learning;
mod metrics;
mod predicting;
mod prequential;
mod queue;
mod readiness;
mod refusal;
mod reply;
mod request;
mod routes;
mod service;

pub use args::{Args, Limits};
pub use refusal::Refusal;
pub use request::{Form, RequestReader, Rows};
pub use service::run;
