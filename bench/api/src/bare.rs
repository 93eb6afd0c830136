//! The baseline for the proxy list: an actix handler that reads the same rows from the same pool with one keyset query on the index of its order, and
//! returns them as JSON. It does not count, authenticate, decrypt passwords, look up names or add an envelope.
use actix_web::{App, HttpResponse, HttpServer, post, web};
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::prelude::*;
use diesel::sql_types::{BigInt, Bool, Nullable, Text, Timestamp};
use postern_core::node::NodeState;
use postern_core::time::from_wire;
use postern_server::db::CachedStatement;
use postern_server::db::Conn;
use postern_server::db::Database;
use postern_server::error::AppError;
use postern_server::schema::nodes;
use serde::{Deserialize, Serialize};
use std::net::TcpListener;

/// The requested list and page; the sorts and filters that are measured.
#[derive(Deserialize)]
pub struct Asked {
    account_id: i64,
    page_size: i64,
    /// The last row before the page.
    after_id: Option<i64>,
    after_expiry: String,
    by_expiry: bool,
    country: Option<String>,
}

#[derive(Queryable, Selectable, Serialize)]
#[diesel(table_name = nodes)]
struct Row {
    id: i64,
    ip: String,
    http_port: i32,
    socks5_port: Option<i32>,
    country: String,
    city: String,
    isp: String,
    asn: i64,
    ver_str: String,
    node_type: i16,
    state: NodeState,
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

/// A row with the names of its group and targets.
type Listed = (Row, Option<String>, Option<String>);

const GROUP_NAME: &str = "(SELECT name FROM plan_groups WHERE plan_groups.id = nodes.group_id)";

fn page(conn: &mut Conn, asked: &Asked) -> Result<Vec<Listed>, AppError> {
    let after = match asked.after_id {
        Some(id) => Some((id, from_wire(&asked.after_expiry).ok_or_else(|| AppError::internal("a time"))?)),
        None => None,
    };
    macro_rules! rows {
        ($conn:expr, $targets:literal) => {{
            let targets = sql::<Nullable<Text>>(concat!(
                "(SELECT ",
                $targets,
                " FROM node_targets WHERE node_targets.node_id = nodes.id)"
            ));
            let columns = (Row::as_select(), sql::<Nullable<Text>>(GROUP_NAME), targets);
            let mut query = nodes::table.filter(nodes::account_id.eq(asked.account_id)).select(columns).into_boxed();
            if let Some(country) = &asked.country {
                query = query.filter(nodes::country.eq(country));
            }
            query = match after {
                Some((id, expiry)) if asked.by_expiry => query.filter(
                    sql::<Bool>("(nodes.expires_at, nodes.id) > (")
                        .bind::<Timestamp, _>(expiry)
                        .sql(", ")
                        .bind::<BigInt, _>(id)
                        .sql(")"),
                ),
                Some((id, _)) => query.filter(nodes::id.lt(id)),
                None => query,
            };
            query = if asked.by_expiry {
                query.order((nodes::expires_at.asc(), nodes::id.asc()))
            } else {
                query.order(nodes::id.desc())
            };
            CachedStatement(query.limit(asked.page_size)).load::<Listed>($conn)?
        }};
    }
    Ok(match conn {
        Conn::Postgres(conn) => rows!(conn, "string_agg(target, ' ')"),
        Conn::Sqlite(conn) => rows!(conn, "group_concat(target, ' ')"),
    })
}

#[post("/list")]
async fn list(database: web::Data<Database>, asked: web::Json<Asked>) -> actix_web::Result<HttpResponse> {
    let rows = web::block(move || database.read_blocking(|conn| page(conn, &asked))).await??;
    Ok(HttpResponse::Ok().json(rows))
}

/// Serves until killed.
pub fn serve(database_url: &str, pool: u32, listener: TcpListener) -> anyhow::Result<()> {
    let database = web::Data::new(Database::open(database_url, pool)?);
    let workers = std::thread::available_parallelism()?.get();
    let server = HttpServer::new(move || App::new().app_data(database.clone()).service(list)).workers(workers);
    Ok(actix_web::rt::System::new().block_on(server.listen(listener)?.run())?)
}
