//! The groups that customers put their nodes into.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::plan_groups;

/// Locks a group of the account against deletion, unless it has been deleted.
pub fn lock_existing(conn: &mut Conn, account_id: i64, group_id: i64) -> Result<Option<i64>, AppError> {
    let own = plan_groups::table.filter(plan_groups::id.eq(group_id)).filter(plan_groups::account_id.eq(account_id));
    let own = own.select(plan_groups::id);
    Ok(own.locked().get_result(conn).optional()?)
}
