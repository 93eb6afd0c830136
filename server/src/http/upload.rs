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
use utoipa::ToSchema;

/// Maximum size of a form besides the file: boundaries, headers, preamble and epilogue.
const FORM_MAX_BYTES: usize = 16 << 10;

/// An upload form with the file as its only field.
#[allow(dead_code)]
#[derive(ToSchema)]
pub struct UploadForm {
    /// The file, with its name.
    #[schema(value_type = String, format = Binary)]
    pub file: Vec<u8>,
}

/// An uploaded file, not validated yet.
pub struct Upload {
    pub name: String,
    pub content: Bytes,
}

/// A piece of a form: first the name of its file, then the content as it arrives.
pub enum Piece<'p> {
    Name(&'p str),
    Content(&'p [u8]),
}

/// Reads the form, with a file of at most this many bytes.
pub async fn read(request: &HttpRequest, payload: Payload, max_bytes: usize) -> Result<Upload, AppError> {
    let (mut file_name, mut content) = (String::new(), BytesMut::new());
    let keep = |piece: Piece<'_>| match piece {
        Piece::Name(name) => name.clone_into(&mut file_name),
        Piece::Content(bytes) => content.extend_from_slice(bytes),
    };
    each_piece(request, payload.into_inner(), max_bytes, keep).await?;
    Ok(Upload { name: file_name, content: content.freeze() })
}

/// Reads the form piece by piece, keeping nothing.
pub async fn each_piece(
    request: &HttpRequest,
    payload: actix_web::dev::Payload,
    max_bytes: usize,
    mut each: impl FnMut(Piece<'_>),
) -> Result<(), AppError> {
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
    let mut form = Multipart::new(request.headers(), bounded(payload, max_bytes + FORM_MAX_BYTES));
    let mut is_found = false;
    while let Some(field) = form.next().await {
        let mut field = field.map_err(wrong)?;
        if field.name() != Some("file") || is_found {
            return Err(malformed("the form has the one field `file`"));
        }
        is_found = true;
        let disposition = field.content_disposition();
        each(Piece::Name(disposition.and_then(|disposition| disposition.get_filename()).unwrap_or_default()));
        let mut read_bytes = 0;
        while let Some(piece) = field.next().await {
            let piece = piece.map_err(wrong)?;
            read_bytes += piece.len();
            if read_bytes > max_bytes {
                return Err(too_large());
            }
            each(Piece::Content(&piece));
        }
    }
    if is_found { Ok(()) } else { Err(malformed("the form has no field `file`")) }
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
