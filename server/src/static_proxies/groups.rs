//! Groups of nodes, made by customers. A node is in at most one group.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::nodes::CHUNK;
use crate::nodes::groups::lock_existing;
use crate::schema::{nodes, plan_groups};
use crate::state::App;
use crate::static_proxies::queries::group_list;
use crate::static_proxies::selection::{BulkResult, NodeSelection};
use crate::static_proxies::types::PlanGroup;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::node_forms::{MAX_GROUPS, PlanGroupForm, plan_group_key, validate_plan_group};
use postern_core::rule::Rule;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use unicode_normalization::UnicodeNormalization;
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct EditGroup {
    pub group_id: i64,
    #[serde(flatten)]
    pub form: PlanGroupForm,
}

#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct GroupRef {
    pub group_id: i64,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AddToGroup {
    pub group_id: i64,
    #[serde(flatten)]
    pub nodes: NodeSelection,
}

/// The number of rows that a call changed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct Changed {
    pub changed: usize,
}

type AppData = web::Data<App>;

/// Refuses a group of another account, and locks it against deletion.
pub fn lock_group(conn: &mut Conn, account_id: i64, group_id: i64) -> Result<(), AppError> {
    lock_existing(conn, account_id, group_id)?.map(|_| ()).ok_or_else(|| AppError::code(Code::NotFound))
}

fn check_name(conn: &mut Conn, account_id: i64, name: &str, besides: Option<i64>) -> Result<(), AppError> {
    let others = plan_groups::table
        .filter(plan_groups::account_id.eq(account_id))
        .filter(plan_groups::id.ne(besides.unwrap_or_default()))
        .select((plan_groups::id, plan_groups::name));
    let names: Vec<(i64, String)> = others.load(conn)?;
    let key = |name: &str| plan_group_key(&name.nfc().collect::<String>());
    let own = key(name);
    if names.iter().any(|(_, other)| key(other) == own) {
        return Err(FieldErrors::one("Name", Rule::GroupNameTaken, &[]).into());
    }
    if besides.is_none() && names.len() >= MAX_GROUPS as usize {
        return Err(FieldErrors::one("Name", Rule::TooManyGroups, &[("Max", MAX_GROUPS.to_string())]).into());
    }
    Ok(())
}

fn find_group(conn: &mut Conn, account_id: i64, group_id: i64) -> Result<PlanGroup, AppError> {
    let found = group_list(conn, account_id)?.into_iter().find(|group| group.group_id == group_id);
    found.ok_or_else(|| AppError::code(Code::NotFound))
}

fn empty_group(conn: &mut Conn, account_id: i64, group_id: i64) -> Result<usize, AppError> {
    let members = nodes::table.filter(nodes::group_id.eq(group_id)).filter(nodes::account_id.eq(account_id));
    Ok(diesel::update(members).set(nodes::group_id.eq(None::<i64>)).execute(conn)?)
}

fn set_group(
    conn: &mut Conn,
    account_id: i64,
    selection: &NodeSelection,
    group_id: Option<i64>,
    now: NaiveDateTime,
) -> Result<BulkResult, AppError> {
    let selected = selection.resolve(conn, account_id, now)?;
    let mut changed = 0;
    for chunk in selected.ids.chunks(CHUNK) {
        let own = nodes::table.filter(nodes::id.eq_any(chunk)).filter(nodes::account_id.eq(account_id));
        changed += diesel::update(own).set(nodes::group_id.eq(group_id)).execute(conn)?;
    }
    Ok(BulkResult { changed, failed: selected.failed })
}

/// Lists the account's groups with their number of nodes.
#[utoipa::path(responses((status = 200, body = Answer<Vec<PlanGroup>>)))]
#[post("/Ips/GetUserPlanGroupList")]
pub async fn get_user_plan_group_list(app: AppData, who: SignedIn) -> Answered<Vec<PlanGroup>> {
    answer(app.db.read(move |conn| group_list(conn, who.account_id)).await?)
}

