//! Redirects from our addresses: to a gateway's page, back to the shop, or to a page with the reason why not.
use crate::brand::pages;
use crate::error::AppError;
use crate::http::answer::language_of;
use crate::state::App;
use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse};
use postern_core::language::Language;
use serde_json::Value;

/// The target of an opened address.
pub enum Opened {
    /// The gateway's page.
    Page(String),
    /// Back to the shop, which shows the current state.
    Back,
    /// The payment or request can no longer be continued.
    Ended,
}

/// The text keys of one kind of address, in the namespace `pay`. `ended` and `down` have a hint beside them.
pub struct TextKeys {
    pub title: &'static str,
    pub unknown: &'static str,
    pub ended: &'static str,
    pub down: &'static str,
}

impl TextKeys {
    pub fn unknown(&self, app: &App, request: &HttpRequest) -> HttpResponse {
        let language = language_of(request);
        let text = |key: &str| app.texts.get(language, &format!("pay:{key}"), &Value::Null);
        let to_shop = (text("back"), "/".to_owned());
        let body = pages::notice(&text(self.unknown), &text("unknownHint"), &[to_shop]);
        pages::page(&app.letterhead, StatusCode::NOT_FOUND, language, &text(self.title), &body)
    }
}

/// Redirects. `path` is the address itself, `back` the shop's screen with the current state.
pub fn lead(
    app: &App,
    language: Language,
    keys: &TextKeys,
    opened: Result<Opened, AppError>,
    path: &str,
    back: &str,
) -> HttpResponse {
    let text = |key: &str| app.texts.get(language, &format!("pay:{key}"), &Value::Null);
    let see_other = |url: &str| HttpResponse::SeeOther().insert_header((LOCATION, url)).finish();
    let to_shop = (text("back"), back.to_owned());
    let (status, key, links) = match opened {
        Ok(Opened::Page(url)) => return see_other(&url),
        Ok(Opened::Back) => return see_other(back),
        Ok(Opened::Ended) => (StatusCode::GONE, keys.ended, vec![to_shop]),
        Err(error) => {
            tracing::error!(path, %error, "a gateway's page could not be opened");
            (StatusCode::BAD_GATEWAY, keys.down, vec![(text("tryAgain"), path.to_owned()), to_shop])
        }
    };
    let body = pages::notice(&text(key), &text(&format!("{key}Hint")), &links);
    pages::page(&app.letterhead, status, language, &text(keys.title), &body)
}
