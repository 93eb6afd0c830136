//! The calls of the group `Ips`.
use crate::catalogue;
use crate::http::answer::{Answer, Answered, answer};
use crate::http::list::{ListRequest, Page};
use crate::http::request::{Body, SignedIn};
use crate::state::App;
use crate::static_proxies::types::*;
use crate::static_proxies::{list, plans, queries};
use actix_web::{post, web};
use postern_core::tier::Catalogue;

type AppData = web::Data<App>;

/// Returns the catalogue: tiers with prices, periods and discounts.
#[utoipa::path(responses((status = 200, body = Answer<Catalogue>)))]
#[post("/Ips/GetServerVer")]
pub async fn get_server_ver(app: AppData, _who: SignedIn) -> Answered<Catalogue> {
    answer(app.db.read(catalogue::catalogue).await?)
}

/// Lists countries and cities with their stock.
#[utoipa::path(request_body = StockFilter, responses((status = 200, body = Answer<Vec<CountryStock>>)))]
#[post("/Ips/GetCountryList")]
pub async fn get_country_list(
    app: AppData,
    _who: SignedIn,
    Body(filter): Body<StockFilter>,
) -> Answered<Vec<CountryStock>> {
    answer(app.db.read(move |conn| queries::country_list(conn, &filter)).await?)
}

/// Lists the stock by city and tier.
#[utoipa::path(request_body = StockFilter, responses((status = 200, body = Answer<Vec<Inventory>>)))]
#[post("/Ips/GetServerNodeInventory")]
pub async fn get_server_node_inventory(
    app: AppData,
    _who: SignedIn,
    Body(filter): Body<StockFilter>,
) -> Answered<Vec<Inventory>> {
    answer(app.db.read(move |conn| queries::inventory(conn, &filter)).await?)
}

/// Lists the use cases that nodes can fit.
#[utoipa::path(responses((status = 200, body = Answer<Vec<Target>>)))]
#[post("/Ips/UserGetTargetList")]
pub async fn user_get_target_list(app: AppData, _who: SignedIn) -> Answered<Vec<Target>> {
    answer(app.db.read(queries::target_list).await?)
}

/// Counts the account's nodes by use case.
#[utoipa::path(responses((status = 200, body = Answer<Vec<OwnedTarget>>)))]
#[post("/Ips/GetUserTargetList")]
pub async fn get_user_target_list(app: AppData, who: SignedIn) -> Answered<Vec<OwnedTarget>> {
    answer(app.db.read(move |conn| queries::owned_targets(conn, who.account_id)).await?)
}

/// Lists the products that the account owns: one row per `NodeType` and `VerStr`.
#[utoipa::path(responses((status = 200, body = Answer<Page<OwnedProduct>>)))]
#[post("/Ips/UserGetNodeTable")]
pub async fn user_get_node_table(app: AppData, who: SignedIn) -> Answered<Page<OwnedProduct>> {
    let now = app.clock.now();
    let rows = app.db.read(move |conn| queries::owned_products(conn, who.account_id, now)).await?;
    let total = i64::try_from(rows.len()).unwrap_or(i64::MAX);
    answer(ListRequest::default().page_of(rows, total, Vec::new()))
}

/// Lists the account's plans.
#[utoipa::path(responses((status = 200, body = Answer<Vec<Plan>>)))]
#[post("/Ips/userGetUserVerPlan")]
pub async fn user_get_user_ver_plan(app: AppData, who: SignedIn) -> Answered<Vec<Plan>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| plans::plan_list(conn, who.account_id, now)).await?)
}

/// Lists the account's plans. The same call under the specification's other name.
#[utoipa::path(responses((status = 200, body = Answer<Vec<Plan>>)))]
#[post("/Ips/GetUserVerPlan")]
pub async fn get_user_ver_plan(app: AppData, who: SignedIn) -> Answered<Vec<Plan>> {
    let now = app.clock.now();
    answer(app.db.read(move |conn| plans::plan_list(conn, who.account_id, now)).await?)
}

/// Lists the nodes that the account owns (the proxy list).
///
/// Sorts by `Ip`, `Country`, `City`, `Isp`, `VerStr`, `State`, `AssignedAt`, `ExpiresAt`; filters as in `NodeFilter`; searches in
/// address, note and ISP: anywhere for terms of at least three letters or two Chinese characters, otherwise by prefix.
#[utoipa::path(request_body = ListRequest, responses((status = 200, body = Answer<Page<OwnedNode>>)))]
#[post("/Ips/GetUserNodeList")]
pub async fn get_user_node_list(
    app: AppData,
    who: SignedIn,
    Body(list): Body<ListRequest>,
) -> Answered<Page<OwnedNode>> {
    let (now, key) = (app.clock.now(), app.key.clone());
    answer(app.db.read(move |conn| list::node_list(conn, who.account_id, &list, &key, now)).await?)
}
