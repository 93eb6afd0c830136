//! The calls of the group `Endpoints`: proxy servers, presets and list URLs.
use crate::endpoint_lists::queries::{self, NewList};
use crate::endpoint_lists::types::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn, Write, once_sealed};
use crate::ledger::lock_wallet;
use crate::security::{new_token, sha256};
use crate::state::App;
use actix_web::{post, web};
use postern_core::endpoint::{MAX_LIST_URLS, MAX_PRESETS, check_preset_name, check_settings};
use postern_core::field_errors::FieldErrors;
use postern_core::rule::Rule;
use serde_json::Value;

type AppData = web::Data<App>;

fn full(max: i64) -> AppError {
    FieldErrors::one("Name", Rule::TooManyItems, &[("Max", max.to_string())]).into()
}

/// Lists the proxy servers for residential traffic.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ServerView>>)))]
#[post("/Endpoints/GetServerList")]
pub async fn get_server_list(app: AppData, _who: SignedIn) -> Answered<Vec<ServerView>> {
    answer(app.db.read(queries::servers).await?)
}

/// Lists the presets of the endpoint generator, by name.
#[utoipa::path(responses((status = 200, body = Answer<Vec<PresetView>>)))]
#[post("/Endpoints/GetPresetList")]
pub async fn get_preset_list(app: AppData, who: SignedIn) -> Answered<Vec<PresetView>> {
    answer(app.db.read(move |conn| queries::presets(conn, who.account_id)).await?)
}

/// Saves settings of the endpoint generator as a preset. A preset with this name is replaced.
#[utoipa::path(request_body = SavePreset, responses((status = 200, body = Answer<Vec<PresetView>>)))]
#[post("/Endpoints/SavePreset")]
pub async fn save_preset(app: AppData, who: SignedIn, Body(preset): Body<SavePreset>) -> Answered<Vec<PresetView>> {
    let now = app.clock.now();
    let name = check_preset_name(&preset.name)?;
    let saved = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        check_settings(&preset.settings, &queries::server(conn, preset.settings.server_id)?)?;
        queries::save_preset(conn, who.account_id, &name, &preset.settings, now)?;
        if queries::counts(conn, who.account_id, now)?.0 > MAX_PRESETS {
            return Err(full(MAX_PRESETS));
        }
        queries::presets(conn, who.account_id)
    });
    answer(saved.await?)
}

/// Deletes a preset.
#[utoipa::path(request_body = PresetRef, responses((status = 200, body = Answer<Vec<PresetView>>)))]
#[post("/Endpoints/DeletePreset")]
pub async fn delete_preset(app: AppData, who: SignedIn, Body(preset): Body<PresetRef>) -> Answered<Vec<PresetView>> {
    let deleted = app.db.write(move |conn| {
        queries::delete_preset(conn, who.account_id, preset.preset_id)?;
        queries::presets(conn, who.account_id)
    });
    answer(deleted.await?)
}

/// Lists the list URLs with their last use, newest first.
#[utoipa::path(responses((status = 200, body = Answer<Vec<UrlView>>)))]
#[post("/Endpoints/GetUrlList")]
pub async fn get_url_list(app: AppData, who: SignedIn) -> Answered<Vec<UrlView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::urls(conn, who.account_id, now)).await?)
}

/// Creates a URL from which a script fetches a list of endpoints with the password of the proxy user.
///
/// `Url` is returned only here. A URL that was created with an API key ends with the key. A list with sticky sessions returns the same sessions on every fetch.
#[utoipa::path(request_body = CreateUrl, responses((status = 200, body = Answer<NewUrl>)))]
#[post("/Endpoints/CreateUrl")]
pub async fn create_url(app: AppData, who: SignedIn, write: Write<CreateUrl>) -> Answered<Value> {
    let now = app.clock.now();
    let name = check_preset_name(&write.body.name)?;
    let (public_url, key) = (app.config.public_url.clone(), app.key.clone());
    let created = app.db.write(move |conn| {
        let CreateUrl { proxy_user_id, settings, .. } = &write.body;
        lock_wallet(conn, who.account_id)?;
        once_sealed(conn, &key, who.account_id, &write.repeat, now, |conn| {
            queries::proxy_user_name(conn, who.account_id, *proxy_user_id)?;
            check_settings(settings, &queries::server(conn, settings.server_id)?)?;
            if queries::counts(conn, who.account_id, now)?.1 >= MAX_LIST_URLS {
                return Err(full(MAX_LIST_URLS));
            }
            let token = new_token();
            let new = NewList {
                account_id: who.account_id,
                api_key_id: who.api_key_id(),
                proxy_user_id: *proxy_user_id,
                name: &name,
                token_sha256: &sha256(&token),
                settings,
            };
            let url_id = queries::insert_url(conn, &new, now)?;
            Ok(NewUrl { url_id, url: format!("{}/lists/{token}", public_url.trim_end_matches('/')) })
        })
    });
    answer(created.await?)
}

/// Revokes a list URL: it then returns 404.
#[utoipa::path(request_body = UrlRef, responses((status = 200, body = Answer<Vec<UrlView>>)))]
#[post("/Endpoints/RevokeUrl")]
pub async fn revoke_url(app: AppData, who: SignedIn, Body(url): Body<UrlRef>) -> Answered<Vec<UrlView>> {
    let now = app.clock.now();
    let revoked = app.db.write(move |conn| {
        queries::revoke_url(conn, who.account_id, url.url_id)?;
        queries::urls(conn, who.account_id, now)
    });
    answer(revoked.await?)
}
