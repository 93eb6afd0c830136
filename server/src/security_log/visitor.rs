//! The client of a request, for the security log: its address, program and language.
use crate::error::AppError;
use crate::http::answer::chosen_language;
use crate::http::request::ClientAddress;
use actix_web::dev::Payload;
use actix_web::http::header::USER_AGENT;
use actix_web::{FromRequest, HttpRequest};
use postern_core::language::Language;
use postern_core::network::sender_key;
use postern_core::security_log::USER_AGENT_MAX_LENGTH;
use std::future::{Ready, ready};

#[derive(Clone, Debug)]
pub struct Visitor {
    pub address: String,
    /// The client's key for rate limits.
    pub sender: String,
    pub user_agent: String,
    /// `None` if the request states none.
    pub language: Option<Language>,
}

impl Visitor {
    /// For commands on the server.
    pub fn command() -> Visitor {
        Visitor { address: String::new(), sender: String::new(), user_agent: String::new(), language: None }
    }
}

impl FromRequest for Visitor {
    type Error = AppError;
    type Future = Ready<Result<Visitor, AppError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let agent = request.headers().get(USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let from = ClientAddress::from_request(request, payload).into_inner();
        ready(from.map(|from| Visitor {
            address: from.0.to_string(),
            sender: sender_key(from.0),
            user_agent: agent.chars().take(USER_AGENT_MAX_LENGTH).collect(),
            language: chosen_language(request),
        }))
    }
}
