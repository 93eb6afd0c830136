//! The IP whitelist: addresses that can use a plan's nodes without a password.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page, page_of_rows};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::schema::{plans, white_list};
use crate::state::App;
use crate::static_proxies::groups::Changed;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::list::{CursorKey, WHITE_LIST};
use postern_core::network::{MAX_WHITELIST_ENTRIES, Network, check_whitelist_room, networks, validate_whitelist_entry};
use postern_core::node::AccessMode;
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct AddWhiteList {
    pub ver_str: String,
    /// An IPv4 or IPv6 address, or a CIDR such as `203.0.113.0/24`.
    pub address: String,
    #[serde(default)]
    #[schema(required = false)]
    pub label: String,
}

#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct DelWhite {
    pub white_ids: Vec<i64>,
}

#[derive(Clone, Default, Deserialize, PartialEq, ToSchema)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
pub struct WhiteListFilter {
    #[schema(required = false)]
    pub ver_str: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "PascalCase")]
pub struct WhiteListEntry {
    pub white_id: i64,
    pub ver_str: String,
    pub address: String,
    pub label: String,
    pub created_at: String,
    pub last_used_at: Option<String>,
}

type AppData = web::Data<App>;
type Row = (i64, String, String, String, NaiveDateTime, Option<NaiveDateTime>);

fn entry((white_id, ver_str, address, label, created_at, last_used_at): Row) -> WhiteListEntry {
    WhiteListEntry {
        white_id,
        ver_str,
        address,
        label,
        created_at: to_wire(created_at),
        last_used_at: last_used_at.map(to_wire),
    }
}

fn entries(conn: &mut Conn, account_id: i64, list: &ListRequest) -> Result<Page<WhiteListEntry>, AppError> {
    let filter: WhiteListFilter = list.filters()?;
    let asked = list.asked(&WHITE_LIST)?;
    let narrowed = || {
        let mut query = white_list::table.filter(white_list::account_id.eq(account_id)).into_boxed();
        if let Some(ver_str) = &filter.ver_str {
            query = query.filter(white_list::ver_str.eq(ver_str));
        }
        query
    };
    let page = page_of_rows!(
        conn, asked, |row: Row| narrowed().select((
            white_list::id,
            white_list::ver_str,
            white_list::address,
            white_list::label,
            white_list::created_at,
            white_list::last_used_at,
        )),
        counted: narrowed().select(white_list::id), number: white_list::id => row.0,
        fields: { "Address" => white_list::address, text, CursorKey::Text(row.2.clone()) }
    );
    page.map(entry)
}

/// Lists the whitelist entries. Filters by tier; sorts by `Address` and `CreatedAt`.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<WhiteListEntry>>)))]
#[post("/Ips/GetMyWhiteList")]
pub async fn get_my_white_list(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<WhiteListEntry>> {
    answer(app.db.read(move |conn| entries(conn, who.account_id, &list)).await?)
}

fn add(
    conn: &mut Conn,
    account_id: i64,
    entry_for: &AddWhiteList,
    network: Network,
    now: NaiveDateTime,
) -> Result<WhiteListEntry, AppError> {
    let AddWhiteList { ver_str, label, .. } = entry_for;
    let plan = plans::table.filter(plans::account_id.eq(account_id)).filter(plans::ver_str.eq(ver_str));
    if plan.select(plans::id).first::<i64>(conn).optional()?.is_none() {
        return Err(AppError::code(Code::NotFound));
    }
    let of_plan =
        white_list::table.filter(white_list::account_id.eq(account_id)).filter(white_list::ver_str.eq(ver_str));
    let present: Vec<String> = of_plan.select(white_list::address).load(conn)?;
    check_whitelist_room(&networks(&present), network, MAX_WHITELIST_ENTRIES)?;
    let address = network.to_string();
    let row = (
        white_list::account_id.eq(account_id),
        white_list::ver_str.eq(ver_str),
        white_list::address.eq(&address),
        white_list::label.eq(label.trim()),
        white_list::created_at.eq(now),
    );
    let id: i64 = diesel::insert_into(white_list::table).values(row).returning(white_list::id).get_result(conn)?;
    Ok(entry((id, ver_str.clone(), address, label.trim().to_owned(), now, None)))
}

/// Adds a whitelist entry to a plan that the account has bought. Private and other special-purpose ranges are refused, and so are networks that are
/// too large, alone or together.
#[utoipa::path(request_body = AddWhiteList, responses((status = 200, body = Answer<WhiteListEntry>)))]
#[post("/Ips/AddWhiteList")]
pub async fn add_white_list(app: AppData, who: SignedIn, write: Write<AddWhiteList>) -> Answered<Value> {
    let network = validate_whitelist_entry(&write.body.address, &write.body.label)?;
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| add(conn, who.account_id, &write.body, network, now))
    });
    answer(added.await?)
}

/// Removes whitelist entries. The last entry of a plan in `whitelist` mode cannot be removed until the access mode is changed.
#[utoipa::path(request_body = DelWhite, responses((status = 200, body = Answer<Changed>)))]
#[post("/Ips/DelWhite")]
pub async fn del_white(app: AppData, who: SignedIn, Body(del): Body<DelWhite>) -> Answered<Changed> {
    let deleted = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        let own = white_list::table
            .filter(white_list::account_id.eq(who.account_id))
            .filter(white_list::id.eq_any(&del.white_ids));
        let changed = diesel::delete(own).execute(conn)?;
        if changed == 0 {
            return Err(AppError::code(Code::NotFound));
        }
        let guarded: Vec<String> = plans::table
            .filter(plans::account_id.eq(who.account_id))
            .filter(plans::access_mode.eq(AccessMode::Whitelist))
            .select(plans::ver_str)
            .load(conn)?;
        for ver_str in guarded {
            let left = white_list::table.filter(white_list::account_id.eq(who.account_id));
            let left: i64 = left.filter(white_list::ver_str.eq(&ver_str)).count().get_result(conn)?;
            if left == 0 {
                return Err(FieldErrors::one("WhiteIds", Rule::WhitelistEmpty, &[]).into());
            }
        }
        Ok(Changed { changed })
    });
    answer(deleted.await?)
}
