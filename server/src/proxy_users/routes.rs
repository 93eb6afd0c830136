//! The calls about proxy users.
use crate::db::Conn;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn, Write, once_sealed};
use crate::proxy_users::names::counting_taken;
use crate::proxy_users::queries;
use crate::proxy_users::types::{
    ChangeProxyUserPassword, EditProxyUser, ProxyUserPassword, ProxyUserRef, ProxyUserSelection, ProxyUserView,
    ProxyUserWithPassword, ProxyUsersChanged,
};
use crate::security::{SecretKey, random};
use crate::state::App;
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::node_password;
use postern_core::code::Code;
use postern_core::proxy_user::ProxyUserEvent;
use postern_core::proxy_user_form::{ProxyUserForm, validate_new_password, validate_proxy_user};
use serde_json::Value;

type AppData = web::Data<App>;

/// Lists the account's proxy users with their limits and usage. `Search` matches part of a name or note; filters by `State` and `Country`; sorts by
/// `Name`, `UsedBytes`, `LastUsedAt`, `CreatedAt` and `ExpiresAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<ProxyUserView>>)))]
#[post("/ProxyUsers/GetProxyUserList")]
pub async fn get_proxy_user_list(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<ProxyUserView>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| queries::list(conn, who.account_id, &list, now)).await?)
}

/// Adds a proxy user. If no password is given, one is generated. Names are unique in the shop; an account that meets too many taken ones has to wait
/// (4290).
#[utoipa::path(request_body = ProxyUserForm, responses((status = 200, body = Answer<ProxyUserWithPassword>)))]
#[post("/ProxyUsers/AddProxyUser")]
pub async fn add_proxy_user(app: AppData, who: SignedIn, write: Write<ProxyUserForm>) -> Answered<Value> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let user = validate_proxy_user(&write.body, now)?;
    let added = app.db.write(move |conn| {
        let account_id = who.account_id;
        once_sealed(conn, &key, account_id, &write.repeat, now, |conn| {
            let id = queries::add(conn, account_id, &user, &key, now)?;
            with_password(conn, account_id, id, &key, now)
        })
    });
    answer(counting_taken(&app, who.account_id, added).await?)
}

