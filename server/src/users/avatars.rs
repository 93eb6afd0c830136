//! The picture or company logo of an account: uploaded, re-encoded, and shown only to its own users.
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::bodies::{collect, malformed};
use crate::http::request::SignedIn;
use crate::state::App;
use crate::throttle;
use crate::users::types::{AvatarState, UploadAvatar};
use crate::users::{avatar_queries, pictures};
use actix_multipart::Multipart;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use futures_util::StreamExt;
use futures_util::stream;
use postern_core::avatar::{AVATAR_FIELD, AVATAR_MAX_BYTES, AVATARS_PER_ACCOUNT, picture_kind_of_file};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use postern_core::time::to_wire;

type AppData = web::Data<App>;

/// Maximum size of a form besides the file.
const AROUND_BYTES: usize = 16 << 10;

/// Maximum number of form fields besides the file.
const MOST_FIELDS: usize = 8;

/// Replaces the account's picture with an uploaded one: PNG, JPEG or WebP, detected from the content. It is re-encoded, which drops all metadata, and
/// scaled to fit a square of 256 pixels.
#[utoipa::path(request_body(content = UploadAvatar, content_type = "multipart/form-data"), responses((status = 200, body = Answer<AvatarState>)))]
#[post("/User/UploadAvatar")]
pub async fn upload_avatar(
    app: AppData,
    who: SignedIn,
    request: HttpRequest,
    payload: web::Payload,
) -> Answered<AvatarState> {
    let body = collect(payload.into_inner(), AVATAR_MAX_BYTES + AROUND_BYTES).await?;
    let file = file_of(&request, body).await?;
    picture_kind_of_file(&file)?;
    let (now, bucket) = (app.clock.now(), format!("pictures of account {}", who.account_id));
    app.db.write(move |conn| throttle::hit(conn, &bucket, AVATARS_PER_ACCOUNT, now)).await?;
    let png = app.costly.files.of_account(who.account_id).run(move || pictures::encoded(&file)).await??;
    app.db.write(move |conn| avatar_queries::keep(conn, who.account_id, &png, now)).await?;
    answer(AvatarState { avatar_changed_at: Some(to_wire(now)) })
}

/// Removes the account's picture.
#[utoipa::path(responses((status = 200, body = Answer<AvatarState>)))]
#[post("/User/DeleteAvatar")]
pub async fn delete_avatar(app: AppData, who: SignedIn) -> Answered<AvatarState> {
    app.db.write(move |conn| avatar_queries::delete(conn, who.account_id)).await?;
    answer(AvatarState { avatar_changed_at: None })
}

/// Returns the account's picture as PNG; 3004 if there is none.
#[utoipa::path(responses((status = 200, body = String, content_type = "image/png")))]
#[get("/User/GetAvatar")]
pub async fn get_avatar(app: AppData, who: SignedIn) -> Result<HttpResponse, AppError> {
    let png = app.db.read(move |conn| avatar_queries::find(conn, who.account_id)).await?;
    let png = png.ok_or_else(|| AppError::code(Code::NotFound))?;
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "image/png"))
        .insert_header((CONTENT_DISPOSITION, "inline; filename=\"avatar.png\""))
        .body(png))
}

/// The field `file` of a form.
async fn file_of(request: &HttpRequest, body: Bytes) -> Result<Vec<u8>, AppError> {
    let whole = stream::iter([Ok::<_, actix_web::error::PayloadError>(body)]);
    let mut form = Multipart::new(request.headers(), whole);
    let wrong = |error: actix_multipart::MultipartError| malformed(&error.to_string());
    for _ in 0..MOST_FIELDS {
        let Some(field) = form.next().await else { break };
        let mut field = field.map_err(wrong)?;
        let is_file = field.name() == Some("file");
        let mut content = Vec::new();
        while let Some(piece) = field.next().await {
            let piece = piece.map_err(wrong)?;
            if is_file {
                content.extend_from_slice(&piece);
            }
        }
        if is_file {
            return Ok(content);
        }
    }
    Err(FieldErrors::one(AVATAR_FIELD, Rule::Required, &[]).into())
}
