//! Answers: the envelope `{Code, Message, Data}` around every call, in the reader's language.
use crate::error::Refusal;
use crate::state::App;
use actix_web::body::{BoxBody, EitherBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpRequest, HttpResponse, Responder, web};
use postern_core::code::Code;
use postern_core::language::Language;
use serde::Serialize;
use serde_json::json;
use tracing::Instrument;

/// A successful answer.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Answer<T> {
    /// 1000, or the code of what went wrong; see the list of codes.
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
        HttpResponse::Ok().insert_header((header::CACHE_CONTROL, "no-store")).json(self)
    }
}

/// A call's answer or why there is none.
pub type Answered<T> = Result<Answer<T>, crate::error::AppError>;

pub fn answer<T>(data: T) -> Answered<T> {
    Ok(Answer::new(data))
}

/// The language that the reader asked for.
pub fn language_of(request: &HttpRequest) -> Language {
    let header = request.headers().get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    Language::from_header(header.unwrap_or_default())
}

fn message(request: &HttpRequest, code: Code, data: &serde_json::Value) -> String {
    let Some(app) = request.app_data::<web::Data<App>>() else { return String::new() };
    let key = data.get("Key").and_then(|key| key.as_str()).filter(|_| code == Code::ShownInPlace);
    let key = key.unwrap_or(code.message_key());
    app.texts.get(language_of(request), &format!("errors:{key}"), data)
}

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Around every request: gives it an id, and turns refusals into answers in the reader's language.
pub async fn around_requests<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B, BoxBody>>, Error> {
    let request_id = hex::encode(crate::security::random::<8>());
    let span = tracing::info_span!("request", id = %request_id, method = %request.method(), path = %request.path());
    let mut response = next.call(request).instrument(span).await?;
    let id_value = HeaderValue::from_str(&request_id).expect("hex is a header value");
    response.headers_mut().insert(REQUEST_ID, id_value.clone());
    let refusal = response.response().extensions().get::<Refusal>().cloned();
    let Some(mut refusal) = refusal else { return Ok(response.map_into_left_body()) };
    if refusal.code == Code::Internal {
        refusal.data = json!({ "RequestId": request_id });
    }
    let (request, response) = response.into_parts();
    let body = Answer {
        code: refusal.code.number(),
        message: message(&request, refusal.code, &refusal.data),
        data: refusal.data,
    };
    let answer = HttpResponse::build(response.status())
        .insert_header((REQUEST_ID, id_value))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(body);
    Ok(ServiceResponse::new(request, answer).map_into_right_body())
}
