//! SQL of the doctor, all of which only reads.
use crate::accounts::staff;
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{mails, nodes, proxy_server_watch as watch, proxy_servers, two_factors, users};
use chrono::NaiveDateTime;
use diesel::dsl::sql;
use diesel::sql_types::Bool;
use postern_core::mail::MailState;
use postern_core::node::NodeState;
use postern_core::proxy_server::ProxyServerKind;

/// The users of operators' accounts that can be used, by address, each with whether a second factor is on.
pub fn operators(conn: &mut Conn) -> Result<Vec<(String, bool)>, AppError> {
    let usable = users::table
        .left_join(two_factors::table.on(two_factors::user_id.eq(users::id)))
        .filter(users::account_id.eq_any(staff::operators(conn)?));
    let rows: Vec<(String, Option<NaiveDateTime>)> =
        usable.order(users::id).select((users::email, two_factors::turned_on_at.nullable())).load(conn)?;
    Ok(rows.into_iter().map(|(email, turned_on_at)| (email, turned_on_at.is_some())).collect())
}

pub fn nodes_for_sale(conn: &mut Conn) -> Result<i64, AppError> {
    Ok(nodes::table.filter(nodes::state.eq(NodeState::Available)).count().get_result(conn)?)
}

pub fn residential_servers(conn: &mut Conn) -> Result<i64, AppError> {
    let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
    Ok(present.filter(proxy_servers::kind.eq(ProxyServerKind::Residential)).count().get_result(conn)?)
}

/// The unsent mails in this state that were queued in a time: their number, when the first was, and the most attempts that one has had.
pub fn mails_queued(
    conn: &mut Conn,
    state: MailState,
    from: NaiveDateTime,
    until: NaiveDateTime,
) -> Result<(i64, Option<NaiveDateTime>, Option<i32>), AppError> {
    use diesel::dsl::{count_star, max, min};
    // Written as in the partial index.
    let unsent = mails::table.filter(sql::<Bool>("state IN ('queued', 'failed')"));
    let these = unsent.filter(mails::state.eq(state)).filter(mails::created_at.between(from, until));
    Ok(these.select((count_star(), min(mails::created_at), max(mails::attempts))).first(conn)?)
}

/// When a job of the shop last looked at its proxy servers, which it does all the time.
pub fn jobs_ran_at(conn: &mut Conn) -> Result<Option<NaiveDateTime>, AppError> {
    Ok(watch::table.find(1).select(watch::watched_at).first(conn).optional()?)
}