/// Creates a group. Names are unique within the account, ignoring case.
#[utoipa::path(request_body = PlanGroupForm, responses((status = 200, body = Answer<PlanGroup>)))]
#[post("/Ips/AddUserPlanGroup")]
pub async fn add_user_plan_group(app: AppData, who: SignedIn, write: Write<PlanGroupForm>) -> Answered<Value> {
    let form = validate_plan_group(&write.body)?;
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| {
            check_name(conn, who.account_id, &form.name, None)?;
            let row = (
                plan_groups::account_id.eq(who.account_id),
                plan_groups::name.eq(&form.name),
                plan_groups::colour.eq(&form.colour),
                plan_groups::note.eq(&form.note),
                plan_groups::created_at.eq(now),
            );
            let id = diesel::insert_into(plan_groups::table).values(row).returning(plan_groups::id).get_result(conn)?;
            find_group(conn, who.account_id, id)
        })
    });
    answer(added.await?)
}

/// Updates a group's name, colour and note.
#[utoipa::path(request_body = EditGroup, responses((status = 200, body = Answer<PlanGroup>)))]
#[post("/Ips/EditUserPlanGroup")]
pub async fn edit_user_plan_group(app: AppData, who: SignedIn, Body(edit): Body<EditGroup>) -> Answered<PlanGroup> {
    let form = validate_plan_group(&edit.form)?;
    let edited = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        lock_group(conn, who.account_id, edit.group_id)?;
        check_name(conn, who.account_id, &form.name, Some(edit.group_id))?;
        diesel::update(plan_groups::table.find(edit.group_id))
            .set((
                plan_groups::name.eq(&form.name),
                plan_groups::colour.eq(&form.colour),
                plan_groups::note.eq(&form.note),
            ))
            .execute(conn)?;
        find_group(conn, who.account_id, edit.group_id)
    });
    answer(edited.await?)
}

/// Deletes a group. Its nodes are kept, without a group.
#[utoipa::path(request_body = GroupRef, responses((status = 200, body = Answer<Changed>)))]
#[post("/Ips/DeleteUserPlanGroup")]
pub async fn delete_user_plan_group(app: AppData, who: SignedIn, Body(group): Body<GroupRef>) -> Answered<Changed> {
    let deleted = app.db.write(move |conn| {
        lock_group(conn, who.account_id, group.group_id)?;
        let changed = empty_group(conn, who.account_id, group.group_id)?;
        diesel::delete(plan_groups::table.find(group.group_id)).execute(conn)?;
        Ok(Changed { changed })
    });
    answer(deleted.await?)
}

/// Removes all nodes from a group; the group is kept.
#[utoipa::path(request_body = GroupRef, responses((status = 200, body = Answer<Changed>)))]
#[post("/Ips/ClearUserPlanGroupAllNode")]
pub async fn clear_user_plan_group_all_node(
    app: AppData,
    who: SignedIn,
    Body(group): Body<GroupRef>,
) -> Answered<Changed> {
    let cleared = app.db.write(move |conn| {
        lock_group(conn, who.account_id, group.group_id)?;
        Ok(Changed { changed: empty_group(conn, who.account_id, group.group_id)? })
    });
    answer(cleared.await?)
}

/// Removes the selected nodes from their groups.
#[utoipa::path(request_body = NodeSelection, responses((status = 200, body = Answer<BulkResult>)))]
#[post("/Ips/ClearUserPlanGroup")]
pub async fn clear_user_plan_group(
    app: AppData,
    who: SignedIn,
    Body(selection): Body<NodeSelection>,
) -> Answered<BulkResult> {
    let now = app.clock.now();
    answer(app.db.write(move |conn| set_group(conn, who.account_id, &selection, None, now)).await?)
}

/// Moves the selected nodes into a group.
#[utoipa::path(request_body = AddToGroup, responses((status = 200, body = Answer<BulkResult>)))]
#[post("/Ips/AddToGroup")]
pub async fn add_to_group(app: AppData, who: SignedIn, Body(add): Body<AddToGroup>) -> Answered<BulkResult> {
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        lock_group(conn, who.account_id, add.group_id)?;
        set_group(conn, who.account_id, &add.nodes, Some(add.group_id), now)
    });
    answer(added.await?)
}
