//! New passwords for all plans and nodes of the shop, after its secret key was lost.
use crate::db::Conn;
use crate::db::prelude::*;
use crate::error::AppError;
use crate::schema::{nodes, plans};
use crate::security::{SecretKey, random};
use chrono::NaiveDateTime;
use postern_core::account::node_password;
use std::collections::HashMap;

/// Rows per query.
const CHUNK: i64 = 1_000;

/// The accounts whose passwords were replaced, one entry per plan and per node.
pub struct Owners {
    pub plans: Vec<i64>,
    pub nodes: Vec<i64>,
}

/// Replaces the passwords; user names stay, old passwords that were still valid end. Nodes that shared a password share the new one: with each other
/// and with their plan.
pub fn replace_passwords(conn: &mut Conn, key: &SecretKey) -> Result<Owners, AppError> {
    let mut replacements: HashMap<String, String> = HashMap::new();
    let mut replacement = |sealed: String| match replacements.get(&sealed) {
        Some(new) => Ok::<String, AppError>(String::clone(new)),
        None => {
            let new = key.seal(&node_password(random())).map_err(AppError::Internal)?;
            replacements.insert(sealed, new.clone());
            Ok(new)
        }
    };
    macro_rules! replace {
        ($table:ident, $account:expr) => {{
            let (mut last, mut owners) = (0, Vec::new());
            let nothing_old = (
                $table::old_user_name.eq(None::<String>),
                $table::old_password_sealed.eq(None::<String>),
                $table::old_valid_until.eq(None::<NaiveDateTime>),
            );
            diesel::update($table::table.filter($table::old_password_sealed.is_not_null()))
                .set(nothing_old)
                .execute(conn)?;
            loop {
                let rows: Vec<(i64, Option<i64>, Option<String>)> = $table::table
                    .filter($table::id.gt(last))
                    .filter($table::password_sealed.is_not_null())
                    .order($table::id)
                    .limit(CHUNK)
                    .select(($table::id, $account, $table::password_sealed))
                    .load(conn)?;
                let Some(end) = rows.last() else { break owners };
                last = end.0;
                for (id, account_id, sealed) in rows {
                    let new = replacement(sealed.unwrap_or_default())?;
                    diesel::update($table::table.find(id)).set($table::password_sealed.eq(new)).execute(conn)?;
                    owners.extend(account_id);
                }
            }
        }};
    }
    let plans = replace!(plans, plans::account_id.nullable());
    let nodes = replace!(nodes, nodes::account_id);
    Ok(Owners { plans, nodes })
}
