//! Errors of calls. Clients get a code with data, the log gets the cause; neither leaks into the other.
use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use diesel::result::DatabaseErrorKind;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::money::{Currency, Money, MoneyError};
use serde_json::{Value, json};
use std::fmt;

#[derive(Debug)]
pub enum AppError {
    /// A refusal: a code and data for the client.
    Answer(Refusal),
    /// The token is missing or invalid: HTTP 401.
    Unauthorized,
    Database(diesel::result::Error),
    /// No database connection was free in time.
    Busy(String),
    Internal(anyhow::Error),
}

/// The response to a refused call.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub code: Code,
    pub data: Value,
}

impl AppError {
    pub fn code(code: Code) -> AppError {
        AppError::with(code, Value::Null)
    }

    pub fn with(code: Code, data: Value) -> AppError {
        AppError::Answer(Refusal { code, data })
    }

    pub fn fields(fields: FieldErrors) -> AppError {
        AppError::with(Code::InvalidFields, json!({ "Fields": fields }))
    }

    /// A refusal with a text key of `locales/{language}/errors.json`, shown in the form.
    pub fn in_place(key: &str) -> AppError {
        AppError::with(Code::ShownInPlace, json!({ "Key": key }))
    }

    pub fn state_forbids(state: &str) -> AppError {
        AppError::with(Code::StateForbids, json!({ "State": state }))
    }

    pub fn balance_too_low(balance: Money, needed: Money, currency: Currency) -> AppError {
        AppError::with(Code::BalanceTooLow, json!({ "Balance": balance, "Needed": needed, "Currency": currency }))
    }

    pub fn price_changed(expected: Money, now: Money, currency: Currency) -> AppError {
        let prices = json!({ "OldPrice": expected, "NewPrice": now, "Currency": currency });
        AppError::with(Code::PriceChanged, prices)
    }

    pub fn pool(error: r2d2::Error) -> AppError {
        AppError::Busy(error.to_string())
    }

    /// A concurrent transaction made the same change; this one must be retried to see it.
    pub fn concurrent_change() -> AppError {
        AppError::Database(diesel::result::Error::DatabaseError(
            DatabaseErrorKind::SerializationFailure,
            Box::new("another did the same at once".to_owned()),
        ))
    }

    pub fn internal(text: &str) -> AppError {
        AppError::Internal(anyhow::anyhow!("{text}"))
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AppError::Answer(refusal) => write!(formatter, "code {}", refusal.code.number()),
            AppError::Unauthorized => write!(formatter, "unauthorized"),
            AppError::Database(error) => {
                write!(formatter, "database: {error}")?;
                // If a value could not be read, diesel names the field, and the source names the reason.
                let diesel::result::Error::DeserializationError(unread) = error else { return Ok(()) };
                std::iter::successors(unread.source(), |cause| cause.source())
                    .try_for_each(|cause| write!(formatter, ": {cause}"))
            }
            AppError::Busy(error) => write!(formatter, "no free connection: {error}"),
            AppError::Internal(error) => write!(formatter, "{error:#}"),
        }
    }
}

impl std::error::Error for AppError {}

impl From<diesel::result::Error> for AppError {
    fn from(error: diesel::result::Error) -> AppError {
        AppError::Database(error)
    }
}

impl From<MoneyError> for AppError {
    fn from(error: MoneyError) -> AppError {
        AppError::internal(&format!("money: {error:?}"))
    }
}

impl From<FieldErrors> for AppError {
    fn from(fields: FieldErrors) -> AppError {
        AppError::fields(fields)
    }
}

impl From<serde_json::Error> for AppError {
    fn from(error: serde_json::Error) -> AppError {
        AppError::Internal(error.into())
    }
}

impl ResponseError for AppError {
    fn status_code(&self) -> StatusCode {
        match self {
            AppError::Unauthorized => StatusCode::UNAUTHORIZED,
            AppError::Answer(refusal) => match refusal.code {
                Code::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
                Code::BodyTooSlow => StatusCode::REQUEST_TIMEOUT,
                Code::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
                Code::CompressedBody => StatusCode::UNSUPPORTED_MEDIA_TYPE,
                _ => StatusCode::OK,
            },
            _ => StatusCode::OK,
        }
    }

    /// Attaches the refusal to the response; the middleware around all calls, which knows the user's language, renders it.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status_code());
        let refusal = match self {
            AppError::Answer(refusal) => refusal.clone(),
            AppError::Unauthorized => Refusal { code: Code::SignInAgain, data: Value::Null },
            cause => {
                tracing::error!(%cause, "a call failed");
                Refusal { code: Code::Internal, data: Value::Null }
            }
        };
        response.extensions_mut().insert(refusal);
        response
    }
}
