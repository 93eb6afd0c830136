//! The calls of the group `ApiKeys`.
use crate::api_keys::queries;
use crate::api_keys::types::{
    AccessToken, ApiKeyRef, ApiKeyView, ApiKeyWithSecret, EditApiKey, Nothing, RevealedToken, TokenRevoked,
};
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{SignedIn, Write, once, once_sealed};
use crate::ledger::lock_wallet;
use crate::security_log;
use crate::security_log::visitor::Visitor;
use crate::state::App;
use actix_web::{post, web};
use postern_core::api_key::{ApiKeyForm, validate_api_key};
use postern_core::code::Code;
use postern_core::security_log::SecurityKind;
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists the account's API keys, newest first; revoked ones are not listed. Secrets are never shown again.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ApiKeyView>>)))]
#[post("/ApiKeys/GetApiKeyList")]
pub async fn get_api_key_list(app: AppData, who: SignedIn) -> Answered<Vec<ApiKeyView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::list(conn, who.account_id, now)).await?)
}

/// Adds an API key, to send in the `Token` header in place of a session token. Its secret is shown once. The key acts for the user who adds it, with
/// the given scopes and at most the rights of the account. Requires a session; API keys cannot make this call.
#[utoipa::path(request_body = ApiKeyForm, responses((status = 200, body = Answer<ApiKeyWithSecret>)))]
#[post("/ApiKeys/AddApiKey")]
pub async fn add_api_key(app: AppData, who: SignedIn, visitor: Visitor, write: Write<ApiKeyForm>) -> Answered<Value> {
    let now = app.clock.now();
    let sealing = app.key.clone();
    let added = app.db.write(move |conn| {
        once_sealed(conn, &sealing, who.account_id, &write.repeat, now, |conn| {
            let key = validate_api_key(&write.body, who.level, now)?;
            let (id, secret) = queries::add(conn, (who.account_id, who.user_id), &key, now)?;
            security_log::note_own(conn, &who, SecurityKind::ApiKeyCreated, &visitor, &key.name, now)?;
            Ok(ApiKeyWithSecret { api_key: queries::view(conn, who.account_id, id, now)?, secret })
        })
    });
    answer(added.await?)
}

/// Changes an API key's name, scopes, addresses and expiry, effective from its next call. Requires a session; API keys cannot make this call.
#[utoipa::path(request_body = EditApiKey, responses((status = 200, body = Answer<ApiKeyView>)))]
#[post("/ApiKeys/EditApiKey")]
pub async fn edit_api_key(app: AppData, who: SignedIn, visitor: Visitor, write: Write<EditApiKey>) -> Answered<Value> {
    let now = app.clock.now();
    let edited = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let EditApiKey { api_key_id, form } = &write.body;
            let key = validate_api_key(form, who.level, now)?;
            queries::edit(conn, who.account_id, *api_key_id, &key)?;
            security_log::note_own(conn, &who, SecurityKind::ApiKeyChanged, &visitor, &key.name, now)?;
            queries::view(conn, who.account_id, *api_key_id, now)
        })
    });
    answer(edited.await?)
}

/// Revokes an API key permanently, effective from its next call. Requires a session; API keys cannot make this call.
#[utoipa::path(request_body = ApiKeyRef, responses((status = 200, body = Answer<ApiKeyRef>)))]
#[post("/ApiKeys/RevokeApiKey")]
pub async fn revoke_api_key(app: AppData, who: SignedIn, visitor: Visitor, write: Write<ApiKeyRef>) -> Answered<Value> {
    let now = app.clock.now();
    let revoked = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let name = queries::view(conn, who.account_id, write.body.api_key_id, now)?.name;
            queries::revoke(conn, who.account_id, write.body.api_key_id, now)?;
            security_log::note_own(conn, &who, SecurityKind::ApiKeyRevoked, &visitor, &name, now)?;
            Ok::<_, AppError>(write.body)
        })
    });
    answer(revoked.await?)
}

/// Returns the access token of the account centre; null if there is none, or the shop does not show it. Requires a session; API keys cannot make this
/// call.
#[utoipa::path(responses((status = 200, body = Answer<RevealedToken>)))]
#[post("/User/RevealAccessToken")]
pub async fn reveal_access_token(app: AppData, who: SignedIn) -> Answered<RevealedToken> {
    let key = app.key.clone();
    let revealed = app.db.read(move |conn| {
        let is_shown = queries::shows_access_token(conn, who.account_id)?;
        if is_shown { queries::access_token(conn, &key, who.account_id) } else { Ok(None) }
    });
    answer(RevealedToken { access_token: revealed.await? })
}

/// Replaces the access token of the account centre, an API key with all scopes of a customer. The old token stops working at once. Refused with 3003
/// if the shop does not show the token. Requires a session; API keys cannot make this call.
#[utoipa::path(responses((status = 200, body = Answer<AccessToken>)))]
#[post("/User/RotateAccessToken")]
pub async fn rotate_access_token(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    write: Write<Nothing>,
) -> Answered<Value> {
    let now = app.clock.now();
    let sealing = app.key.clone();
    let rotated = app.db.write(move |conn| {
        once_sealed(conn, &sealing, who.account_id, &write.repeat, now, |conn| {
            // Hiding the token takes this lock too.
            lock_wallet(conn, who.account_id)?;
            if !queries::shows_access_token(conn, who.account_id)? {
                return Err(AppError::code(Code::NotPermitted));
            }
            let access_token = queries::rotate_access_token(conn, &sealing, who.account_id, now)?;
            security_log::note_own(conn, &who, SecurityKind::AccessTokenRotated, &visitor, "", now)?;
            Ok(AccessToken { access_token })
        })
    });
    answer(rotated.await?)
}

/// Revokes the access token of the account centre, whether or not the shop shows it, effective from its next call; `User/RotateAccessToken` makes a new
/// one. Requires a session; API keys cannot make this call.
#[utoipa::path(responses((status = 200, body = Answer<TokenRevoked>)))]
#[post("/User/RevokeAccessToken")]
pub async fn revoke_access_token(
    app: AppData,
    who: SignedIn,
    visitor: Visitor,
    write: Write<Nothing>,
) -> Answered<Value> {
    let now = app.clock.now();
    let revoked = app.db.write(move |conn| {
        once(conn, who.account_id, &write.repeat, now, |conn| {
            let revoked = queries::revoke_access_token(conn, who.account_id, now)?;
            if revoked {
                security_log::note_own(conn, &who, SecurityKind::AccessTokenRevoked, &visitor, "", now)?;
            }
            Ok::<_, AppError>(TokenRevoked { revoked })
        })
    });
    answer(revoked.await?)
}
