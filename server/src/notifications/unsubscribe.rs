//! Unsubscribe links for mails of one kind. A link is signed and names the user and the kind, so nothing is stored, and it never expires. Mail
//! clients follow it with `POST` (RFC 8058), people through a screen that asks for confirmation.
use crate::db::prelude::*;
use crate::error::AppError;
use crate::notifications::choices;
use crate::notifications::types::{Unsubscribe, Unsubscribed};
use crate::schema::users;
use crate::security::SecretKey;
use crate::state::App;
use actix_web::{HttpResponse, post, web};
use postern_core::code::Code;
use postern_core::event::EventKind;
use postern_core::notification::can_unsubscribe;
use postern_core::referral::masked_email;
use serde::Deserialize;

const PURPOSE: &str = "unsubscribe";

pub fn configure(config: &mut web::ServiceConfig) {
    config.service(one_click);
}

fn signed(user_id: i64, kind: EventKind) -> String {
    format!("{user_id}.{}", kind.as_str())
}

/// The unsubscribe URL for this user and kind.
pub fn link(key: &SecretKey, public_url: &str, user_id: i64, kind: EventKind) -> String {
    let text = signed(user_id, kind);
    let signature = key.sign(PURPOSE, text.as_bytes());
    format!("{}/unsubscribe?token={text}.{signature}", public_url.trim_end_matches('/'))
}

/// The user and kind of a token; `None` if its signature is invalid.
fn read(key: &SecretKey, token: &str) -> Option<(i64, EventKind)> {
    let (text, signature) = token.rsplit_once('.')?;
    if !key.signature_matches(PURPOSE, text.as_bytes(), signature) {
        return None;
    }
    let (user_id, kind) = text.split_once('.')?;
    let kind = EventKind::from_wire(kind).filter(|kind| can_unsubscribe(*kind))?;
    Some((user_id.parse().ok()?, kind))
}

/// Unsubscribes by a link, or in a dry run only returns what it is for.
pub async fn follow(app: &App, asked: Unsubscribe) -> Result<Unsubscribed, AppError> {
    let not_found = || AppError::code(Code::NotFound);
    let (user_id, kind) = read(&app.key, &asked.token).ok_or_else(not_found)?;
    let ended = app.db.write(move |conn| {
        let email: Option<String> = users::table.find(user_id).select(users::email).first(conn).optional()?;
        let email = masked_email(&email.ok_or_else(not_found)?);
        let by_mail = if asked.dry_run {
            choices::choice_of(conn, user_id, kind)?.by_mail
        } else {
            choices::end_mails(conn, user_id, kind)?;
            false
        };
        Ok(Unsubscribed { kind, email, by_mail })
    });
    ended.await
}

#[derive(Deserialize)]
struct Query {
    #[serde(default)]
    token: String,
}

/// The one-click request of mail clients for `List-Unsubscribe-Post`. The body is ignored: the URL has everything.
#[post("/unsubscribe")]
async fn one_click(app: web::Data<App>, query: web::Query<Query>, _body: web::Bytes) -> HttpResponse {
    let asked = Unsubscribe { token: query.into_inner().token, dry_run: false };
    let (mut response, text) = match follow(&app, asked).await {
        Ok(_) => (HttpResponse::Ok(), "Unsubscribed.\n"),
        Err(AppError::Answer(_)) => (HttpResponse::NotFound(), "There is no such link.\n"),
        Err(error) => {
            tracing::error!(%error, "unsubscribing failed");
            (HttpResponse::InternalServerError(), "Something went wrong on our side.\n")
        }
    };
    response.insert_header(("Cache-Control", "no-store")).content_type("text/plain; charset=utf-8").body(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unsubscribe_link_only_works_for_its_user_and_kind() {
        let key = SecretKey::parse(&"0f".repeat(32)).expect("a key");
        let other = SecretKey::parse(&"1f".repeat(32)).expect("a key");
        let link = link(&key, "https://shop.example/", 42, EventKind::WalletLow);
        let token = link.strip_prefix("https://shop.example/unsubscribe?token=").expect("a token");
        assert_eq!(read(&key, token), Some((42, EventKind::WalletLow)));
        assert_eq!(read(&other, token), None);
        for (from, to) in [("42.", "43."), ("wallet.low", "order.paid"), (".", "")] {
            assert_eq!(read(&key, &token.replacen(from, to, 1)), None);
        }
        for kind in [EventKind::NewDevice, EventKind::ProxiesEnded] {
            let text = signed(42, kind);
            let forced = format!("{text}.{}", key.sign(PURPOSE, text.as_bytes()));
            assert_eq!(read(&key, &forced), None, "security is always mailed");
        }
        assert_eq!(read(&key, ""), None);
    }
}
