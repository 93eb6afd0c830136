//! What the proxy list is compared with: an actix handler that runs the SQL of `Ips/GetUserNodeList` with the same pool and
//! answers the rows as JSON. It asks nobody who they are, opens no password, looks up no name and has no envelope.
use actix_web::{App, HttpResponse, HttpServer, post, web};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use postern_server::db::{Conn, Database};
use postern_server::error::AppError;
use postern_server::schema::{node_targets, nodes, plan_groups};
use serde::{Deserialize, Serialize};
use std::net::TcpListener;

/// Which page of whose list; the sorts and filters that are measured.
#[derive(Deserialize)]
pub struct Asked {
    account_id: i64,
    page: i64,
    page_size: i64,
    by_expiry: bool,
    country: Option<String>,
}

#[derive(Queryable, Selectable, Serialize)]
#[diesel(table_name = nodes)]
struct Row {
    id: i64,
    ip: String,
    http_port: i32,
    socks5_port: i32,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    ver_str: String,
    node_type: i16,
    state: String,
    group_id: Option<i64>,
    user_name: Option<String>,
    password_sealed: Option<String>,
    old_user_name: Option<String>,
    #[serde(serialize_with = "as_text")]
    old_valid_until: Option<NaiveDateTime>,
    note: String,
    auto_renew: bool,
    period_days: Option<i32>,
    #[serde(serialize_with = "as_text")]
    assigned_at: Option<NaiveDateTime>,
    #[serde(serialize_with = "as_text")]
    expires_at: Option<NaiveDateTime>,
}

fn as_text<S: serde::Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serializer.collect_str(time),
        None => serializer.serialize_none(),
    }
}

#[derive(Serialize)]
struct Page {
    rows: Vec<Row>,
    groups: Vec<(i64, String)>,
    targets: Vec<(i64, String)>,
    total: i64,
}

fn page(conn: &mut Conn, asked: &Asked) -> Result<Page, AppError> {
    macro_rules! narrowed {
        ($query:expr) => {{
            let mut query = $query.filter(nodes::account_id.eq(asked.account_id)).into_boxed();
            if let Some(country) = &asked.country {
                query = query.filter(nodes::country.eq(country));
            }
            query
        }};
    }
    let total = narrowed!(nodes::table.select(diesel::dsl::count(nodes::id))).first(conn)?;
    let mut query = narrowed!(nodes::table.select(Row::as_select()));
    if asked.by_expiry {
        query = query.then_order_by(nodes::expires_at.asc());
    }
    let offset = (asked.page - 1) * asked.page_size;
    let rows: Vec<Row> = query.then_order_by(nodes::id.desc()).limit(asked.page_size).offset(offset).load(conn)?;
    let groups = plan_groups::table
        .filter(plan_groups::account_id.eq(asked.account_id))
        .select((plan_groups::id, plan_groups::name))
        .load(conn)?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let targets = node_targets::table
        .filter(node_targets::node_id.eq_any(&ids))
        .order(node_targets::target)
        .select((node_targets::node_id, node_targets::target))
        .load(conn)?;
    Ok(Page { rows, groups, targets, total })
}

#[post("/list")]
async fn list(database: web::Data<Database>, asked: web::Json<Asked>) -> actix_web::Result<HttpResponse> {
    let page = web::block(move || database.read_blocking(|conn| page(conn, &asked))).await??;
    Ok(HttpResponse::Ok().json(page))
}

/// Serves until it is killed.
pub fn serve(database_url: &str, pool: u32, listener: TcpListener) -> anyhow::Result<()> {
    let database = web::Data::new(Database::open(database_url, pool)?);
    let workers = std::thread::available_parallelism()?.get();
    let server = HttpServer::new(move || App::new().app_data(database.clone()).service(list)).workers(workers);
    Ok(actix_web::rt::System::new().block_on(server.listen(listener)?.run())?)
}
