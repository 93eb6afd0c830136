//! Uploaded files: `multipart/form-data` with the one field `file`.
use crate::error::AppError;
use crate::http::bodies::malformed;
use actix_multipart::{Multipart, MultipartError};
use actix_web::error::PayloadError;
use actix_web::web::{Bytes, BytesMut, Payload};
use actix_web::{HttpRequest, http::header::CONTENT_TYPE};
use futures_util::{Stream, StreamExt};
use postern_core::code::Code;
use serde_json::json;
use std::io;

/// Maximum size of a form besides the file: boundaries, headers, preamble and epilogue.
const FORM_MAX_BYTES: usize = 16 << 10;

/// An uploaded file, not validated yet.
pub struct Upload {
    pub name: String,
    pub content: Bytes,
}

/// Reads the form, with a file of at most this many bytes.
pub async fn read(request: &HttpRequest, payload: Payload, max_bytes: usize) -> Result<Upload, AppError> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !kind.trim_start().to_ascii_lowercase().starts_with("multipart/form-data") {
        return Err(malformed("a file is sent as multipart/form-data"));
    }
    let too_large = || AppError::with(Code::BodyTooLarge, json!({ "MaxBytes": max_bytes }));
    let wrong = |error: MultipartError| match error {
        MultipartError::Payload(PayloadError::Overflow) => too_large(),
        MultipartError::Payload(PayloadError::Io(error)) if error.kind() == io::ErrorKind::TimedOut => {
            AppError::code(Code::BodyTooSlow)
        }
        other => malformed(&other.to_string()),
    };
    let mut form = Multipart::new(request.headers(), bounded(payload.into_inner(), max_bytes + FORM_MAX_BYTES));
    let mut found = None;
    while let Some(field) = form.next().await {
        let mut field = field.map_err(wrong)?;
        if field.name() != Some("file") || found.is_some() {
            return Err(malformed("the form has the one field `file`"));
        }
        let disposition = field.content_disposition();
        let name = disposition.and_then(|disposition| disposition.get_filename()).unwrap_or_default().to_owned();
        let mut content = BytesMut::new();
        while let Some(piece) = field.next().await {
            let piece = piece.map_err(wrong)?;
            if content.len() + piece.len() > max_bytes {
                return Err(too_large());
            }
            content.extend_from_slice(&piece);
        }
        found = Some(Upload { name, content: content.freeze() });
    }
    found.ok_or_else(|| malformed("the form has no field `file`"))
}

/// A body that fails after this many bytes.
fn bounded(
    payload: actix_web::dev::Payload,
    max_bytes: usize,
) -> impl Stream<Item = Result<Bytes, PayloadError>> + 'static {
    let mut left = max_bytes;
    payload.map(move |piece| {
        let piece = piece?;
        left = left.checked_sub(piece.len()).ok_or(PayloadError::Overflow)?;
        Ok(piece)
    })
}
