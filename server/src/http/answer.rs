//! Responses: the envelope `{Code, Message, Data}` around every call, in the user's language.
use crate::error::{RETRY_LOST_AFTER_MS, Refusal};
use crate::http::client_address::is_from_proxy;
use crate::http::json::to_json;
use crate::request_id::RequestId;
use crate::state::App;
use crate::traces::{self, Begun};
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, ContentType, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, HttpResponseBuilder, Responder, web};
use postern_core::code::Code;
use postern_core::language::Language;
use postern_core::money::{Currency, Money};
use postern_core::place::city_name;
use serde::Serialize;
use serde_json::{Value, json};
use std::borrow::Cow;
use tracing::Instrument;

/// A successful response.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Answer<T> {
    /// 1000, or the code of the refusal; see the list of codes.
    pub code: u32,
    /// In the language of `Accept-Language`.
    pub message: String,
    pub data: T,
}

impl<T> Answer<T> {
    pub fn new(data: T) -> Answer<T> {
        Answer { code: Code::Success.number(), message: String::new(), data }
    }
}

impl<T: Serialize> Responder for Answer<T> {
    type Body = BoxBody;

    fn respond_to(mut self, request: &HttpRequest) -> HttpResponse<BoxBody> {
        self.message = message(request, Code::Success, &json!({}));
        json_body(HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")), &self)
    }
}

fn json_body<T: Serialize>(response: &mut HttpResponseBuilder, answer: &Answer<T>) -> HttpResponse {
    match to_json(answer) {
        Ok(body) => response.content_type(ContentType::json()).body(body),
        Err(error) => {
            tracing::error!(%error, "a response could not be serialised");
            HttpResponse::InternalServerError().finish()
        }
    }
}

/// The result of a call: a response or a refusal.
pub type Answered<T> = Result<Answer<T>, crate::error::AppError>;

pub fn answer<T>(data: T) -> Answered<T> {
    Ok(Answer::new(data))
}

/// HTTP 503, for endpoints that are not calls.
pub fn unavailable() -> HttpResponseBuilder {
    let mut response = HttpResponse::ServiceUnavailable();
    response.insert_header((header::RETRY_AFTER, RETRY_LOST_AFTER_MS.div_ceil(1_000).to_string()));
    response
}

/// The request's language.
pub fn language_of(request: &HttpRequest) -> Language {
    let header = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Language::from_header(header.unwrap_or_default())
}

/// The request's language if it states one: programs often send none.
pub fn chosen_language(request: &HttpRequest) -> Option<Language> {
    request.headers().contains_key(header::ACCEPT_LANGUAGE).then(|| language_of(request))
}

fn message(request: &HttpRequest, code: Code, data: &Value) -> String {
    let Some(app) = request.app_data::<web::Data<App>>() else { return String::new() };
    refusal_text(app, language_of(request), code, data)
}

/// The text of a refusal, without its fields.
pub fn refusal_text(app: &App, language: Language, code: Code, data: &Value) -> String {
    let shown = localised(data, language);
    let key = match code {
        Code::ShownInPlace => data["Key"].as_str(),
        Code::OutOfStock if shown["CityName"].is_string() && data["Available"] == 0 => Some("soldOutInCity"),
        Code::OutOfStock if shown["CityName"].is_string() => Some("outOfStockInCity"),
        Code::NotPermitted if data["Needed"] == "person" => Some("keyNeedsPerson"),
        Code::NotPermitted if data["Needed"].is_string() => Some("keyNeedsScope"),
        Code::NotPermitted if data["Address"].is_string() => Some("keyAddress"),
        _ => None,
    };
    app.texts.get(language, &format!("errors:{}", key.unwrap_or(code.message_key())), &shown)
}

/// Formats a refusal's data for its message: amounts with currency, cities by their localised names.
fn localised(data: &Value, language: Language) -> Value {
    let mut shown = data.clone();
    if let Some(currency) = data["Currency"].as_str().and_then(Currency::from_wire) {
        for name in ["Balance", "Needed", "OldPrice", "NewPrice"] {
            let amount = serde_json::from_value::<Money>(data[name].clone());
            if let Ok(amount) = amount {
                shown[name] = amount.display(currency).into();
            }
        }
    }
    if let Some(city) = data["City"].as_str() {
        shown["CityName"] = city_name(city, language).into();
    }
    shown
}

/// A path for the log, with tokens removed: parts longer than any word of a path.
fn shown_path(path: &str) -> Cow<'_, str> {
    const LONGEST_WORD: usize = 39;
    if path.len() <= LONGEST_WORD {
        return path.into();
    }
    let shown = |word| if str::len(word) > LONGEST_WORD { "…" } else { word };
    path.split('/').map(shown).collect::<Vec<_>>().join("/").into()
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Middleware: takes the request id of a trace of the reverse proxy, or one that a client chose, or assigns one, and renders errors in the user's language.
pub async fn answer_errors<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    // Anybody could have all requests traced otherwise.
    let app = request.app_data::<web::Data<App>>();
    let is_believed = app.is_some_and(|app| is_from_proxy(app, request.request()));
    let begun = is_believed.then(|| Begun::read(request.headers())).flatten();
    let chosen = || request.headers().get(REQUEST_ID).and_then(|value| RequestId::parse(value.to_str().ok()?));
    let id = begun.as_ref().map(Begun::request_id).or_else(chosen).unwrap_or_default();
    let request_id = id.to_string();
    let traced = traces::request(begun);
    let span = tracing::info_span!("request", id = %request_id, method = %request.method(), path = %shown_path(request.path()));
    let mut response = id.scope(next.call(request).instrument(span).instrument(traced.clone())).await?;
    traces::answered(&traced, &response);
    let id_value = HeaderValue::from_str(&request_id).expect("hex is a header value");
    response.headers_mut().insert(REQUEST_ID, id_value.clone());
    let refusal = response.response().extensions().get::<Refusal>().cloned();
    let Some(mut refusal) = refusal else { return Ok(response.map_into_left_body()) };
    if refusal.code == Code::Internal {
        refusal.data = json!({ "RequestId": request_id });
    }
    let (request, response) = response.into_parts();
    // Keep the rate limit headers of a refused API key.
    let headers = response.headers().clone();
    let body = Answer {
        code: refusal.code.number(),
        message: message(&request, refusal.code, &refusal.data),
        data: refusal.data,
    };
    let mut answer = HttpResponse::build(response.status());
    answer.insert_header((REQUEST_ID, id_value)).insert_header((header::CACHE_CONTROL, "no-store"));
    for (name, value) in headers.iter() {
        answer.insert_header((name.clone(), value.clone()));
    }
    if let Some(method) = body.data["Allow"].as_str() {
        answer.insert_header((header::ALLOW, method));
    }
    if let Some(milliseconds) = body.data["RetryAfterMs"].as_i64() {
        answer.insert_header((header::RETRY_AFTER, milliseconds.max(0).unsigned_abs().div_ceil(1_000).to_string()));
    }
    let answer = json_body(&mut answer, &body);
    Ok(ServiceResponse::new(request, answer).map_into_right_body())
}
