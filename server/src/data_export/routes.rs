//! The call that exports an account's data: one JSON object, streamed part by part.
use crate::data_export::rows::{Part, Section};
use crate::data_export::sections::section_at;
use crate::error::AppError;
use crate::http::request::SignedIn;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use crate::users::attempts::hit_all;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use actix_web::{HttpResponse, post, web};
use futures_util::stream::try_unfold;
use postern_core::account::EXPORTS_PER_USER;
use postern_core::security_log::SecurityKind;

/// The position of an export: section, last row, and whether it has begun.
struct Position {
    section: usize,
    after: i64,
    is_first: bool,
}

/// Exports all data that the shop stores about the account as one JSON file. It has a list of objects for each kind of data, oldest first, with times
/// in UTC. Passwords, tokens, keys and single usage records (`Usage/ExportUsage`) are left out.
#[utoipa::path(responses((status = 200, content((HashMap<String, Vec<HashMap<String, Value>>> = "application/json")))))]
#[post("/User/ExportData")]
pub async fn export_data(app: web::Data<App>, who: SignedIn, visitor: Visitor) -> Result<HttpResponse, AppError> {
    hit_all(&app, vec![(format!("export of {}", who.user_id), EXPORTS_PER_USER)]).await?;
    let (account_id, now) = (who.account_id, app.clock.now());
    let note = move |conn: &mut _| security_log::note_own(conn, &who, SecurityKind::DataExported, &visitor, "", now);
    app.db.write(note).await?;
    let begin = Some(Position { section: 0, after: 0, is_first: true });
    let parts = try_unfold((begin, app), move |(place, app)| async move {
        let Some(Position { section, after, is_first }) = place else { return Ok(None) };
        let Some(Section { name, load, .. }) = section_at(section) else {
            return Ok(Some((web::Bytes::from_static(b"\n}\n"), (None, app))));
        };
        let Part { rows, next } = app.db.read(move |conn| load(conn, account_id, after)).await?;
        let mut text = String::new();
        if is_first {
            text.push_str(if section == 0 { "{\n" } else { ",\n" });
            text.push_str(&format!("\"{name}\": ["));
        }
        for (index, row) in rows.iter().enumerate() {
            text.push_str(if is_first && index == 0 { "\n" } else { ",\n" });
            text.push_str(&row.to_string());
        }
        let place = match next {
            Some(after) => Position { section, after, is_first: false },
            None => {
                text.push_str("\n]");
                Position { section: section + 1, after: 0, is_first: true }
            }
        };
        Ok::<_, AppError>(Some((web::Bytes::from(text), (Some(place), app))))
    });
    Ok(HttpResponse::Ok()
        .insert_header((CACHE_CONTROL, "no-store"))
        .insert_header((CONTENT_TYPE, "application/json"))
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"account.json\""))
        .streaming(parts))
}
