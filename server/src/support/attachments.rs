//! Attachments of the support chat: upload and download.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, Repeat, SignedIn, once};
use crate::http::upload::{self, UploadForm};
use crate::state::App;
use crate::support::files::{self, Reader};
use crate::support::types::*;
use crate::throttle;
use actix_web::body::SizedStream;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::web::{Bytes, Payload};
use actix_web::{HttpRequest, HttpResponse, post, web};
use futures_util::stream::try_unfold;
use postern_core::support::attachment::{MAX_BYTES, UPLOADS, check_attachment};
use serde_json::Value;

/// A file is read as it is sent, this many bytes at a time.
const PIECE_BYTES: usize = 256 << 10;

/// Uploads a file to send with a message: PNG, JPEG, WebP, PDF, TXT, LOG or CSV, up to 5 MB. The type is detected from the content.
///
/// A file that is not sent within 24 hours is deleted.
#[utoipa::path(request_body(content = UploadForm, content_type = "multipart/form-data"), responses((status = 200, body = Answer<AttachmentView>)))]
#[post("/Support/UploadAttachment")]
pub async fn upload_attachment(
    app: web::Data<App>,
    who: SignedIn,
    request: HttpRequest,
    payload: Payload,
) -> Answered<Value> {
    let key = Repeat::asked(&request)?;
    // Held in memory until it is written.
    let Some(slot) = app.support.begin_upload(who.account_id) else {
        return Err(AppError::too_many(1_000));
    };
    let file = upload::read(&request, payload, MAX_BYTES).await?;
    let path = request.path().to_owned();
    let judge = move || {
        let judged = check_attachment(&file.name, &file.content)?;
        let repeat = Repeat::of_file(key, &path, &file.name, &file.content);
        Ok::<_, AppError>((judged, repeat, file.content))
    };
    let (judged, repeat, content) = app.costly.files.of_account(who.account_id).run(judge).await??;
    let now = app.clock.now();
    let kept = app.db.write(move |conn| {
        once(conn, who.account_id, &repeat, now, |conn| {
            throttle::hit(conn, &format!("uploads of {}", who.user_id), UPLOADS, now)?;
            files::insert(conn, who.user_id, &judged, &content, now)
        })
    });
    let kept = kept.await?;
    drop(slot);
    answer(kept)
}

/// Returns a file of a message. Pictures may be displayed inline; all other files are sent as downloads.
#[utoipa::path(
    request_body = AttachmentRef,
    responses((status = 200, content( (String = "image/png"), (String = "image/jpeg"), (String = "image/webp"), (String = "application/pdf"), (String = "text/plain") )))
)]
#[post("/Support/GetAttachment")]
pub async fn get_attachment(
    app: web::Data<App>,
    who: SignedIn,
    Body(asked): Body<AttachmentRef>,
) -> Result<HttpResponse, AppError> {
    let reader = Reader { user_id: who.user_id, only: who.sees_only("Operator/GetConversation") };
    let id = asked.attachment_id;
    let (name, kind, bytes) = app.db.read(move |conn| files::about(conn, &reader, id)).await?;
    let bytes = u64::try_from(bytes).map_err(|_| AppError::internal("a file has a negative size"))?;
    let pieces = try_unfold((0, app), move |(offset, app)| async move {
        if offset >= bytes {
            return Ok::<_, AppError>(None);
        }
        let piece = app.db.read(move |conn| files::piece(conn, &reader, id, offset, PIECE_BYTES)).await?;
        let read = piece.len() as u64;
        Ok((read > 0).then(|| (Bytes::from(piece), (offset + read, app))))
    });
    let how = if kind.is_image() { "inline" } else { "attachment" };
    // The plain file name is for clients that do not support `filename*`.
    let plain = kind.extensions()[0];
    let disposition = format!("{how}; filename=\"attachment.{plain}\"; filename*=UTF-8''{}", percent_encoded(&name));
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "private, no-store"))
        .insert_header((CONTENT_TYPE, kind.content_type()))
        .insert_header((CONTENT_DISPOSITION, disposition))
        .insert_header((CONTENT_SECURITY_POLICY, "default-src 'none'; sandbox"))
        .body(SizedStream::new(bytes, pieces)))
}

/// Percent-encodes a file name by RFC 5987.
fn percent_encoded(name: &str) -> String {
    name.bytes().fold(String::new(), |encoded, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded + &char::from(byte).to_string()
        } else {
            encoded + &format!("%{byte:02X}")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_in_headers_are_escaped() {
        assert_eq!(percent_encoded("a b\"\r\n.png"), "a%20b%22%0D%0A.png");
        assert_eq!(percent_encoded("密.txt"), "%E5%AF%86.txt");
    }
}
