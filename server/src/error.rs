//! Errors of calls. Clients get a code with data, the log gets the cause; neither leaks into the other.
use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use diesel::result::{DatabaseErrorKind, Error as DieselError};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::money::{Currency, Money, MoneyError};
use postern_core::rule::Rule;
use serde_json::{Value, json};
use std::fmt;

/// When to try again after the database could not be reached.
pub const RETRY_LOST_AFTER_MS: u64 = 2_000;

#[derive(Debug)]
pub enum AppError {
    /// A refusal: a code and data for the client.
    Answer(Refusal),
    /// The token is missing or invalid: HTTP 401.
    Unauthorized,
    Database(DieselError),
    /// No database connection was free in time: HTTP 503.
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

    /// Refused for now, with the time to wait.
    pub fn too_many(retry_after_ms: i64) -> AppError {
        AppError::with(Code::TooManyRequests, json!({ "RetryAfterMs": retry_after_ms }))
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
        AppError::Database(DieselError::DatabaseError(
            DatabaseErrorKind::SerializationFailure,
            Box::new("another did the same at once".to_owned()),
        ))
    }

    /// The database does not answer.
    pub fn lost() -> AppError {
        AppError::Busy("the database does not answer".to_owned())
    }

    /// Whether there is no connection to the database, or it was lost meanwhile: a repetition may succeed.
    pub fn is_unavailable(&self) -> bool {
        match self {
            AppError::Busy(_) => true,
            AppError::Database(error) => is_lost_connection(error),
            _ => false,
        }
    }

    /// Whether it is a refusal of a field by this rule.
    pub fn breaks(&self, rule: Rule) -> bool {
        let AppError::Answer(refusal) = self else { return false };
        let fields = refusal.data["Fields"].as_object().into_iter().flat_map(|fields| fields.values());
        fields.filter_map(Value::as_array).flatten().any(|broken| broken["Rule"] == rule.as_str())
    }

    pub fn internal(text: &str) -> AppError {
        AppError::Internal(anyhow::anyhow!("{text}"))
    }
}

fn is_lost_connection(error: &DieselError) -> bool {
    use DatabaseErrorKind::{ClosedConnection, UnableToSendCommand};
    match error {
        DieselError::DatabaseError(kind, _) => matches!(kind, ClosedConnection | UnableToSendCommand),
        DieselError::RollbackErrorOnCommit { commit_error, .. } => is_lost_connection(commit_error),
        DieselError::BrokenTransactionManager => true,
        _ => false,
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
                let DieselError::DeserializationError(unread) = error else { return Ok(()) };
                std::iter::successors(unread.source(), |cause| cause.source())
                    .try_for_each(|cause| write!(formatter, ": {cause}"))
            }
            AppError::Busy(error) => write!(formatter, "no free connection: {error}"),
            AppError::Internal(error) => write!(formatter, "{error:#}"),
        }
    }
}

impl std::error::Error for AppError {}

impl From<DieselError> for AppError {
    fn from(error: DieselError) -> AppError {
        AppError::Database(error)
    }
}

impl From<anyhow::Error> for AppError {
    fn from(error: anyhow::Error) -> AppError {
        AppError::Internal(error)
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
            cause if cause.is_unavailable() => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::OK,
        }
    }

    /// Attaches the refusal to the response; the middleware around all calls, which knows the user's language, renders it.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status_code());
        let refusal = match self {
            AppError::Answer(refusal) => refusal.clone(),
            AppError::Unauthorized => Refusal { code: Code::SignInAgain, data: Value::Null },
            cause if cause.is_unavailable() => {
                tracing::warn!(%cause, "a call failed");
                Refusal { code: Code::Unavailable, data: json!({ "RetryAfterMs": RETRY_LOST_AFTER_MS }) }
            }
            cause => {
                tracing::error!(%cause, "a call failed");
                Refusal { code: Code::Internal, data: Value::Null }
            }
        };
        response.extensions_mut().insert(refusal);
        response
    }
}
