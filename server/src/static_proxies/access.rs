//! Access to nodes: credentials and access mode.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn};
use crate::ledger::lock_wallet;
use crate::nodes::CHUNK;
use crate::schema::{nodes, plans, white_list};
use crate::security::{SecretKey, random};
use crate::state::App;
use crate::static_proxies::selection::{BulkResult, NodeSelection};
use actix_web::{post, web};
use chrono::{NaiveDateTime, TimeDelta};
use postern_core::account::{node_password, node_user_name};
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::node::{AccessMode, MAX_KEEP_OLD_HOURS};
use postern_core::node_forms::{NodeAccountForm, validate_node_account};
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// New credentials for the selected nodes. Absent or empty fields stay unchanged; with `Generate` each node gets newly generated ones instead.
#[derive(Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase", default)]
pub struct EditNodeAccount {
    #[serde(flatten)]
    pub nodes: NodeSelection,
    #[serde(flatten)]
    pub account: NodeAccountForm,
    #[schema(required = false)]
    pub generate: bool,
    /// How long the old credentials keep working, in hours.
    #[schema(required = false)]
    pub keep_old_hours: u32,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct PlanRef {
    pub ver_str: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UpdateVerUserPass {
    pub ver_str: String,
    #[serde(flatten)]
    pub account: NodeAccountForm,
    /// How long the old credentials keep working, in hours.
    #[serde(default)]
    #[schema(required = false)]
    pub keep_old_hours: u32,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct UpdateVerAuth {
    pub ver_str: String,
    #[schema(value_type = AccessMode)]
    pub access_mode: String,
}

/// The access settings of a plan's nodes.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct VerAuth {
    pub ver_str: String,
    pub access_mode: AccessMode,
    /// Empty while every node has its own credentials.
    pub user_name: String,
    pub password: String,
    pub old_user_name: Option<String>,
    pub old_valid_until: Option<String>,
    pub white_list_count: i64,
    pub node_count: i64,
}

type AppData = web::Data<App>;

fn old_until(hours: u32, now: NaiveDateTime) -> Result<Option<NaiveDateTime>, AppError> {
    if hours > MAX_KEEP_OLD_HOURS {
        return Err(FieldErrors::one("KeepOldHours", Rule::Max, &[("Max", MAX_KEEP_OLD_HOURS.to_string())]).into());
    }
    Ok((hours > 0).then(|| now + TimeDelta::hours(i64::from(hours))))
}

/// Stores the nodes' current credentials as old ones, which keep working for a while.
fn keep_old(conn: &mut Conn, ids: &[i64], until: Option<NaiveDateTime>) -> Result<(), AppError> {
    let these = nodes::table.filter(nodes::id.eq_any(ids));
    match until {
        Some(until) => diesel::update(these)
            .set((
                nodes::old_user_name.eq(nodes::user_name),
                nodes::old_password_sealed.eq(nodes::password_sealed),
                nodes::old_valid_until.eq(until),
            ))
            .execute(conn)?,
        None => diesel::update(these)
            .set((
                nodes::old_user_name.eq(None::<String>),
                nodes::old_password_sealed.eq(None::<String>),
                nodes::old_valid_until.eq(None::<NaiveDateTime>),
            ))
            .execute(conn)?,
    };
    Ok(())
}

fn edit_accounts(
    conn: &mut Conn,
    account_id: i64,
    edit: &EditNodeAccount,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<BulkResult, AppError> {
    let until = old_until(edit.keep_old_hours, now)?;
    let selected = edit.nodes.resolve(conn, account_id, now)?;
    for chunk in selected.ids.chunks(CHUNK) {
        keep_old(conn, chunk, until)?;
        if edit.generate {
            for node_id in chunk {
                let sealed = key.seal(&node_password(random())).map_err(AppError::Internal)?;
                let made = (nodes::user_name.eq(node_user_name(random())), nodes::password_sealed.eq(sealed));
                diesel::update(nodes::table.find(node_id)).set(made).execute(conn)?;
            }
        } else {
            set_credentials(conn, chunk, &edit.account, key)?;
        }
    }
    Ok(BulkResult { changed: selected.ids.len(), failed: selected.failed })
}

fn set_credentials(conn: &mut Conn, ids: &[i64], account: &NodeAccountForm, key: &SecretKey) -> Result<(), AppError> {
    if !account.user_name.is_empty() {
        let these = nodes::table.filter(nodes::id.eq_any(ids));
        diesel::update(these).set(nodes::user_name.eq(&account.user_name)).execute(conn)?;
    }
    if !account.password.is_empty() {
        let sealed = key.seal(&account.password).map_err(AppError::Internal)?;
        let these = nodes::table.filter(nodes::id.eq_any(ids));
        diesel::update(these).set(nodes::password_sealed.eq(sealed)).execute(conn)?;
    }
    Ok(())
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = plans)]
struct PlanAccess {
    id: i64,
    access_mode: AccessMode,
    user_name: Option<String>,
    password_sealed: Option<String>,
    old_user_name: Option<String>,
    old_valid_until: Option<NaiveDateTime>,
}

fn find_plan(conn: &mut Conn, account_id: i64, ver_str: &str) -> Result<PlanAccess, AppError> {
    let own = plans::table.filter(plans::account_id.eq(account_id)).filter(plans::ver_str.eq(ver_str));
    let found = own.select(PlanAccess::as_select()).first(conn).optional()?;
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

fn ver_auth(
    conn: &mut Conn,
    account_id: i64,
    ver_str: &str,
    key: &SecretKey,
    now: NaiveDateTime,
) -> Result<VerAuth, AppError> {
    let plan = find_plan(conn, account_id, ver_str)?;
    let entries = white_list::table.filter(white_list::account_id.eq(account_id));
    let white_list_count = entries.filter(white_list::ver_str.eq(ver_str)).count().get_result(conn)?;
    let node_count = nodes::table.filter(nodes::plan_id.eq(plan.id)).count().get_result(conn)?;
    let password = plan.password_sealed.map(|sealed| key.open(&sealed)).transpose().map_err(AppError::Internal)?;
    let old_is_valid = plan.old_valid_until.is_some_and(|until| until > now);
    Ok(VerAuth {
        ver_str: ver_str.to_owned(),
        access_mode: plan.access_mode,
        user_name: plan.user_name.unwrap_or_default(),
        password: password.unwrap_or_default(),
        old_user_name: plan.old_user_name.filter(|_| old_is_valid),
        old_valid_until: plan.old_valid_until.filter(|_| old_is_valid).map(to_wire),
        white_list_count,
        node_count,
    })
}

/// Changes the user name and password of nodes.
#[utoipa::path(request_body = EditNodeAccount, responses((status = 200, body = Answer<BulkResult>)))]
#[post("/Ips/UserEditNodeAccount")]
pub async fn user_edit_node_account(
    app: AppData,
    who: SignedIn,
    Body(mut edit): Body<EditNodeAccount>,
) -> Answered<BulkResult> {
    if !edit.generate {
        edit.account = validate_node_account(&edit.account)?;
    }
    let (now, key) = (app.clock.now(), app.key.clone());
    answer(app.db.write(move |conn| edit_accounts(conn, who.account_id, &edit, &key, now)).await?)
}

/// Returns a plan's access settings: access mode, and the shared credentials if the customer has set any.
#[utoipa::path(request_body = PlanRef, responses((status = 200, body = Answer<VerAuth>)))]
#[post("/Ips/UserGetVerAuth")]
pub async fn user_get_ver_auth(app: AppData, who: SignedIn, Body(plan): Body<PlanRef>) -> Answered<VerAuth> {
    let (now, key) = (app.clock.now(), app.key.clone());
    answer(app.db.read(move |conn| ver_auth(conn, who.account_id, &plan.ver_str, &key, now)).await?)
}

/// Sets one shared user name and password for all nodes of a plan, including those bought later.
#[utoipa::path(request_body = UpdateVerUserPass, responses((status = 200, body = Answer<VerAuth>)))]
#[post("/Ips/UpdateVerUserPass")]
pub async fn update_ver_user_pass(
    app: AppData,
    who: SignedIn,
    Body(update): Body<UpdateVerUserPass>,
) -> Answered<VerAuth> {
    let account = validate_node_account(&update.account)?;
    for (field, text) in [("UserName", &account.user_name), ("Password", &account.password)] {
        if text.is_empty() {
            return Err(FieldErrors::one(field, Rule::Required, &[]).into());
        }
    }
    let (now, key) = (app.clock.now(), app.key.clone());
    let until = old_until(update.keep_old_hours, now)?;
    let updated = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        let plan = find_plan(conn, who.account_id, &update.ver_str)?;
        let sealed = key.seal(&account.password).map_err(AppError::Internal)?;
        let kept = until.filter(|_| plan.user_name.is_some());
        diesel::update(plans::table.find(plan.id))
            .set((
                plans::old_user_name.eq(kept.and(plan.user_name)),
                plans::old_password_sealed.eq(kept.and(plan.password_sealed)),
                plans::old_valid_until.eq(kept),
                plans::user_name.eq(&account.user_name),
                plans::password_sealed.eq(&sealed),
            ))
            .execute(conn)?;
        let ids: Vec<i64> = nodes::table.filter(nodes::plan_id.eq(plan.id)).select(nodes::id).load(conn)?;
        for chunk in ids.chunks(CHUNK) {
            keep_old(conn, chunk, until)?;
            let these = nodes::table.filter(nodes::id.eq_any(chunk));
            diesel::update(these)
                .set((nodes::user_name.eq(&account.user_name), nodes::password_sealed.eq(&sealed)))
                .execute(conn)?;
        }
        ver_auth(conn, who.account_id, &update.ver_str, &key, now)
    });
    answer(updated.await?)
}

/// Sets a plan's access mode. `whitelist` is refused while the whitelist is empty, because it would lock everyone out.
#[utoipa::path(request_body = UpdateVerAuth, responses((status = 200, body = Answer<VerAuth>)))]
#[post("/Ips/UpdateVerAuth")]
pub async fn update_ver_auth(app: AppData, who: SignedIn, Body(update): Body<UpdateVerAuth>) -> Answered<VerAuth> {
    let mode = AccessMode::from_wire(&update.access_mode);
    let mode = mode.ok_or_else(|| FieldErrors::one("AccessMode", Rule::UnknownAccessMode, &[]))?;
    let (now, key) = (app.clock.now(), app.key.clone());
    let updated = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        let auth = ver_auth(conn, who.account_id, &update.ver_str, &key, now)?;
        if mode == AccessMode::Whitelist && auth.white_list_count == 0 {
            return Err(FieldErrors::one("AccessMode", Rule::WhitelistEmpty, &[]).into());
        }
        let plan = find_plan(conn, who.account_id, &update.ver_str)?;
        diesel::update(plans::table.find(plan.id)).set(plans::access_mode.eq(mode)).execute(conn)?;
        ver_auth(conn, who.account_id, &update.ver_str, &key, now)
    });
    answer(updated.await?)
}
