//! SQL of the doctor, all of which only reads.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{accounts, mails, nodes, proxy_server_watch as watch, proxy_servers, two_factors, users};
use chrono::NaiveDateTime;
use postern_core::account::AccountState;
use postern_core::mail::MailState;
use postern_core::node::NodeState;
use postern_core::permission::Level;
use postern_core::proxy_server::ProxyServerKind;
use postern_core::staff::StaffRole;

/// The users of operators' accounts that can be used, by address, each with whether a second factor is on.
pub fn operators(conn: &mut Conn) -> Result<Vec<(String, bool)>, AppError> {
    let usable = users::table
        .inner_join(accounts::table.on(accounts::id.eq(users::account_id)))
        .left_join(two_factors::table.on(two_factors::user_id.eq(users::id)))
        .filter(accounts::level.eq(Level::Operator))
        .filter(accounts::staff_role.eq(StaffRole::Operator))
        .filter(accounts::state.eq(AccountState::Active))
        .filter(accounts::closed_at.is_null());
    let rows: Vec<(String, Option<NaiveDateTime>)> =
        usable.order(users::email).select((users::email, two_factors::turned_on_at.nullable())).load(conn)?;
    Ok(rows.into_iter().map(|(email, turned_on_at)| (email, turned_on_at.is_some())).collect())
}

pub fn nodes_for_sale(conn: &mut Conn) -> Result<i64, AppError> {
    Ok(nodes::table.filter(nodes::state.eq(NodeState::Available)).count().get_result(conn)?)
}

pub fn residential_servers(conn: &mut Conn) -> Result<i64, AppError> {
    let present = proxy_servers::table.filter(proxy_servers::removed_at.is_null());
    Ok(present.filter(proxy_servers::kind.eq(ProxyServerKind::Residential)).count().get_result(conn)?)
}

/// The mails in this state that were queued in a time: their number, when the first was, and the most attempts that one has had.
pub fn mails_queued(
    conn: &mut Conn,
    state: MailState,
    from: NaiveDateTime,
    until: NaiveDateTime,
) -> Result<(i64, Option<NaiveDateTime>, Option<i32>), AppError> {
    use diesel::dsl::{count_star, max, min};
    let these = mails::table.filter(mails::state.eq(state)).filter(mails::created_at.between(from, until));
    Ok(these.select((count_star(), min(mails::created_at), max(mails::attempts))).first(conn)?)
}

/// When a job of the shop last looked at its proxy servers, which it does all the time.
pub fn jobs_ran_at(conn: &mut Conn) -> Result<Option<NaiveDateTime>, AppError> {
    Ok(watch::table.find(1).select(watch::watched_at).first(conn).optional()?)
}
