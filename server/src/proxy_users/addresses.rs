//! Whitelisted addresses: connections from them need no password, and count for a proxy user.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::request::{Body, SignedIn, Write, once};
use crate::ledger::lock_wallet;
use crate::proxy_users::lifecycle;
use crate::proxy_users::queries::lock_own;
use crate::proxy_users::types::{AddProxyUserAddress, ProxyUserAddress, ProxyUserAddressRef};
use crate::schema::{proxy_user_addresses, proxy_users};
use crate::state::App;
use crate::traffic_batches::has_bought;
use actix_web::{post, web};
use chrono::NaiveDateTime;
use postern_core::code::Code;
use postern_core::field_errors::FieldErrors;
use postern_core::network::{Network, check_whitelist_room, networks, validate_whitelist_entry};
use postern_core::proxy_user_form::MAX_PROXY_USER_ADDRESSES;
use postern_core::rule::Rule;
use postern_core::time::to_wire;
use serde_json::Value;

type AppData = web::Data<App>;
type Row = (i64, i64, String, String, String, NaiveDateTime, Option<NaiveDateTime>);

macro_rules! listed {
    () => {
        proxy_user_addresses::table
            .inner_join(proxy_users::table.on(proxy_users::id.eq(proxy_user_addresses::proxy_user_id)))
            .select((
                proxy_user_addresses::id,
                proxy_users::id,
                proxy_users::name,
                proxy_user_addresses::address,
                proxy_user_addresses::label,
                proxy_user_addresses::created_at,
                proxy_user_addresses::last_used_at,
            ))
    };
}

fn entry((address_id, proxy_user_id, proxy_user_name, address, label, created_at, last): Row) -> ProxyUserAddress {
    ProxyUserAddress {
        address_id,
        proxy_user_id,
        proxy_user_name,
        address,
        label,
        created_at: to_wire(created_at),
        last_used_at: last.map(to_wire),
    }
}

fn entries(conn: &mut Conn, account_id: i64) -> Result<Vec<ProxyUserAddress>, AppError> {
    let own = listed!().filter(proxy_user_addresses::account_id.eq(account_id)).order(proxy_user_addresses::id.desc());
    Ok(own.load::<Row>(conn)?.into_iter().map(entry).collect())
}

fn add(
    conn: &mut Conn,
    account_id: i64,
    entry_for: &AddProxyUserAddress,
    network: Network,
    now: NaiveDateTime,
) -> Result<ProxyUserAddress, AppError> {
    let user = lock_own(conn, account_id, entry_for.proxy_user_id)?;
    if !has_bought(conn, account_id)? {
        return Err(FieldErrors::one("Address", Rule::WhitelistNeedsTraffic, &[]).into());
    }
    let own = proxy_user_addresses::table.filter(proxy_user_addresses::account_id.eq(account_id));
    let present: Vec<String> = own.select(proxy_user_addresses::address).load(conn)?;
    check_whitelist_room(&networks(&present), network, MAX_PROXY_USER_ADDRESSES)?;
    let address = network.to_string();
    let label = entry_for.label.trim();
    let row = (
        proxy_user_addresses::account_id.eq(account_id),
        proxy_user_addresses::proxy_user_id.eq(user.id),
        proxy_user_addresses::address.eq(&address),
        proxy_user_addresses::label.eq(label),
        proxy_user_addresses::created_at.eq(now),
    );
    let insert = diesel::insert_into(proxy_user_addresses::table).values(row);
    let id: i64 = insert.returning(proxy_user_addresses::id).get_result(conn)?;
    lifecycle::touch(conn, &user, now)?;
    Ok(entry((id, user.id, user.name, address, label.to_owned(), now, None)))
}

/// Lists the account's whitelisted addresses, newest first.
#[utoipa::path(responses((status = 200, body = Answer<Vec<ProxyUserAddress>>)))]
#[post("/ProxyUsers/GetProxyUserAddressList")]
pub async fn get_proxy_user_address_list(app: AppData, who: SignedIn) -> Answered<Vec<ProxyUserAddress>> {
    answer(app.db.read(move |conn| entries(conn, who.account_id)).await?)
}

/// Whitelists an address or a network for a proxy user: connections from there need no password. If several entries match, the narrowest one applies.
/// Other accounts can have the same address; connections from there then need a user name. Refused before the account has bought traffic.
#[utoipa::path(request_body = AddProxyUserAddress, responses((status = 200, body = Answer<ProxyUserAddress>)))]
#[post("/ProxyUsers/AddProxyUserAddress")]
pub async fn add_proxy_user_address(app: AppData, who: SignedIn, write: Write<AddProxyUserAddress>) -> Answered<Value> {
    let network = validate_whitelist_entry(&write.body.address, &write.body.label)?;
    let now = app.clock.now();
    let added = app.db.write(move |conn| {
        lock_wallet(conn, who.account_id)?;
        once(conn, who.account_id, &write.repeat, now, |conn| add(conn, who.account_id, &write.body, network, now))
    });
    answer(added.await?)
}

/// Removes a whitelisted address.
#[utoipa::path(request_body = ProxyUserAddressRef, responses((status = 200, body = Answer<ProxyUserAddressRef>)))]
#[post("/ProxyUsers/DelProxyUserAddress")]
pub async fn del_proxy_user_address(
    app: AppData,
    who: SignedIn,
    Body(entry): Body<ProxyUserAddressRef>,
) -> Answered<ProxyUserAddressRef> {
    let now = app.clock.now();
    let removed = app.db.write(move |conn| {
        let this = proxy_user_addresses::table.find(entry.address_id);
        let this = this.filter(proxy_user_addresses::account_id.eq(who.account_id));
        let user_id: Option<i64> = this.select(proxy_user_addresses::proxy_user_id).first(conn).optional()?;
        let user = lock_own(conn, who.account_id, user_id.ok_or_else(|| AppError::code(Code::NotFound))?)?;
        diesel::delete(this).execute(conn)?;
        lifecycle::touch(conn, &user, now)
    });
    removed.await?;
    answer(entry)
}