fn with_password(
    conn: &mut Conn,
    account_id: i64,
    id: i64,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<ProxyUserWithPassword, AppError> {
    let proxy_user = queries::view(conn, account_id, id, now)?;
    Ok(ProxyUserWithPassword { proxy_user, password: queries::password_of(conn, account_id, id, key)? })
}

/// Edits a proxy user; the password stays unchanged. If the new limit is at or below the usage, the proxy user is exhausted at once; a higher limit
/// reactivates it. Changing the cycle starts a new one at once and resets the usage to zero.
#[utoipa::path(request_body = EditProxyUser, responses((status = 200, body = Answer<ProxyUserView>)))]
#[post("/ProxyUsers/EditProxyUser")]
pub async fn edit_proxy_user(app: AppData, who: SignedIn, Body(edit): Body<EditProxyUser>) -> Answered<ProxyUserView> {
    let now = app.clock.now();
    let edited = app.db.write(move |conn| {
        queries::edit(conn, who.account_id, &edit, now)?;
        queries::view(conn, who.account_id, edit.proxy_user_id, now)
    });
    answer(counting_taken(&app, who.account_id, edited).await?)
}

/// Changes the password of a proxy user. The old one can keep working for up to a day.
#[utoipa::path(request_body = ChangeProxyUserPassword, responses((status = 200, body = Answer<ProxyUserWithPassword>)))]
#[post("/ProxyUsers/ChangeProxyUserPassword")]
pub async fn change_proxy_user_password(
    app: AppData,
    who: SignedIn,
    write: Write<ChangeProxyUserPassword>,
) -> Answered<Value> {
    let (now, key) = (app.clock.now(), app.key.clone());
    let changed = app.db.write(move |conn| {
        let (account_id, change) = (who.account_id, &write.body);
        once_sealed(conn, &key, account_id, &write.repeat, now, |conn| {
            let row = queries::lock_own(conn, account_id, change.proxy_user_id)?;
            let password = validate_new_password(&row.name, &change.password, change.old_valid_minutes)?;
            let password = password.unwrap_or_else(|| node_password(random()));
            let until = now + TimeDelta::minutes(i64::from(change.old_valid_minutes));
            queries::set_password(conn, &row, &password, (until > now).then_some(until), &key, now)?;
            with_password(conn, account_id, change.proxy_user_id, &key, now)
        })
    });
    answer(changed.await?)
}

/// Returns the password of a proxy user.
#[utoipa::path(request_body = ProxyUserRef, responses((status = 200, body = Answer<ProxyUserPassword>)))]
#[post("/ProxyUsers/RevealProxyUserPassword")]
pub async fn reveal_proxy_user_password(
    app: AppData,
    who: SignedIn,
    Body(user): Body<ProxyUserRef>,
) -> Answered<ProxyUserPassword> {
    let key = app.key.clone();
    let found = app.db.read(move |conn| queries::password_of(conn, who.account_id, user.proxy_user_id, &key));
    answer(ProxyUserPassword { password: found.await? })
}

async fn change(
    app: &App,
    who: SignedIn,
    selection: ProxyUserSelection,
    event: ProxyUserEvent,
) -> Answered<ProxyUsersChanged> {
    if selection.proxy_user_ids.is_empty() {
        return Err(AppError::code(Code::NotFound));
    }
    let now = app.clock.now();
    let ids = selection.proxy_user_ids;
    answer(app.db.write(move |conn| queries::change(conn, who.account_id, &ids, event, now)).await?)
}

/// Pauses proxy users: they cannot connect until they are resumed.
#[utoipa::path(request_body = ProxyUserSelection, responses((status = 200, body = Answer<ProxyUsersChanged>)))]
#[post("/ProxyUsers/PauseProxyUsers")]
pub async fn pause_proxy_users(
    app: AppData,
    who: SignedIn,
    Body(selection): Body<ProxyUserSelection>,
) -> Answered<ProxyUsersChanged> {
    change(&app, who, selection, ProxyUserEvent::Pause).await
}

/// Resumes paused proxy users. Those that have used up their limit become exhausted.
#[utoipa::path(request_body = ProxyUserSelection, responses((status = 200, body = Answer<ProxyUsersChanged>)))]
#[post("/ProxyUsers/ResumeProxyUsers")]
pub async fn resume_proxy_users(
    app: AppData,
    who: SignedIn,
    Body(selection): Body<ProxyUserSelection>,
) -> Answered<ProxyUsersChanged> {
    change(&app, who, selection, ProxyUserEvent::Resume).await
}

/// Deletes proxy users with their whitelisted addresses and list URLs. Their usage stays in the charts.
#[utoipa::path(request_body = ProxyUserSelection, responses((status = 200, body = Answer<ProxyUsersChanged>)))]
#[post("/ProxyUsers/DeleteProxyUsers")]
pub async fn delete_proxy_users(
    app: AppData,
    who: SignedIn,
    Body(selection): Body<ProxyUserSelection>,
) -> Answered<ProxyUsersChanged> {
    change(&app, who, selection, ProxyUserEvent::Delete).await
}

/// Resets the usage of proxy users to zero. Exhausted ones can connect again; the total stays unchanged.
#[utoipa::path(request_body = ProxyUserSelection, responses((status = 200, body = Answer<ProxyUsersChanged>)))]
#[post("/ProxyUsers/ResetProxyUsers")]
pub async fn reset_proxy_users(
    app: AppData,
    who: SignedIn,
    Body(selection): Body<ProxyUserSelection>,
) -> Answered<ProxyUsersChanged> {
    change(&app, who, selection, ProxyUserEvent::Reset).await
}
